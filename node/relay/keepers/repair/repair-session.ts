// The side of a repair that asks. It finds in which entries two keepers of a slot differ, fetches what it lacks and gives what the other
// lacks, until their fingerprints are equal. Whatever the other side says, it ends within its budget, and keeps what came until then.
import type { KeeperLimits } from "../keeper-limits.ts";
import type { RangeAnswer } from "./answer-ranges.ts";
import {
  type MailEntries,
  type MailEntry,
  positionOf,
  RANGE_DIGITS,
  type Range,
  type RangeDigest,
  SPLIT,
  splitRange,
} from "./mail-entries.ts";

/** What the session wants next of the other side, or how it ended. */
export type RepairStep =
  | { readonly is: "digest" }
  | { readonly is: "ranges"; readonly ranges: readonly Range[] }
  | { readonly is: "fetch"; readonly entries: readonly MailEntry[] }
  | { readonly is: "give"; readonly entries: readonly MailEntry[] }
  | { readonly is: "end"; readonly outcome: RepairOutcome };

/**
 * - `equal`: both have the same.
 * - `budget`: there is more than one session may bring, or the other side does not take what it lacks. The next one continues with less.
 * - `lie`: no honest side says this.
 */
export type RepairOutcome = "equal" | "budget" | "lie";

interface OpenRange {
  readonly range: Range;
  /** How many entries the other side has said that it has there. */
  readonly claimed: number;
}

/** One session. {@link next} says what to send, and one of the `take…` gets what came back. */
export class RepairSession {
  readonly #own: MailEntries;
  readonly #limits: KeeperLimits;
  #outcome: RepairOutcome | undefined;
  #passes = 0;
  #isCompared = false;
  readonly #ranges: OpenRange[] = [];
  readonly #wanted: MailEntry[] = [];
  readonly #given: MailEntry[] = [];
  #requests = 0;
  #entries = 0;
  #undelivered = 0;

  constructor(own: MailEntries, limits: KeeperLimits) {
    this.#own = own;
    this.#limits = limits;
  }

  /** Requests so far, and entries that were listed, fetched or given. */
  get spent(): { readonly requests: number; readonly entries: number } {
    return { requests: this.#requests, entries: this.#entries };
  }

  /** The next request. What it names is under way until its answer was taken. */
  next(): RepairStep {
    const { rangesPerRequest, entriesPerRequest } = this.#limits;
    if (this.#outcome === undefined && this.#isSpent()) this.#outcome = "budget";
    if (this.#outcome !== undefined) return { is: "end", outcome: this.#outcome };
    this.#requests += 1;
    if (!this.#isCompared) return { is: "digest" };
    if (this.#wanted.length > 0) return { is: "fetch", entries: this.#wanted.slice(0, entriesPerRequest) };
    if (this.#given.length > 0) return { is: "give", entries: this.#given.slice(0, entriesPerRequest) };
    return { is: "ranges", ranges: this.#ranges.slice(-rangesPerRequest).map(({ range }) => range) };
  }

  /** The other side's digest of everything. */
  takeDigest(theirs: RangeDigest): void {
    this.#isCompared = true;
    if (!Number.isSafeInteger(theirs.count) || theirs.count < 0) this.#outcome = "lie";
    else if (isSame(this.#own.digest(""), theirs)) this.#outcome = "equal";
    else if (this.#passes >= this.#limits.sessionPasses) this.#outcome = "budget";
    this.#passes += 1;
    this.#ranges.push({ range: "", claimed: theirs.count });
  }

  /** Answers of the ranges that were asked last. */
  takeRanges(answers: readonly RangeAnswer[]): void {
    const asked = this.#ranges.splice(-this.#limits.rangesPerRequest);
    const isTrue = answers.length === asked.length && asked.every((open, at) => this.#takeAnswer(open, answers[at]));
    if (!isTrue) this.#outcome = "lie";
    this.#compareAgain();
  }

  /** Which of the fetched entries came and were stored; the other side listed all of them. */
  takeFetched(stored: readonly MailEntry[]): void {
    const asked = new Set(this.#wanted.splice(0, this.#limits.entriesPerRequest).map(positionOf));
    for (const entry of stored) if (asked.delete(positionOf(entry))) this.#own.add(entry);
    this.#undelivered += asked.size;
    if (this.#undelivered > this.#limits.undelivered) this.#outcome = "lie";
    this.#compareAgain();
  }

  /** What was given has been taken, or refused: that is the other side's affair. */
  takeGiven(): void {
    this.#given.splice(0, this.#limits.entriesPerRequest);
    this.#compareAgain();
  }

  #isSpent(): boolean {
    return this.#requests >= this.#limits.sessionRequests || this.#entries >= this.#limits.sessionEntries;
  }

  /** False when no honest side says this. */
  #takeAnswer(open: OpenRange, answer: RangeAnswer | undefined): boolean {
    if (answer === undefined) return false;
    return answer.is === "list" ? this.#takeList(open, answer.entries) : this.#takeSplit(open, answer.digests);
  }

  #takeList({ range }: OpenRange, entries: readonly MailEntry[]): boolean {
    const positions = entries.map(positionOf);
    const isOrdered = positions.every((position, at) => position.startsWith(range) && (at === 0 || position > (positions[at - 1] ?? "")));
    if (!isOrdered || entries.length > this.#limits.listedEntries) return false;
    const before = this.#given.length;
    const theirs = new Map(positions.map((position, at) => [position, entries[at]]));
    for (const entry of entries) {
      const own = this.#own.find(entry);
      if (own === undefined || (entry.deleted && !own.deleted)) this.#wanted.push(entry);
    }
    for (const own of this.#own.list(range)) {
      const entry = theirs.get(positionOf(own));
      if (entry === undefined || (own.deleted && !entry.deleted)) this.#given.push(own);
    }
    this.#entries += entries.length + this.#given.length - before;
    return true;
  }

  #takeSplit({ range, claimed }: OpenRange, digests: readonly RangeDigest[]): boolean {
    const { listedEntries } = this.#limits;
    if (range.length >= RANGE_DIGITS || digests.length !== SPLIT || digests.some(({ count }) => !Number.isSafeInteger(count) || count < 0))
      return false;
    const total = digests.reduce((sum, { count }) => sum + count, 0);
    // Some may have come since: as many again at most, else depth and width would be without an end.
    if (total <= listedEntries || total > 2 * Math.max(claimed, listedEntries)) return false;
    for (const [at, part] of splitRange(range).entries()) {
      const theirs = digests[at];
      if (theirs !== undefined && !isSame(this.#own.digest(part), theirs)) this.#ranges.push({ range: part, claimed: theirs.count });
    }
    return true;
  }

  /** Once nothing is open, both sides are compared again. */
  #compareAgain(): void {
    if (this.#ranges.length + this.#wanted.length + this.#given.length === 0) this.#isCompared = false;
  }
}

function isSame(a: RangeDigest, b: RangeDigest): boolean {
  return a.count === b.count && a.fingerprint === b.fingerprint;
}
