// What the explorer says of the block to come.
import { describe, expect, it } from "vitest";
import { expectNextBlock } from "#renderer/features/explorer/frame/next-block.ts";

const TIP_MS = 1_700_000_000_000;
const HEARTBEAT_MS = 60_000;
const quiet = { tipMs: TIP_MS, waiting: 0, heartbeatMs: HEARTBEAT_MS };

describe("the next block", () => {
  it("comes now where transactions wait", () => {
    expect(expectNextBlock({ ...quiet, waiting: 1 }, TIP_MS)).toEqual({ kind: "now" });
  });

  it("comes at the latest after the longest time without one, counted in whole seconds up", () => {
    expect(expectNextBlock(quiet, TIP_MS)).toEqual({ kind: "in", seconds: 60 });
    expect(expectNextBlock(quiet, TIP_MS + 1)).toEqual({ kind: "in", seconds: 60 });
    expect(expectNextBlock(quiet, TIP_MS + 59_999)).toEqual({ kind: "in", seconds: 1 });
  });

  it("is due afterwards, and never counts below", () => {
    for (const late of [HEARTBEAT_MS, HEARTBEAT_MS + 1, 10 * HEARTBEAT_MS])
      expect(expectNextBlock(quiet, TIP_MS + late)).toEqual({ kind: "now" });
  });

  it("is not later than that for a clock that is behind", () => {
    expect(expectNextBlock(quiet, TIP_MS - 3_600_000)).toEqual({ kind: "in", seconds: 60 });
  });

  it("is open at a node that does not say how long it may take", () => {
    expect(expectNextBlock({ ...quiet, heartbeatMs: undefined }, TIP_MS)).toEqual({ kind: "open" });
  });
});
