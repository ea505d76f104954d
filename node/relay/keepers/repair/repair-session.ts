// The side of a repair that asks. It finds what another keeper of a slot has and this one lacks, and fetches it; what the other one lacks it
// fetches itself, in a repair of its own. Whatever the other side says, it ends within its budget, and keeps what came until then.
import type { MailDigest, RangeAnswer } from "#shared/protocol/mail/mail-messages.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import { type MailEntries, type MailEntry, positionOf, RANGE_DIGITS, type Range, SPLIT, splitRange } from "./mail-entries.ts";

/** What the session wants next of the other side, or how it ended. */
export type RepairStep =
  | { readonly is: "digest" }
  | { readonly is: "ranges"; readonly ranges: readonly Range[] }
  | { readonly is: "fetch"; readonly entries: readonly MailEntry[] }
  /** This side knows that owners have deleted these. */
  | { readonly is: "tellDeleted"; readonly entries: readonly MailEntry[] }
  | { readonly is: "end"; readonly outcome: RepairOutcome };

/**
 * - `equal`: both have the same.
 * - `done`: this side has all that it takes of the other one.
 * - `budget`: there is more than one session may bring. The next one continues with less.
 * - `lie`: no honest side says this.
 */
export type RepairOutcome = "equal" | "done" | "budget" | "lie";

/** What this side does about an entry that it lacks. */
export type EntryJudgement = "fetch" | "deleted" | "leave";

interface OpenRange {
  readonly range: Range;
  /** How many entries the other side has said that it has there. */
  readonly claimed: number;
}

/** One session. {@link next} says what to send, and one of the `take…` gets what came back. */
export class RepairSession {
  readonly #own: MailEntries;
  readonly #limits: KeeperLimits;
  readonly #judge: (entry: MailEntry) => EntryJudgement;
  #outcome: RepairOutcome | undefined;
  #passes = 0;
  #isCompared = false;
  readonly #ranges: OpenRange[] = [];
  readonly #wanted: MailEntry[] = [];
  readonly #deleted: MailEntry[] = [];
  /** Something was fetched or told since both sides were compared. */
  #hasMoved = false;
  #requests = 0;
  #entries = 0;
  #undelivered = 0;

  constructor(own: MailEntries, limits: KeeperLimits, judge: (entry: MailEntry) => EntryJudgement = (): EntryJudgement => "fetch") {
    this.#own = own;
    this.#limits = limits;
    this.#judge = judge;
  }

  /** Requests so far, and entries that were listed or fetched. */
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
    if (this.#deleted.length > 0) return { is: "tellDeleted", entries: this.#deleted.slice(0, entriesPerRequest) };
    return { is: "ranges", ranges: this.#ranges.slice(-rangesPerRequest).map(({ range }) => range) };
  }

  /** The other side's digest of everything. */
  takeDigest(theirs: MailDigest): void {
    this.#isCompared = true;
    if (!Number.isSafeInteger(theirs.count) || theirs.count < 0) this.#outcome = "lie";
    else if (isSame(this.#own.digest(""), theirs)) this.#outcome = "equal";
    else if (this.#passes > 0 && !this.#hasMoved) this.#outcome = "done";
    else if (this.#passes >= this.#limits.sessionPasses) this.#outcome = "budget";
    this.#passes += 1;
    this.#hasMoved = false;
    this.#ranges.push({ range: "", claimed: theirs.count });
  }

  /** Answers of the ranges that were asked last. */
  takeRanges(answers: readonly RangeAnswer[]): void {
    const asked = this.#ranges.splice(-this.#limits.rangesPerRequest);
    const isTrue = answers.length === asked.length && asked.every((open, at) => this.#takeAnswer(open, answers[at]));
    if (!isTrue) this.#outcome = "lie";
    this.#compareAgain();
  }

  /** Which of the fetched entries came, and which of these were stored; the other side listed all of them. */
  takeFetched(came: readonly MailEntry[], stored: readonly MailEntry[]): void {
    const asked = new Set(this.#wanted.splice(0, this.#limits.entriesPerRequest).map(positionOf));
    for (const entry of stored) if (asked.has(positionOf(entry)) && this.#own.add(entry)) this.#hasMoved = true;
    for (const entry of came) asked.delete(positionOf(entry));
    this.#undelivered += asked.size;
    if (this.#undelivered > this.#limits.undelivered) this.#outcome = "lie";
    this.#compareAgain();
  }

  /** The other side was told what is deleted. */
  takeTold(): void {
    this.#deleted.splice(0, this.#limits.entriesPerRequest);
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
    for (const entry of entries) {
      if (this.#own.find(entry) !== undefined) continue;
      const judgement = this.#judge(entry);
      if (judgement === "fetch") this.#wanted.push(entry);
      else if (judgement === "deleted") this.#deleted.push(entry);
    }
    this.#entries += entries.length;
    return true;
  }

  #takeSplit({ range, claimed }: OpenRange, digests: readonly MailDigest[]): boolean {
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
    if (this.#ranges.length + this.#wanted.length + this.#deleted.length === 0) this.#isCompared = false;
  }
}

function isSame(a: MailDigest, b: MailDigest): boolean {
  return a.count === b.count && a.fingerprint === b.fingerprint;
}
