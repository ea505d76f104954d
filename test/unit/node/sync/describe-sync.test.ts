import { describe, expect, it } from "vitest";
import type { SyncStatus } from "#node/sync/block-sync.ts";
import { describeSync, type SyncInput } from "#node/sync/describe-sync.ts";

const LIVE: SyncStatus = { state: "live", targetHeight: 7, reason: null, blocksPerSecond: null, etaSeconds: null };
const input = (changes: Partial<SyncInput> = {}): SyncInput => ({
  tip: { height: 7, timeMs: 1_800_000_000_000 },
  sync: LIVE,
  peers: 3,
  isSoleVoter: false,
  round: 0,
  nextBlockMs: 1_800_000_060_000,
  nowMs: 1_800_000_080_000,
  ...changes,
});

describe("the state of synchronisation", () => {
  it("is live among peers that are no further", () => {
    expect(describeSync(input())).toEqual({ state: "live", height: 7, target_height: 7, tip_time: "2027-01-15T08:00:00.000Z" });
  });

  it("is live for a node that decides alone, with and without a network", () => {
    expect(describeSync(input({ sync: null, peers: 0, isSoleVoter: true })).state).toBe("live");
    expect(describeSync(input({ peers: 0, isSoleVoter: true, round: 9, nowMs: 1_900_000_000_000 })).state).toBe("live");
  });

  it("tells speed and remaining time while syncing", () => {
    const sync: SyncStatus = { state: "syncing", targetHeight: 900, reason: null, blocksPerSecond: 12.345, etaSeconds: 73 };
    expect(describeSync(input({ sync }))).toMatchObject({
      state: "syncing",
      height: 7,
      target_height: 900,
      blocks_per_second: 12.3,
      eta_seconds: 73,
    });
    expect(describeSync(input({ sync: { ...sync, blocksPerSecond: 0, etaSeconds: null } }))).not.toHaveProperty("eta_seconds");
  });

  it("is live whatever peers claim, until the own chain is late as well", () => {
    const sync: SyncStatus = { state: "claimed", targetHeight: 900, reason: null, blocksPerSecond: 0, etaSeconds: null };
    const late = { nowMs: 1_800_000_080_001 };
    expect(describeSync(input({ sync }))).toMatchObject({ state: "live", height: 7, target_height: 7 });
    expect(describeSync(input({ sync, peers: 0 }))).toMatchObject({ state: "stalled", target_height: 7 });
    expect(describeSync(input({ sync, ...late }))).toMatchObject({ state: "syncing", target_height: 900 });
    const stuck = { ...sync, reason: "No peer serves block 8" };
    expect(describeSync(input({ sync: stuck }))).toMatchObject({ state: "live" });
    expect(describeSync(input({ sync: stuck, ...late }))).toMatchObject({ state: "stalled", reason: "No peer serves block 8" });
  });

  it.each<readonly [string, Partial<SyncInput>, string]>([
    ["without peers", { peers: 0 }, "No other node"],
    ["without a network and a deciding vote", { sync: null, peers: 0 }, "No other node"],
    ["when its validators go round in circles", { round: 3 }, "block 8 in 3 rounds"],
    [
      "when an empty block is overdue, for too few votes end no round",
      { nowMs: 1_800_000_080_001 },
      "Block 8 was due at 2027-01-15T08:01:00.000Z",
    ],
    ["before rules that the program lacks", { missingVersion: 3, sync: null }, "From block 8 on the network has version 3"],
    ["when no peer serves blocks", { sync: { ...LIVE, state: "stalled", reason: "No peer serves block 8" } }, "No peer serves block 8"],
  ])("is stalled %s", (_, changes, reason) => {
    expect(describeSync(input(changes))).toMatchObject({ state: "stalled", reason: expect.stringContaining(reason) });
  });
});
