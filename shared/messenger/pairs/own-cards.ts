// Cards that this device drew for the other one, and when the secret of each goes. Pure: drawing and destroying are the caller's.
import type { MessageId } from "#shared/content/content.ts";
import { MAX_LOST_CARDS } from "#shared/content/pairs/pair-content.ts";
import { cardId, cardNumber, MAX_CARD_NUMBER } from "#shared/protocol/pairs/card-id.ts";
import { type BothClocks, COUNTED_DAY_MS, elapsedMs } from "./counted-days.ts";
import { MAX_CARDS, MAX_HELD_IDS, type OwnCard, type PairState } from "./pair-state.ts";

/** Cards are drawn at most so often, by the own clock alone: how often they are is up to no node. */
const DRAWING_MS = 60_000;
/** An earlier card goes so many counted days after a later one was handed in. */
export const CARD_GRACE_DAYS = 3;

/**
 * - `living`: it can be opened with.
 * - `gone`: its secret was destroyed: what was sealed to it has to be sealed again.
 * - `never`: this instance did not draw it. Only an older state of this device does not know it.
 * - `foreign`: a card of another pair or instance.
 */
export type CardStatus = "living" | "gone" | "never" | "foreign";

/** What is known of a card that something was sealed to. */
export function cardStatus<Secret>({ instance, cards, nextNumber }: PairState<Secret>, id: string): CardStatus {
  const number = cardNumber(instance, id);
  if (number === undefined) return "foreign";
  if (cards.some((card) => card.number === number)) return "living";
  return number < nextNumber ? "gone" : "never";
}

/** The living card of an id. */
export function livingCard<Secret>({ instance, cards }: PairState<Secret>, id: string): OwnCard<Secret> | undefined {
  const number = cardNumber(instance, id);
  return cards.find((card) => card.number === number);
}

/** True when a card is to be drawn before the next content leaves: the newest one was sealed to, or is a day old by either clock. At most once a minute. */
export function needsCard<Secret>({ cards, nextNumber }: PairState<Secret>, now: BothClocks): boolean {
  const newest = cards.at(-1);
  if (nextNumber > MAX_CARD_NUMBER) return false;
  if (newest === undefined) return true;
  if (Math.abs(now.ownMs - newest.drawnAt.ownMs) < DRAWING_MS) return false;
  return newest.isSealedTo || elapsedMs(newest.drawnAt, now) >= COUNTED_DAY_MS;
}

/** Id of the card that is drawn next. */
export function nextCardId<Secret>({ instance, nextNumber }: PairState<Secret>): string {
  return cardId(instance, nextNumber);
}

/** The card of {@link nextCardId} was drawn; beyond {@link MAX_CARDS} the oldest goes. */
export function addCard<Secret>(state: PairState<Secret>, secret: Secret, now: BothClocks): PairState<Secret> {
  const card = {
    number: state.nextNumber,
    secret,
    drawnAt: now,
    handedInDay: null,
    isSealedTo: false,
    base: null,
    held: [],
    holdsMore: false,
  };
  return { ...state, cards: [...state.cards, card].slice(-MAX_CARDS), nextNumber: state.nextNumber + 1 };
}

/** A mailbox took a content that shows a card. */
export function noteHandedIn<Secret>(state: PairState<Secret>, id: string, day: number): PairState<Secret> {
  return withCard(state, id, (card) => (card.handedInDay === null ? { ...card, handedInDay: day } : card));
}

/** Something was opened with a card. `id`: of the message whose words are in it; undefined where none are. */
export function noteOpened<Secret>(
  state: PairState<Secret>,
  id: string,
  content: { readonly id: MessageId | undefined; readonly hasPlace: boolean; readonly instance: string; readonly base: number },
): PairState<Secret> {
  return withCard(state, id, (card) => ({
    ...card,
    isSealedTo: card.isSealedTo || content.hasPlace,
    base: { instance: content.instance, position: content.base },
    ...(content.hasPlace && content.id !== undefined && withHeld(card, content.id)),
  }));
}

function withHeld<Secret>({ held, holdsMore }: OwnCard<Secret>, id: MessageId): Pick<OwnCard<Secret>, "held" | "holdsMore"> {
  if (held.includes(id)) return { held, holdsMore };
  return { held: [...held, id].slice(-MAX_HELD_IDS), holdsMore: holdsMore || held.length === MAX_HELD_IDS };
}

/** Something did not open with a card of this pair: the other device is told, and seals again. */
export function noteUnopened<Secret>(state: PairState<Secret>, id: string): PairState<Secret> {
  return state.lost.includes(id) ? state : { ...state, lost: [...state.lost, id].slice(-MAX_LOST_CARDS) };
}

/**
 * True while the other device is not known to know a card that still opens: something of it came under one that is gone, and nothing under a
 * later one that is there.
 */
export function knowsNoLivingCard<Secret>({ instance, cards, lost }: PairState<Secret>): boolean {
  const used = cards.findLast(({ base }) => base !== null)?.number ?? 0;
  return lost.some((id) => (cardNumber(instance, id) ?? 0) > used);
}

/**
 * The state without cards whose time is over: something came under a later one and everything before it is here, or a later one was handed
 * in days ago.
 */
export function retireCards<Secret>(state: PairState<Secret>, day: number): PairState<Secret> {
  const { cards, theirs } = state;
  const isRead = ({ base }: OwnCard<Secret>): boolean =>
    base !== null && theirs !== null && base.instance === theirs.chain.instance && base.position <= theirs.chain.upTo;
  const isOld = ({ handedInDay }: OwnCard<Secret>): boolean => handedInDay !== null && day >= handedInDay + CARD_GRACE_DAYS;
  const first = cards.findLastIndex((card) => isRead(card) || isOld(card));
  const newest = cards.at(-1);
  // Nothing that was sealed to an earlier card is missing, so nothing has to be sealed again.
  const lost = newest !== undefined && isRead(newest) ? [] : state.lost;
  return first <= 0 && lost.length === state.lost.length ? state : { ...state, cards: cards.slice(Math.max(0, first)), lost };
}

/**
 * Contents were deleted, or have disappeared, and the mailboxes are read to the end: the cards that they came under go, also the newest.
 * What was sealed to one of them since comes again.
 */
export function forgetContents<Secret>(state: PairState<Secret>, ids: readonly MessageId[]): PairState<Secret> {
  const gone = new Set(ids);
  const cards = state.cards.filter(({ held, holdsMore }) => !holdsMore && !held.some((id) => gone.has(id)));
  return cards.length === state.cards.length ? state : { ...state, cards };
}

function withCard<Secret>(state: PairState<Secret>, id: string, change: (card: OwnCard<Secret>) => OwnCard<Secret>): PairState<Secret> {
  const card = livingCard(state, id);
  return card === undefined ? state : { ...state, cards: state.cards.map((other) => (other === card ? change(other) : other)) };
}
