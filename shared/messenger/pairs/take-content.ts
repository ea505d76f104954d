// One step of a pair for each content that was opened, and for what did not open. Pure: the same content twice changes nothing more.
import type { MessageId } from "#shared/content/content.ts";
import type { PairAck, PairStream, PositionRange, ShownBox } from "#shared/content/pairs/pair-content.ts";
import { cardNumber } from "#shared/protocol/pairs/card-id.ts";
import { cardDigest, type PairCard } from "#shared/protocol/pairs/pair-card.ts";
import type { BothClocks } from "./counted-days.ts";
import { cardStatus, noteOpened, noteUnopened, retireCards } from "./own-cards.ts";
import { MAX_PAST_INSTANCES, type PairState, type TheirCard, type TheirInstance, type TheirSide } from "./pair-state.ts";
import { emptyChain, hasCome, takePlace } from "./received-chain.ts";
import { askForCards, liesUnderEarlierCard, readAck } from "./sent-chain.ts";
import { withBoxNews } from "./their-box.ts";

/** An acknowledgement that nothing else carries leaves so long after what it is for, ms. */
const ACK_AFTER_MS = [2_000, 20_000] as const;
/** So long after a newer card is known, a content under it lets the other device destroy the secrets of earlier ones, ms. */
const MARK_AFTER_MS = [1_800_000, 5_400_000] as const;

/** Who still writes version 1 so long after a card was shown does not know it, ms. */
const INTRODUCED_AGAIN_MS = 60_000;

/** A content that was opened, as far as a pair is concerned. Its card has been checked. */
export interface OpenedContent {
  /** Id of the own card of the pair that it was sealed to; empty for what came under another key, as a public card. */
  readonly cardId: string;
  readonly id: MessageId;
  /** The message whose words it has, where that is another one: they go together. */
  readonly wordsOf?: MessageId | undefined;
  /** It has words though it has no position: a copy that a node held until its time. */
  readonly isKept?: boolean;
  /** It takes a message back, often under that message's id and position: there is nothing in it that its card would have to go for. */
  readonly isDeletion?: boolean;
  /** Milliseconds since 1970, its author's clock. */
  readonly at: number;
  readonly stream: PairStream;
  readonly place?: number | undefined;
  readonly ack?: PairAck | undefined;
  readonly card?: PairCard | undefined;
  readonly box?: ShownBox | undefined;
  /** Number of the own box in which it came; absent for the lasting mailbox. */
  readonly cameIn?: number | undefined;
  readonly lost?: readonly string[] | undefined;
  /** Positions that are gone for good, with the ids of what was there. */
  readonly gone?: readonly { readonly position: number; readonly id: MessageId }[] | undefined;
}

/** When it came. */
export interface StepContext {
  readonly now: BothClocks;
  /** Counted day. */
  readonly day: number;
  /** Of the person of the other device. Strangers are not acknowledged. */
  readonly isStranger: boolean;
  /** From 0 to 1, drawn for this step. */
  readonly spread: number;
}

/** What came of it. */
export interface Taken<Secret> {
  readonly state: PairState<Secret>;
  /** Own contents that the other device has now. */
  readonly acked: readonly MessageId[];
  /** Own positions that an instance of the other device lacks which others had: they wait again, as far as they are known. */
  readonly lacking: readonly PositionRange[];
  /** This device was set back to an earlier state, or copied: it goes on under another instance. */
  readonly isSetBack: boolean;
  /** Its position came for the first time, and is taken. False for one of a chain that is not remembered any more, and without a position. */
  readonly isNew: boolean;
}

type Read<Secret> = Omit<Taken<Secret>, "isNew">;

/** A content was opened, and is stored with the state that comes of it. */
export function takeContent<Secret>(state: PairState<Secret>, content: OpenedContent, context: StepContext): Taken<Secret> {
  const { stream, id, wordsOf = id, place, lost = [], box, cameIn = null } = content;
  const opened = noteOpened(state, content.cardId, {
    id: content.isDeletion === true ? undefined : wordsOf,
    hasPlace: place !== undefined || content.isKept === true,
    instance: stream.instance,
    base: stream.base,
  });
  const turn = turnTo(opened, content, context);
  const received = receive(turn, content, context.now);
  const isCopied = opened.isCopied || turn.isCopied || received.isOfCopy;
  const isLate = !turn.isPresent && received.theirs.former?.chain.instance === stream.instance;
  // Another one may have taken its place that has shown no card: nothing can be asked of that. Nor is a stranger asked, who would learn by it
  // that this device is there and what it has.
  const isLateNews = isLate && received.isNewCard && !context.isStranger;
  const asksFormer = (opened.asksFormer || isLateNews) && received.theirs.former?.card != null;
  const told: PairState<Secret> = { ...opened, theirs: received.theirs, sent: askForCards(opened.sent, lost), isCopied, asksFormer };
  const read = turn.isPresent
    ? withAck(withBoxNews(told, { instance: stream.instance, box, cameIn }), content, context)
    : nothingRead(told);
  return { ...read, state: retireCards(withMark(read.state, content, context), context.day), isNew: received.isNew };
}

/**
 * Something that was sealed to a card of this pair did not open, or its card is not there. A card that was never drawn, or is there and another,
 * sets the pair back, at once and on that word alone, which {@link renewInstance} takes once a counted day. A disk that was put back is only
 * helped so: the other device seals to cards that are gone here, and the next ones would have the same numbers with other keys, so asking first
 * would ask under cards that neither opens, and waiting for a second one would wait for as long.
 *
 * The id of a card is in the box, which opens for the person alone, and begins with 32 bits of the instance. So it is the other device that
 * says it, or who has its keys. If it lies, what it gets is its own mail of 90 days, 4,096 contents at most, once a day; no other pair changes.
 * Of honest ones nothing is lost: what is on its way to the former cards is not acknowledged, and comes again.
 */
export function takeUnopened<Secret>(
  state: PairState<Secret>,
  cardId: string,
  context: StepContext,
): { readonly state: PairState<Secret>; readonly isSetBack: boolean } {
  const status = cardStatus(state, cardId);
  if (status === "foreign") return { state, isSetBack: false };
  const told = noteUnopened(state, cardId);
  // It is said with everything that leaves: who lays the same into the mailbox again makes nothing more leave.
  const next = told === state ? state : { ...dueBy(told, ACK_AFTER_MS, context), unopenedAt: context.now };
  return { state: next, isSetBack: status !== "gone" };
}

/**
 * The other device wrote version 1, though it has shown a card: it does not know one of this device, or not that this one knows its. The
 * card is shown again, and something leaves that is sealed to the other device's.
 */
export function takeOlderVersion<Secret>(state: PairState<Secret>, context: StepContext): PairState<Secret> {
  if (state.theirs?.card == null || context.isStranger) return state;
  const { introducedAt } = state;
  const isLost = introducedAt !== null && Math.abs(context.now.ownMs - introducedAt.ownMs) >= INTRODUCED_AGAIN_MS;
  return dueBy(isLost ? { ...state, introducedAt: null } : state, ACK_AFTER_MS, context);
}

interface Turn {
  readonly theirs: TheirSide;
  /** The content is of the present instance; else of one that was followed by another. */
  readonly isPresent: boolean;
  readonly isCopied: boolean;
}

/**
 * The side of the instance that wrote. One that is not known becomes the present one. One that was followed by another writes late, or was
 * copied: what it sealed to a card that was drawn since then it cannot have written before.
 */
function turnTo<Secret>(state: PairState<Secret>, { cardId, stream: { instance } }: OpenedContent, { now }: StepContext): Turn {
  const { theirs, nextNumber } = state;
  const fresh: TheirInstance = { chain: emptyChain(instance), card: null, sinceCard: nextNumber };
  if (theirs === null) return { theirs: { ...fresh, former: null, past: [], heardAt: now }, isPresent: true, isCopied: false };
  if (theirs.chain.instance === instance) return { theirs: { ...theirs, heardAt: now }, isPresent: true, isCopied: false };
  const { chain, card, sinceCard, former, past } = theirs;
  const present: TheirInstance = { chain, card, sinceCard };
  const isFollowed = past.includes(instance);
  const isCopied = isFollowed && (cardNumber(state.instance, cardId) ?? 0) >= sinceCard;
  if (isFollowed && !isCopied) return { theirs, isPresent: false, isCopied };
  const returned = former?.chain.instance === instance ? { ...former, sinceCard: nextNumber } : fresh;
  const names = [chain.instance, ...past.filter((name) => name !== chain.instance && name !== instance)].slice(0, MAX_PAST_INSTANCES);
  return { theirs: { ...returned, former: present, past: names, heardAt: now }, isPresent: true, isCopied };
}

/** The side of the instance that wrote, with the position and the card of a content. */
function receive(
  { theirs, isPresent }: Turn,
  { id, place, stream, card, gone = [] }: OpenedContent,
  now: BothClocks,
): { readonly theirs: TheirSide; readonly isOfCopy: boolean; readonly isNewCard: boolean; readonly isNew: boolean } {
  const before: TheirInstance | null = isPresent ? theirs : theirs.former;
  if (before?.chain.instance !== stream.instance) return { theirs, isOfCopy: false, isNewCard: false, isNew: false };
  let { chain } = before;
  for (const { position, id: goneId } of gone) chain = takePlace(chain, position, goneId);
  if (place !== undefined) chain = takePlace(chain, place, id);
  const shown = withShownCard(before.card, { instance: stream.instance, shown: card, now });
  const after = { ...before, chain, card: shown.card };
  const isNewCard = shown.card !== before.card;
  const isNew = place !== undefined && !hasCome(before.chain, place) && hasCome(chain, place);
  const side = isPresent ? { ...theirs, chain, card: shown.card } : { ...theirs, former: after };
  return { theirs: side, isOfCopy: shown.isOfCopy, isNewCard, isNew };
}

/**
 * An acknowledgement is due soon, and so is a first content where none left yet: it shows a card for those that come. One content under a
 * newer card than those under which own words lie, later.
 */
function withMark<Secret>(state: PairState<Secret>, { place, card }: OpenedContent, context: StepContext): PairState<Secret> {
  const newest = state.theirs?.card ?? null;
  const isFirst = newest !== null && state.sent.sealedAt === null;
  const answered = (place !== undefined || isFirst) && !context.isStranger ? dueBy(state, ACK_AFTER_MS, context) : state;
  const isUnderEarlier = card !== undefined && newest !== null && liesUnderEarlierCard(answered.sent, newest.id);
  return isUnderEarlier ? dueBy(answered, MARK_AFTER_MS, context) : answered;
}

/** The newest card of an instance, with one that it shows now. */
function withShownCard(
  known: TheirCard | null,
  { instance, shown, now }: { readonly instance: string; readonly shown: PairCard | undefined; readonly now: BothClocks },
): { readonly card: TheirCard | null; readonly isOfCopy: boolean } {
  const number = shown && cardNumber(instance, shown.id);
  if (shown === undefined || number === undefined) return { card: known, isOfCopy: false };
  if (known !== null && number <= known.number)
    return { card: known, isOfCopy: number === known.number && cardDigest(known) !== cardDigest(shown) };
  const { id, kem, x, psk } = shown;
  return { card: { id, kem, x, psk, number, shownAt: now }, isOfCopy: false };
}

function withAck<Secret>(state: PairState<Secret>, { ack, at, stream }: OpenedContent, { now, day }: StepContext): Read<Secret> {
  if (ack?.instance !== state.instance) return nothingRead(state);
  const reading = readAck(state.sent, ack, { by: stream.instance, atMs: at, day }, now);
  if (reading.kind === "contradiction") return { ...nothingRead(state), isSetBack: true };
  const isKnown = ack.upTo > 0 || ack.ranges.length > 0;
  const read = { ...state, sent: reading.chain, after: isKnown ? null : state.after };
  return { state: read, acked: reading.acked, lacking: reading.lacking, isSetBack: false };
}

function nothingRead<Secret>(state: PairState<Secret>): Read<Secret> {
  return { state, acked: [], lacking: [], isSetBack: false };
}

/** A mark leaves within this time, unless one is due earlier. */
function dueBy<Secret>(
  state: PairState<Secret>,
  [least, most]: readonly [number, number],
  { now, spread }: StepContext,
): PairState<Secret> {
  const dueMs = now.ownMs + least + spread * (most - least);
  return { ...state, markAtMs: Math.min(state.markAtMs ?? dueMs, dueMs) };
}
