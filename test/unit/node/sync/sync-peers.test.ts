import { describe, expect, it } from "vitest";
import { SyncPeers } from "#node/sync/sync-peers.ts";

describe("peers that blocks are asked of", () => {
  it("have their failures counted in a row, and are left alone longer each time", () => {
    let nowMs = 0;
    const peers = new SyncPeers({ nowMs: () => 0, monotonicMs: () => nowMs });
    peers.update("a", { height: 10, firstHeight: 1, tipHash: "00".repeat(32) });
    const attempt = (isUseful: boolean): readonly [number, number | undefined] => {
      peers.begin("a");
      const failures = peers.end("a", isUseful);
      const pauseMs = peers.untilNextMs();
      nowMs += pauseMs ?? 0;
      return [failures, pauseMs];
    };
    expect([false, false, false, true, false].map(attempt)).toEqual([
      [1, 500],
      [2, 1_000],
      [3, 2_000],
      [0, undefined],
      [1, 500],
    ]);
  });
});
