// Parts of a transfer that are on their way: which of them the old device sends next, and in which order the new one takes those that came.
// Marks alone say where one is: both sides may forget all of this at any time.
import type { LinkPart } from "#shared/linking/link-message.ts";

/** What the new device asks for: parts after a mark, of which so many may be on their way. */
export interface Wanted {
  readonly after: string;
  readonly ahead: number;
  /** What was sent after the mark is sent again. */
  readonly again: boolean;
}

/** What the old device has sent, and the new one has not acknowledged. */
export class SentParts {
  /** Where the first of them begins; undefined before anything was asked for in this run. */
  #from: string | undefined;
  /** Marks behind each of them, in order. */
  #marks: string[] = [];
  #isOver = false;

  /** How many parts to send now, and after which mark. */
  next({ after, ahead, again }: Wanted): { readonly mark: string; readonly count: number } {
    const arrived = this.#marks.indexOf(after);
    if (again || (after !== this.#from && arrived === -1)) this.forget(after);
    else if (after !== this.#from) {
      this.#from = after;
      this.#marks.splice(0, arrived + 1);
    }
    return { mark: this.#marks.at(-1) ?? after, count: this.#isOver ? 0 : Math.max(0, ahead - this.#marks.length) };
  }

  note({ next, isLast }: Pick<LinkPart, "next" | "isLast">): void {
    this.#marks.push(next);
    this.#isOver = isLast;
  }

  /** Nothing is under way, as when sending has failed: the next request begins at its own mark. */
  forget(from?: string): void {
    this.#from = from;
    this.#marks = [];
    this.#isOver = false;
  }
}

/** What came before its turn. */
export class ReceivedParts {
  readonly #most: number;
  /** By the marks at which they begin. */
  readonly #waiting = new Map<string, LinkPart>();

  /** `most`: parts in memory; what came first goes for more. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Keeps a part, unless it lies behind what is `done` already. */
  add(part: LinkPart, done: number): void {
    if (part.done < done) return;
    this.#waiting.set(part.from, part);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > this.#most && oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** The parts that follow a mark without a gap, at most so many; they are not kept any more. */
  take(after: string, most: number): readonly LinkPart[] {
    const parts: LinkPart[] = [];
    let mark = after;
    for (let part = this.#waiting.get(mark); part !== undefined && parts.length < most; part = this.#waiting.get(mark)) {
      this.#waiting.delete(mark);
      parts.push(part);
      mark = part.next;
    }
    return parts;
  }

  clear(): void {
    this.#waiting.clear();
  }
}

/** Parts that are asked for before it is known how fast they come. */
export const FIRST_AHEAD = 8;
/** Parts that are on their way at most: 5.5 MB as envelopes. */
export const MOST_AHEAD = 24;
const MORE_AHEAD = 4;
/** More are asked for while those of one request come within this time. */
const FAST_MS = 1_500;
/** What was asked for and does not come is asked for again, after twice as long each time: the way may be full of it. */
const ASK_AGAIN_MS = 6_000;
/** Where much came in little time, silence is noticed sooner. */
const FAST_ASK_AGAIN_MS = 2_000;
const LAST_ASK_AGAIN_MS = 300_000;

/** When the new device asks, and for how much. Times are monotonic milliseconds. */
export class AskingPace {
  #ahead = FIRST_AHEAD;
  /** Whether the old device knows `ahead`; else it sends what one request says, and nothing more until the next. */
  #isSteady = false;
  #came = 0;
  #tries = 0;
  #askedAtMs: number | undefined;
  #cameAtMs = 0;

  /** Parts came, from a device that knows `ahead` or does not. */
  note(parts: number, isSteady: boolean, nowMs: number): void {
    this.#came += parts;
    this.#tries = 0;
    this.#cameAtMs = nowMs;
    this.#isSteady = isSteady;
  }

  /** What to ask for now; undefined while that is not due. `isQuiet`: nothing came with the last look at the mailbox. */
  due(isQuiet: boolean, nowMs: number): Pick<Wanted, "ahead" | "again"> | undefined {
    // What is in the mailbox from before is read first.
    if (this.#askedAtMs === undefined) return isQuiet ? this.#ask(true, nowMs) : undefined;
    if (this.#came >= (this.#isSteady ? this.#ahead / 4 : FIRST_AHEAD)) {
      if (nowMs - this.#askedAtMs <= FAST_MS) this.#ahead = Math.min(MOST_AHEAD, this.#ahead + MORE_AHEAD);
      return this.#ask(false, nowMs);
    }
    const firstMs = this.#ahead === MOST_AHEAD ? FAST_ASK_AGAIN_MS : ASK_AGAIN_MS;
    const againMs = Math.min(LAST_ASK_AGAIN_MS, firstMs * 2 ** Math.max(0, this.#tries - 1));
    return isQuiet && nowMs - Math.max(this.#askedAtMs, this.#cameAtMs) >= againMs ? this.#ask(true, nowMs) : undefined;
  }

  /** Nothing is on its way, as of a store that had no room. */
  reset(): void {
    this.#askedAtMs = undefined;
    this.#came = 0;
    this.#tries = 0;
  }

  #ask(again: boolean, nowMs: number): Pick<Wanted, "ahead" | "again"> {
    if (again && this.#askedAtMs !== undefined) this.#ahead = FIRST_AHEAD;
    this.#askedAtMs = nowMs;
    this.#came = 0;
    this.#tries += again ? 1 : 0;
    return { ahead: this.#ahead, again };
  }
}
