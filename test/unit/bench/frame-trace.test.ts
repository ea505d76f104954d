import { describe, expect, it } from "vitest";
import { FRAME_MARK, framesOf, type TraceEvent } from "../../bench/browser/frame-trace.ts";

const ofPage = { pid: 1, tid: 7 };
const mark = (ms: number): TraceEvent => ({ ...ofPage, name: FRAME_MARK, ph: "R", ts: ms * 1_000 });
const work = (name: string, ms: number, durationMs: number, processorMs: number): TraceEvent => ({
  ...ofPage,
  name,
  ph: "X",
  ts: ms * 1_000,
  dur: durationMs * 1_000,
  tdur: processorMs * 1_000,
});

describe("frames of a trace", () => {
  it("have the processor time of their main thread, not the wait for a processor, and shares of what reaches over a mark", () => {
    const frames = framesOf([
      work("RunTask", 2, 10, 4),
      work("Layout", 3, 2, 1),
      work("RunTask", 15, 10, 6),
      { ...work("RunTask", 2, 10, 10), tid: 8 },
      ...[0, 20, 60].map(mark),
    ]);
    expect(frames.map(({ gapMs }) => gapMs)).toEqual([20, 40]);
    expect(frames.map(({ mainMs }) => mainMs)).toEqual([7, 3]);
    expect(frames.map(({ layoutMs }) => layoutMs)).toEqual([1, 0]);
  });

  it("count what lies in another one once", () => {
    const [frame] = framesOf([work("RunTask", 1, 8, 8), work("ThreadControllerImpl::RunTask", 1, 8, 8), ...[0, 16].map(mark)]);
    expect(frame?.mainMs).toBe(8);
  });

  it("are those of a page that marks them", () => {
    expect(() => framesOf([work("RunTask", 0, 5, 5)])).toThrow("No frame");
  });
});
