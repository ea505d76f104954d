// What a pair says around a content that leaves, and when something leaves only for that. Pure.
import { MAX_LOST_CARDS, type PairFrame, type ShownBox } from "#shared/content/pairs/pair-content.ts";
import { type BothClocks, elapsedMs } from "./counted-days.ts";
import type { OwnCard, PairState, TheirCard } from "./pair-state.ts";
import { ackOf } from "./received-chain.ts";
import { dueAgain, noteSealed } from "./sent-chain.ts";
import { boxFor } from "./their-box.ts";

const DAY_MS = 86_400_000;
/** A mark that is due later than this comes of a clock that was wrong. */
const LATEST_MARK_MS = 5_400_000;
/** In a chat that is in use something leaves at least so often. */
const WEEKLY_MS = 7 * DAY_MS;
/** The other device does so too: when nothing came for this long, its contents may be sealed to a card that is gone. */
const UNHEARD_MS = 14 * DAY_MS;
/** A card is shown outside of this format at most so often. */
const INTRODUCTIONS_APART_MS = 21_600_000;
/** How long a chat counts as in use. */
const IN_USE_MS = 60 * DAY_MS;

/** A content that leaves now: the state after it, and what is written around its body. */
export interface Leaving<Secret> {
  readonly state: PairState<Secret>;
  /** The card that it is sealed to. */
  readonly sealTo: TheirCard;
  /** The box that it goes to; undefined for the other device's lasting mailbox. */
  readonly box?: ShownBox | undefined;
  readonly frame: Pick<PairFrame, "stream" | "place" | "ack" | "after" | "lost">;
  /** The own card to show with it, where there is room. */
  readonly show: OwnCard<Secret> | undefined;
}

/**
 * Everything around a content with this position, or without one; undefined while the other device has shown no card. The state is to be
 * stored before the content leaves. `isStranger`: strangers get no acknowledgement.
 */
export function leave<Secret>(
  state: PairState<Secret>,
  place: number | undefined,
  { now, isStranger }: { readonly now: BothClocks; readonly isStranger: boolean },
): Leaving<Secret> | undefined {
  const { theirs, instance, after, lost } = state;
  const sealTo = theirs?.card;
  if (theirs === null || sealTo === null || sealTo === undefined) return undefined;
  const sent = noteSealed(state.sent, place, sealTo.id, now);
  const stream = { instance, last: sent.last, base: sent.base };
  const frame = {
    stream,
    ...(place === undefined ? {} : { place }),
    ...(isStranger ? {} : { ack: ackOf(theirs.chain) }),
    ...(after === null ? {} : { after }),
    ...(lost.length === 0 ? {} : { lost: lost.slice(0, MAX_LOST_CARDS) }),
  };
  const left = { ...state, sent, markAtMs: null };
  return { state: left, sealTo, box: boxFor(left, place), frame, show: state.cards.at(-1) };
}

/**
 * A content without position and words for the instance before the present one, which showed a new card: if it is there, it answers to a
 * card that was drawn since, and so is known as a copy. Undefined where nothing is asked of it.
 */
export function leaveToFormer<Secret>(state: PairState<Secret>): Leaving<Secret> | undefined {
  const { theirs, instance, sent, asksFormer } = state;
  const former = theirs?.former;
  if (!asksFormer || former === undefined || former === null || former.card === null) return undefined;
  // What was sealed to its earlier cards is not known any more: everything may have been.
  const frame = { stream: { instance, last: sent.last, base: sent.last }, ack: ackOf(former.chain) };
  return { state: { ...state, asksFormer: false }, sealTo: former.card, frame, show: state.cards.at(-1) };
}

/**
 * True when a content without position is to leave now: an acknowledgement is due, own words lie under an earlier card, or nothing left for
 * a week or ever. `usedAtMs`: when the chat was used last, by the own clock; null where it never was.
 */
export function isMarkDue<Secret>({ markAtMs, sent, theirs }: PairState<Secret>, now: BothClocks, usedAtMs: number | null): boolean {
  if (theirs?.card === null || theirs?.card === undefined) return false;
  if (markAtMs !== null) return markAtMs <= now.ownMs || markAtMs > now.ownMs + LATEST_MARK_MS;
  return isInUse(usedAtMs, now) && (sent.sealedAt === null || elapsedMs(sent.sealedAt, now) >= WEEKLY_MS);
}

/**
 * True when the newest own card is to be shown outside of this format too, to the lasting key of the other device and without words: this
 * instance has not shown one so yet, the other device has shown none, something is sent again that nobody asked for, or nothing of it came
 * for long in a chat that is in use, or while something waits. Both cards may be dead by then, and nothing else would open again.
 * `usedAtMs` as of {@link isMarkDue}.
 */
export function needsIntroduction<Secret>(state: PairState<Secret>, now: BothClocks, usedAtMs: number | null): boolean {
  const { theirs, sent, introducedAt } = state;
  const sinceMs = introducedAt === null ? Number.POSITIVE_INFINITY : elapsedMs(introducedAt, now);
  if (sinceMs < INTRODUCTIONS_APART_MS) return false;
  if (introducedAt === null || theirs?.card === null || theirs?.card === undefined) return true;
  if (dueAgain(sent, now, { isStranger: false, isSilent: isSilent(state, now) }).some(({ isAsked }) => !isAsked)) return true;
  const isWanted = isInUse(usedAtMs, now) || sent.waiting.some(({ isThere }) => !isThere);
  return sinceMs >= WEEKLY_MS && isWanted && elapsedMs(theirs.heardAt, now) >= UNHEARD_MS;
}

/** True when nothing of the other device came for 60 days, by both clocks: what waits is not sent unasked. */
export function isSilent<Secret>({ theirs }: PairState<Secret>, now: BothClocks): boolean {
  if (theirs === null) return true;
  const { ownMs, blockMs } = theirs.heardAt;
  return now.ownMs - ownMs >= IN_USE_MS && now.blockMs - blockMs >= IN_USE_MS;
}

function isInUse(usedAtMs: number | null, now: BothClocks): boolean {
  return usedAtMs !== null && Math.abs(now.ownMs - usedAtMs) < IN_USE_MS;
}
