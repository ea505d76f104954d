// A chat with a long history in the interface: restored from a backup, opened, scrolled by.
import type { TracedFrame } from "../browser/frame-trace.ts";
import { measureLongChat, WHEEL_PX } from "../browser/long-chat.ts";
import type { ScrollTurns } from "../browser/scroll-turns.ts";
import { type Percentiles, percentiles, round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const FULL = 100_000;
const SMALL = 10_000;
/** What the page's process may keep after all of it, MiB: engine, search and the rows of one chat, whatever the length of its history. */
const MEMORY_MIB = 500;
/** Chains of at least so many transactions call for the full chat. */
const FULL_TRANSACTIONS = 100_000;
const FRAME_MS = 1_000 / 60;
/** A frame that comes later than two of 60 a second is late. */
const LATE_MS = 2 * FRAME_MS;
/** What the page may take of the main thread's 16.7 ms in any frame. */
const OWN_MS = 8;

/** A chat of 100,000 messages, 10,000 in a small run. */
export async function longChatSuite(bench: Bench): Promise<void> {
  const count = bench.options.transactions >= FULL_TRANSACTIONS ? FULL : SMALL;
  const { restoredMs, openMs, wheeled, dragged, memoryMiB } = await measureLongChat(count);
  bench.print(
    table(
      `A chat with ${count.toLocaleString("en")} messages in the interface`,
      ["what", "figure", "goal"],
      [
        ["restored from a backup, messages/s", round((count * 1_000) / restoredMs), ""],
        ["from the press until its newest message is painted, ms", round(openMs), ""],
        ["memory of the page's process before it was restored, MiB (PSS)", round(memoryMiB.before), ""],
        ["memory after the scrolling, MiB (PSS)", round(memoryMiB.after), `≤ ${MEMORY_MIB}`],
        ["memory at rest after it, MiB (PSS)", round(memoryMiB.rested), ""],
      ],
    ),
  );
  const name = `a chat with ${count.toLocaleString("en")} messages`;
  judgeScrolling(bench, name, `${WHEEL_PX} px a frame`, wheeled);
  judgeScrolling(bench, name, "half a screen a frame", dragged);
  bench.goals.push({ what: `${name}: memory of the page`, value: memoryMiB.after, unit: "MiB", bound: { atMost: MEMORY_MIB } });
}

function judgeScrolling(bench: Bench, name: string, pace: string, { list, reference: rows, passed }: ScrollTurns): void {
  const [chat, reference] = [summaryOf(list), summaryOf(rows)];
  const { frames } = chat;
  bench.print(
    table(
      `Scrolling by ${passed.toLocaleString("en")} rows, ${frames} frames, ${pace}, in turns with a page of fixed rows`,
      ["what", "chat", "fixed rows", "difference"],
      [
        row("late frames", chat.late, reference.late),
        row("late, with more than 33 ms of the main thread's own", chat.lateByWork, reference.lateByWork),
        row("late, with 17 to 33 ms of it", chat.lateByBoth, reference.lateByBoth),
        row("late, with less: waiting for a processor or for drawing", chat.lateByWaiting, reference.lateByWaiting),
        row(`frames with more than ${OWN_MS} ms of it`, chat.over, reference.over),
        row("main thread a frame, median, ms", chat.own.p50, reference.own.p50),
        row("main thread a frame, p99, ms", chat.own.p99, reference.own.p99),
        row("main thread a frame, most, ms", chat.own.max, reference.own.max),
        row("of the mean: styles, ms", chat.styles, reference.styles),
        row("of the mean: layout, ms", chat.layout, reference.layout),
        row("of the mean: paint, ms", chat.paint, reference.paint),
        row("of the mean: garbage collection, ms", chat.garbage, reference.garbage),
      ],
    ),
  );
  const what = `${name}, ${pace}`;
  bench.goals.push(
    { what: `${what}: late frames of ${frames}`, value: chat.late, unit: "frames", bound: { atMost: 0 } },
    { what: `${what}: late frames beyond those of fixed rows`, value: chat.late - reference.late, unit: "frames", bound: { atMost: 0 } },
    { what: `${what}: main thread in the longest frame`, value: chat.own.max, unit: "ms", bound: { atMost: OWN_MS } },
  );
}

function row(what: string, chat: number, reference: number): readonly string[] {
  const shown = (value: number): string => (Number.isInteger(value) ? String(value) : round(value));
  const difference = chat - reference;
  return [what, shown(chat), shown(reference), difference < 0 ? `−${shown(-difference)}` : shown(difference)];
}

interface Summary extends Readonly<Record<"frames" | "late" | "lateByWork" | "lateByBoth" | "lateByWaiting" | "over", number>> {
  /** Processor time of the main thread, ms a frame. */
  readonly own: Percentiles;
  /** Of the mean frame, ms. */
  readonly styles: number;
  readonly layout: number;
  readonly paint: number;
  readonly garbage: number;
}

function summaryOf(frames: readonly TracedFrame[]): Summary {
  const late = frames.filter(({ gapMs }) => gapMs > LATE_MS);
  const mean = (of: (frame: TracedFrame) => number): number => frames.reduce((sum, frame) => sum + of(frame), 0) / frames.length;
  return {
    frames: frames.length,
    late: late.length,
    lateByWork: late.filter(({ mainMs }) => mainMs > LATE_MS).length,
    lateByBoth: late.filter(({ mainMs }) => mainMs > FRAME_MS && mainMs <= LATE_MS).length,
    lateByWaiting: late.filter(({ mainMs }) => mainMs <= FRAME_MS).length,
    over: frames.filter(({ mainMs }) => mainMs > OWN_MS).length,
    own: percentiles(frames.map(({ mainMs }) => mainMs)),
    styles: mean(({ stylesMs }) => stylesMs),
    layout: mean(({ layoutMs }) => layoutMs),
    paint: mean(({ paintMs }) => paintMs),
    garbage: mean(({ garbageMs }) => garbageMs),
  };
}
