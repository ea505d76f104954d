// Contents that leave in the chain of a pair: positions, the card they are sealed to, and what is said with them. All of it is stored with the
// change, before anything leaves.
import type { InstanceCard, MessageId } from "#shared/content/content.ts";
import type { PairFrame, ShownBox } from "#shared/content/pairs/pair-content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PairCard, ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import { type PublicCard, sealableCard } from "#shared/protocol/pairs/public-card.ts";
import type { GivenPlace, SentRecord } from "../../model/records.ts";
import type { BothClocks } from "../../pairs/counted-days.ts";
import { boxToTell } from "../../pairs/own-boxes.ts";
import { livingCard, noteHandedIn } from "../../pairs/own-cards.ts";
import { type PairRecord, shownCardOf } from "../../pairs/pair-record.ts";
import type { Unacknowledged } from "../../pairs/pair-state.ts";
import { type Leaving, leave, mayGetPublic, needsIntroduction } from "../../pairs/send-content.ts";
import { givePlaces, noteNotTaken } from "../../pairs/sent-chain.ts";
import { isBoxToTell } from "../../pairs/their-box.ts";
import type { Change } from "../change.ts";
import { isUnacknowledged, type PairContext, usedAtMs } from "./pair-context.ts";

/** What is written around a content that leaves now, and what it is sealed to. */
export interface LeavingContent {
  readonly id: MessageId;
  /** Undefined for a content that is not missed. */
  readonly position: number | undefined;
  readonly sealTo: PairCard;
  /** That is a public card of the device. */
  readonly isPublic: boolean;
  readonly frame: Pick<PairFrame, "stream" | "place" | "ack" | "after" | "lost">;
  /** The own card to show with it, where there is room. */
  readonly shown: ShownCard | undefined;
  /** The own box to tell with it, where there is room. */
  readonly told?: ShownBox | undefined;
  /** The box that it goes to; undefined for the device's lasting mailbox. */
  readonly box?: ShownBox | undefined;
}

/** A content for the chain of a pair, and the position that it has been given there. */
export interface PlacedContent {
  readonly id: MessageId;
  readonly given: GivenPlace | undefined;
  /** A valid public card of the device. */
  readonly publicCard?: PublicCard | undefined;
  /** What is remembered of it under its position. */
  readonly sent: SentRecord;
}

/** What became of a content that is to leave. */
export type Departure =
  | { readonly kind: "leaves"; readonly leaving: LeavingContent; readonly given: GivenPlace }
  /** Nothing can be sealed to the other device before it shows a card: it has its position, and leaves then. */
  | { readonly kind: "waits"; readonly given: GivenPlace }
  /** The other device has it, as far as this one will ever know. */
  | { readonly kind: "settled" };

/** A content leaves in the chain of a pair that is bound to it: under its position where it has one, else under the next. */
export async function leaveInChain(context: PairContext, change: Change, record: PairRecord, content: PlacedContent): Promise<Departure> {
  const now = context.days.now();
  const { device, state } = record;
  const { instance, sent } = state;
  const known = waitingOf(record, content.given?.id ?? content.id);
  // One that waits no more was acknowledged, or made room for later ones: then it leaves under its position all the same.
  const placedBefore = known === undefined && content.given?.instance === instance ? content.given : undefined;
  if (known?.isThere === true || (placedBefore !== undefined && placedBefore.position <= sent.ackedUpTo)) return { kind: "settled" };
  const given: GivenPlace = placedBefore ?? { id: known?.id ?? content.id, instance, position: known?.position ?? sent.last + 1 };
  const isNew = known === undefined && placedBefore === undefined;
  const placed = isNew
    ? { ...record, state: { ...state, sent: givePlaces(sent, [given.id], now, content.sent.task.kind === "chunk") } }
    : record;
  change.putPair(placed);
  await change.batch.putPairSent({ device, instance, position: given.position }, { ...content.sent, id: given.id }, now.ownMs);
  const leaving = leaveNow(context, change, placed, { id: given.id, position: given.position, publicCard: content.publicCard });
  return leaving === undefined ? { kind: "waits", given } : { kind: "leaves", leaving, given };
}

/**
 * Something leaves, under a position that it has or without one; undefined while the other device has shown no card. `publicCard`: a valid one
 * of the device, for what is better sealed to that.
 */
export function leaveNow(
  context: PairContext,
  change: Change,
  record: PairRecord,
  { id, position, publicCard }: Pick<LeavingContent, "id" | "position"> & Pick<PlacedContent, "publicCard">,
): LeavingContent | undefined {
  const isStranger = isUnacknowledged(context, change, record.peer);
  const ofAll = publicCard !== undefined && mayGetPublic(record) ? sealableCard(publicCard) : undefined;
  const step = leave(record.state, position, { now: context.days.now(), isStranger, publicCard: ofAll });
  const leaving = putLeaving(change, record, { id, position, step });
  const told = isStranger ? undefined : toldBox(context, record);
  const isRefused = step?.box !== undefined && context.boxes.wasRefused(step.box.mailbox, context.clock.monotonicMs());
  return leaving && { ...leaving, told, box: isRefused ? undefined : step?.box };
}

/** The own box for the person of a pair, while this device has not been written to in it. */
function toldBox({ boxes, days }: PairContext, { peer, state }: PairRecord): ShownBox | undefined {
  const record = boxes.get(peer);
  const newest = record && boxToTell(record, days.now());
  if (newest === undefined || !isBoxToTell(state, newest.generation)) return undefined;
  const { mailbox, writeSeed, generation } = newest;
  return { mailbox, writeSeed, generation };
}

/** Stores a step of a pair in which something leaves. */
export function putLeaving(
  change: Change,
  record: PairRecord,
  { id, position, step }: Pick<LeavingContent, "id" | "position"> & { readonly step: Leaving<string> | undefined },
): LeavingContent | undefined {
  if (step === undefined) return undefined;
  change.putPair({ ...record, state: step.state });
  const { id: cardId, kem, x, psk } = step.sealTo;
  const { frame, isPublic } = step;
  return { id, position, sealTo: { id: cardId, kem, x, psk }, isPublic, frame, shown: shownCardOf(record) };
}

/** True when a card of a pair is to be shown in version 1: also until the other device has sealed something to one. */
export function isToIntroduce(context: PairContext, { state, peer, isProven }: PairRecord, now: BothClocks): boolean {
  return needsIntroduction(isProven ? state : { ...state, theirs: null }, now, usedAtMs(context, peer, now));
}

/** The card of a pair is shown in a content of version 1; undefined where there is none to show. */
export function introduce(change: Change, record: PairRecord, now: BothClocks): InstanceCard | undefined {
  const card = shownCardOf(record);
  if (card === undefined) return undefined;
  change.putPair({ ...record, state: { ...record.state, introducedAt: now } });
  return { instance: record.state.instance, card };
}

/** What became of something that was handed in for a device of a pair. */
export interface HandedContent {
  readonly device: X25519KeyHex;
  readonly isTaken: boolean;
  /** In the chain of the pair; undefined for what has none. */
  readonly position: number | undefined;
  /** Of the own card that it shows. */
  readonly cardId: string | undefined;
  /** It is written in version 1, and shows that card. */
  readonly isIntroduction: boolean;
  /** It is a content that is sent again, under a public card. */
  readonly isPublic?: boolean;
}

/** Notes what mailboxes took and what they did not. */
export function noteHanded({ days }: Pick<PairContext, "days">, change: Change, handed: readonly HandedContent[]): void {
  for (const content of handed) {
    const record = change.pair(content.device);
    const after = record && (content.isTaken ? afterTaken(record, content, days.day) : afterRefused(record, content, days.now().ownMs));
    if (after !== undefined) change.putPair(after);
  }
}

function afterTaken(record: PairRecord, { cardId }: HandedContent, day: number): PairRecord | undefined {
  const card = cardId === undefined ? undefined : livingCard(record.state, cardId);
  if (cardId === undefined || card?.handedInDay !== null) return undefined;
  return { ...record, state: noteHandedIn(record.state, cardId, day) };
}

/** It is sent again, what has no position too. */
function afterRefused(record: PairRecord, { position, isIntroduction, isPublic }: HandedContent, ownMs: number): PairRecord {
  const { state } = record;
  if (isIntroduction) return { ...record, state: { ...state, introducedAt: null } };
  if (position === undefined) return { ...record, state: { ...state, markAtMs: state.markAtMs ?? ownMs } };
  return { ...record, state: { ...state, sent: noteNotTaken(state.sent, position, isPublic) } };
}

/** A content that waits in the chain of a pair. */
export function waitingOf({ state }: PairRecord, id: MessageId): Unacknowledged | undefined {
  return state.sent.waiting.find((entry) => entry.id === id);
}

/** The content at positions that were given once is taken back: what is remembered of it is replaced. */
export async function replaceSent(
  change: Change,
  given: Readonly<Record<X25519KeyHex, GivenPlace>>,
  sent: SentRecord,
  nowMs: number,
): Promise<void> {
  for (const [device, { id, ...place }] of Object.entries(given)) {
    const record = change.pair(device);
    const instance = record?.state.instance;
    const position = place.instance === instance ? place.position : record && waitingOf(record, id)?.position;
    if (instance !== undefined && position !== undefined)
      await change.batch.putPairSent({ device, instance, position }, { ...sent, id }, nowMs);
  }
}
