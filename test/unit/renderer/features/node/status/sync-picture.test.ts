import { describe, expect, it } from "vitest";
import { syncPicture } from "#renderer/features/node/status/sync-picture.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

const status = (sync: Partial<NodeStatus["sync"]> = {}, isLight = false): Pick<NodeStatus, "sync" | "light"> =>
  ({ sync: { state: "live", height: 38, target_height: 38, ...sync }, ...(isLight && { light: {} }) }) as NodeStatus;

describe("the picture of syncing", () => {
  it("is no full bar and no 'up to date' while the node is away, whatever it said last", () => {
    for (const live of ["connecting", "closed"] as const)
      expect(syncPicture(status(), live)).toMatchObject({ reached: 0, share: undefined, words: "lost" });
  });

  it("tells being there from being on the way and from being stopped", () => {
    expect(syncPicture(status(), "open")).toMatchObject({ reached: 2, share: 1, words: "done" });
    expect(syncPicture(status({ state: "syncing", target_height: 76 }), "open")).toMatchObject({
      reached: 1,
      share: 0.5,
      words: "progress",
    });
    expect(syncPicture(status({ state: "stalled" }, true), "open")).toMatchObject({ reached: 0, words: "halted" });
    expect(syncPicture(status({ state: "stalled" }), "open")).toMatchObject({ reached: 2, words: "done" });
  });

  it("shows the way to a state to begin with, and what stops a node there", () => {
    type Snapshot = NonNullable<NodeStatus["sync"]["snapshot"]>;
    const joining = (stage: Snapshot["stage"], step?: Snapshot["step"], state = "syncing"): ReturnType<typeof syncPicture> => {
      const snapshot = { stage, bytes: 9, share: 0.25, ...(step && { step }) };
      return syncPicture(status({ state, snapshot }, true), "open");
    };
    const stages = ["connect", "find", "state", "around", "live"];
    expect(joining("headers")).toEqual({ stages, reached: 1, share: undefined, words: "join" });
    expect(joining("headers", { name: "peers", done: 1, total: 4 }).share).toBeUndefined();
    expect(joining("state")).toEqual({ stages, reached: 2, share: 0.25, words: "join" });
    expect(joining("state", { name: "records", bytes: 9 }).share).toBe(0.25);
    expect(joining("state", { name: "sort", done: 16, total: 64 }).share).toBe(0.25);
    expect(joining("history")).toMatchObject({ reached: 3, share: 0.25, words: "join" });
    expect(joining("history", { name: "headers", done: 5, total: 10 })).toMatchObject({ reached: 3, share: 0.5 });
    expect(joining("history", { name: "headers", done: 11, total: 10 }).share).toBe(1);
    expect(joining("history", { name: "receipts", done: 0, total: 0 }).share).toBeUndefined();
    expect(joining("history", { name: "store" }).share).toBeUndefined();
    expect(joining("headers", undefined, "stalled")).toMatchObject({ reached: 0, words: "halted" });
  });
});
