// What a pair says around a content that leaves, what that is sealed to, and when something leaves only for what is around it. Pure.
import { MAX_LOST_CARDS, type PairFrame, type ShownBox } from "#shared/content/pairs/pair-content.ts";
import type { PairCard } from "#shared/protocol/pairs/pair-card.ts";
import { PUBLIC_PAIR_FORM } from "#shared/protocol/pairs/pair-wire.ts";
import { type BothClocks, elapsedMs } from "./counted-days.ts";
import { knowsNoLivingCard } from "./own-cards.ts";
import { isBound, type PairRecord } from "./pair-record.ts";
import type { OwnCard, PairState, TheirCard } from "./pair-state.ts";
import { ackOf } from "./received-chain.ts";
import { dueAgain, noteSealed, noteSealedPublic } from "./sent-chain.ts";
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
/** What did not open is answered under the other device's card. That one may be gone as well when nothing follows this long, ms. */
const ANSWERED_AFTER_MS = 600_000;
/** So long after something did not open a card is shown outside of this format. */
const UNOPENED_MS = 3 * DAY_MS;
/** How long a chat counts as in use. */
const IN_USE_MS = 60 * DAY_MS;

/** A card of the pair that was shown so long ago may be gone: a younger public one is better. */
export const OLD_CARD_MS = 2_160_000_000;
/** So often a content is sealed to cards of the pair: the first time, and the first time again. */
const TRIES_UNDER_PAIR = 2;

/** A content that leaves now: the state after it, and what is written around its body. */
export interface Leaving<Secret> {
  readonly state: PairState<Secret>;
  /** The card that it is sealed to. */
  readonly sealTo: PairCard;
  /** That is a public card of the other device. */
  readonly isPublic: boolean;
  /** The box that it goes to; undefined for the other device's lasting mailbox. */
  readonly box?: ShownBox | undefined;
  readonly frame: Pick<PairFrame, "stream" | "place" | "ack" | "after" | "lost">;
  /** The own card to show with it, where there is room. */
  readonly show: OwnCard<Secret> | undefined;
}

/**
 * Everything around a content with this position, or without one; undefined while the other device has shown no card. The state is to be
 * stored before the content leaves. `isStranger`: strangers get no acknowledgement. `publicCard`: a valid one of the other device, which gets
 * form 04, for contents that {@link prefersPublic}; they go to its lasting mailbox.
 */
export function leave<Secret>(
  state: PairState<Secret>,
  place: number | undefined,
  { now, isStranger, publicCard }: { readonly now: BothClocks; readonly isStranger: boolean; readonly publicCard?: PairCard | undefined },
): Leaving<Secret> | undefined {
  const { theirs, instance, after, lost } = state;
  const ofPair = theirs?.card;
  if (theirs === null || ofPair === null || ofPair === undefined) return undefined;
  const ofAll = publicCard !== undefined && prefersPublic(state, place, now) ? publicCard : undefined;
  const sealTo = ofAll ?? ofPair;
  const sent = (ofAll === undefined ? noteSealed : noteSealedPublic)(state.sent, place, sealTo.id, now);
  const stream = { instance, last: sent.last, base: sent.base };
  const frame = {
    stream,
    ...(place === undefined ? {} : { place }),
    ...(isStranger ? {} : { ack: ackOf(theirs.chain) }),
    ...(after === null ? {} : { after }),
    ...(lost.length === 0 ? {} : { lost: lost.slice(0, MAX_LOST_CARDS) }),
  };
  const left = { ...state, sent, markAtMs: null };
  const box = ofAll === undefined ? boxFor(left, place) : undefined;
  return { state: left, sealTo, isPublic: ofAll !== undefined, box, frame, show: state.cards.at(-1) };
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
  return { state: { ...state, asksFormer: false }, sealTo: former.card, isPublic: false, frame, show: state.cards.at(-1) };
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
 * instance has not shown one so yet, the other device has shown none, something is sent again that it did not ask for, what it sends does
 * not open and what it was answered has changed nothing, or nothing of it came for long in a chat that is in use, or while something waits.
 * Both cards may be dead by then, and nothing else would open again.
 * `usedAtMs` as of {@link isMarkDue}.
 */
export function needsIntroduction<Secret>(state: PairState<Secret>, now: BothClocks, usedAtMs: number | null): boolean {
  const { theirs, sent, introducedAt } = state;
  const sinceMs = introducedAt === null ? Number.POSITIVE_INFINITY : elapsedMs(introducedAt, now);
  if (sinceMs < INTRODUCTIONS_APART_MS) return false;
  if (introducedAt === null || theirs?.card === null || theirs?.card === undefined) return true;
  if (dueAgain(sent, now, { isStranger: false, isSilent: isSilent(state, now) }).some(({ isAsked }) => !isAsked)) return true;
  if (isUnopenedStill(state, now)) return true;
  const isWanted = isInUse(usedAtMs, now) || sent.waiting.some(({ isThere }) => !isThere);
  return sinceMs >= WEEKLY_MS && isWanted && elapsedMs(theirs.heardAt, now) >= UNHEARD_MS;
}

/** What came did not open, and the other device does not seem to have got the answer, which shows it a later card. */
function isUnopenedStill<Secret>(state: PairState<Secret>, now: BothClocks): boolean {
  if (state.unopenedAt === undefined || !knowsNoLivingCard(state)) return false;
  const sinceMs = elapsedMs(state.unopenedAt, now);
  return sinceMs >= ANSWERED_AFTER_MS && sinceMs < UNOPENED_MS;
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

/** True for a pair that may get form 04: a device whose program does not open it drops it. */
export function mayGetPublic(record: PairRecord): boolean {
  return isBound(record) && (record.opensForm ?? 0) >= PUBLIC_PAIR_FORM;
}

/**
 * True when a content that leaves now is to be sealed to a public card, where there is a valid one: its second retry and all that follow,
 * unless the other device asks for it, or has shown a card since it was sealed last; and whatever leaves while the newest card that it has
 * shown is old. A public card is valid for less time than that, so each is younger. `place`: as of the content; undefined for one without a
 * position.
 */
export function prefersPublic<Secret>({ theirs, sent }: PairState<Secret>, place: number | undefined, now: BothClocks): boolean {
  const card = theirs?.card;
  if (theirs === null || card === null || card === undefined) return false;
  if (elapsedMs(shownAt(card, theirs.heardAt), now) >= OLD_CARD_MS) return true;
  const entry = place === undefined ? undefined : sent.waiting.find(({ position }) => position === place);
  // Who asks has the newest card that is known of it, and texts under that close sooner.
  if (entry === undefined || (entry.isAsked && entry.isNotTaken !== true) || entry.tries < TRIES_UNDER_PAIR) return false;
  return !isLater(shownAt(card, theirs.heardAt), entry.sealedAt);
}

/** Of cards that were shown to an earlier version it is not known: they are as old as what came last at least. */
function shownAt(card: TheirCard, heardAt: BothClocks): BothClocks {
  return card.shownAt ?? heardAt;
}

/** By the time of the chain, which never goes back; within one block by the own clock. */
function isLater(one: BothClocks, other: BothClocks): boolean {
  return one.blockMs === other.blockMs ? one.ownMs > other.ownMs : one.blockMs > other.blockMs;
}
