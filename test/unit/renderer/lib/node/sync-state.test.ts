import { describe, expect, it } from "vitest";
import { faultOf } from "#renderer/features/node/light/light-fault.ts";
import { syncStateOf } from "#renderer/lib/node/sync-state.ts";
import type { LightStatus, NodeStatus } from "#shared/api/schemas/discovery.ts";

function statusOf(sync: Partial<NodeStatus["sync"]>, light?: LightStatus["state"], peers = 2): NodeStatus {
  return {
    sync: { state: "live", height: 8, target_height: 8, tip_time: "2026-01-01T00:00:00Z", ...sync },
    peers,
    ...(light === undefined ? {} : { light: { state: light } }),
  } as NodeStatus;
}

describe("the sync chip", () => {
  it("tells catching up from being there, and both from a connection that is away", () => {
    expect(syncStateOf(statusOf({}), false, "open")).toEqual({ kind: "live", height: 8, share: 1 });
    expect(syncStateOf(statusOf({ state: "syncing", target_height: 16 }), false, "open")).toMatchObject({ kind: "syncing", share: 0.5 });
    expect(syncStateOf(statusOf({}), true, "closed")).toEqual({ kind: "offline" });
    expect(syncStateOf(undefined, false, "open")).toEqual({ kind: "connecting" });
  });

  it("never says live of a stopped light node", () => {
    for (const state of ["stalled", "expired", "forked"] as const)
      expect(syncStateOf(statusOf({ state: "stalled" }, state), false, "open")).toEqual({ kind: "halted", light: state });
    expect(syncStateOf(statusOf({}, "live"), false, "open")).toMatchObject({ kind: "live" });
    expect(syncStateOf(statusOf({ state: "syncing", target_height: 9 }, "syncing"), false, "open")).toMatchObject({ kind: "syncing" });
  });
});

describe("what stops a light node", () => {
  it("is the gravest of its faults", () => {
    expect(faultOf(statusOf({}))).toBeUndefined();
    expect(faultOf(statusOf({}, "live"))).toBeUndefined();
    expect(faultOf(statusOf({}, "live", 1))).toBe("noWitness");
    expect(faultOf(statusOf({}, "syncing", 0))).toBe("noPeer");
    expect(faultOf(statusOf({}, "stalled", 0))).toBe("noPeer");
    expect(faultOf(statusOf({}, "stalled", 3))).toBe("stalled");
    expect(faultOf(statusOf({}, "expired", 0))).toBe("expired");
    expect(faultOf(statusOf({}, "forked", 1))).toBe("forked");
  });
});
