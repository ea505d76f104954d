// What the main thread of a page does in each of its frames: processor time by Chromium's own trace, which the wait for a processor is no part of.
import type { CDPSession, Page } from "playwright-core";

/** Name of the mark that a page sets once in each frame. */
export const FRAME_MARK = "bench-frame";

/** The parts of an event of a trace that are used; times in µs. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
}

/** What is between two marks. */
export interface TracedFrame {
  readonly gapMs: number;
  /** Processor time of the main thread, ms. */
  readonly mainMs: number;
  /** Of it, ms. What script waits for (styles, layout, garbage) is part of script, too. */
  readonly scriptMs: number;
  readonly stylesMs: number;
  readonly layoutMs: number;
  readonly paintMs: number;
  readonly garbageMs: number;
}

const CATEGORIES = ["-*", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing", "v8", "toplevel"];
const TASKS: ReadonlySet<string> = new Set(["RunTask", "ThreadControllerImpl::RunTask"]);
const STYLES: ReadonlySet<string> = new Set(["UpdateLayoutTree"]);
const LAYOUT: ReadonlySet<string> = new Set(["Layout"]);
const GARBAGE: ReadonlySet<string> = new Set(["MajorGC", "MinorGC"]);
const PAINT: ReadonlySet<string> = new Set(["PrePaint", "Paint", "Layerize", "Commit"]);
const SCRIPT: ReadonlySet<string> = new Set(["FireAnimationFrame", "EventDispatch", "FunctionCall", "RunMicrotasks", "TimerFire"]);

/** Does something in a page under a trace; the page sets {@link FRAME_MARK}. */
export async function traceFrames(page: Page, work: () => Promise<void>): Promise<readonly TracedFrame[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Tracing.start", { transferMode: "ReturnAsStream", traceConfig: { includedCategories: CATEGORIES } });
  await work();
  const events = await endedTrace(session);
  await session.detach();
  return framesOf(events);
}

async function endedTrace(session: CDPSession): Promise<readonly TraceEvent[]> {
  const complete = new Promise<string>((resolve, reject) => {
    session.once("Tracing.tracingComplete", ({ stream }) => (stream === undefined ? reject(new Error("No trace")) : resolve(stream)));
  });
  await session.send("Tracing.end");
  const handle = await complete;
  const parts: string[] = [];
  for (let isEnd = false; !isEnd; ) {
    const { data, eof } = await session.send("IO.read", { handle, size: 1 << 20 });
    parts.push(data);
    isEnd = eof;
  }
  await session.send("IO.close", { handle });
  return (JSON.parse(parts.join("")) as { readonly traceEvents: readonly TraceEvent[] }).traceEvents;
}

/** The frames of a trace, oldest first. @throws Error where no page set a mark */
export function framesOf(events: readonly TraceEvent[]): readonly TracedFrame[] {
  const marks = events.filter(({ name }) => name === FRAME_MARK).sort((a, b) => a.ts - b.ts);
  const [first] = marks;
  if (first === undefined) throw new Error("No frame is marked in the trace");
  const own = events.filter(({ ph, pid, tid }) => ph === "X" && pid === first.pid && tid === first.tid);
  const times = marks.map(({ ts }) => ts);
  const of = (names: ReadonlySet<string>): readonly number[] => sharedOut(outermost(own.filter(({ name }) => names.has(name))), times);
  const [main, script, styles, layout, paint, garbage] = [of(TASKS), of(SCRIPT), of(STYLES), of(LAYOUT), of(PAINT), of(GARBAGE)];
  return times.slice(1).map((ts, at) => ({
    gapMs: (ts - (times[at] ?? ts)) / 1_000,
    mainMs: main[at] ?? 0,
    scriptMs: script[at] ?? 0,
    stylesMs: styles[at] ?? 0,
    layoutMs: layout[at] ?? 0,
    paintMs: paint[at] ?? 0,
    garbageMs: garbage[at] ?? 0,
  }));
}

/** Without what lies in another one of them. */
function outermost(events: readonly TraceEvent[]): readonly TraceEvent[] {
  let end = 0;
  return [...events]
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
    .filter(({ ts, dur = 0 }) => {
      if (ts < end) return false;
      end = ts + dur;
      return true;
    });
}

/** Processor time of events, ms, in each of the gaps between times; what reaches over one counts on both sides for its share. */
function sharedOut(events: readonly TraceEvent[], times: readonly number[]): readonly number[] {
  const sums = times.slice(1).map(() => 0);
  let from = 0;
  for (const { ts, dur = 0, tdur = dur } of events) {
    while (from < sums.length && (times[from + 1] ?? 0) <= ts) from += 1;
    for (let at = from; at < sums.length && (times[at] ?? 0) < ts + dur; at += 1) {
      const overlap = Math.min(ts + dur, times[at + 1] ?? 0) - Math.max(ts, times[at] ?? 0);
      if (overlap > 0) sums[at] = (sums[at] ?? 0) + ((overlap / dur) * tdur) / 1_000;
    }
  }
  return sums;
}
