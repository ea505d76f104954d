// A pair as it is kept: its state with what belongs to it, in memory and as the store has it.
import type { MessageId } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { cardNumber } from "#shared/protocol/pairs/card-id.ts";
import type { PairCard, ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import type { BothClocks } from "./counted-days.ts";
import { MAX_CARDS, MAX_HELD_IDS, newPair, type PairState, type TheirCard, type TheirInstance, type TheirSide } from "./pair-state.ts";

/** Contents whose cards are to go: as many as can be remembered with cards. */
const MAX_FORGETS = MAX_CARDS * MAX_HELD_IDS;

/**
 * Counted days for which version 1 is still taken of a device that writes version 2: what was under way, and what its node held for later. The
 * first one may have begun before, and each takes 20 h of both clocks: 30 days at the least.
 */
export const OLD_FORM_DAYS = 37;

/** When a pair began to be bound to version 2. */
export interface Binding {
  /** Counted day. */
  readonly day: number;
  /** Instance of the other device that proved it; "" where it is not known any more. */
  readonly instance: string;
}

/** A pair of this device with one other device. */
export interface PairRecord {
  /** Person of the other device. */
  readonly peer: PublicKeyHex;
  readonly device: X25519KeyHex;
  /** The key that signs the other device's cards: its master key has vouched for it. Null while it has shown none. */
  readonly signingPub: PublicKeyHex | null;
  /** Secrets of cards: base64, sealed under a key of the vault. */
  readonly state: PairState<string>;
  /** The other device has sealed something to a card of this one: it knows them, and whose signature they have. */
  readonly isProven: boolean;
  /** Since when both write version 2 alone; absent before, and where an earlier version stored it. */
  readonly bound?: Binding;
  /** Bytes of the largest file that the other device takes; absent while it has not said so. */
  readonly takesFiles?: number;
  /** Mailboxes of one file that the other device reads; absent while it has not said so. */
  readonly readsBoxes?: number;
  /** Highest number of a form that the other device opens; absent while it has not said so. */
  readonly opensForm?: number;
  /** Version of groups' logs that the other device's program reads; absent while it has not said so. */
  readonly readsLogs?: number;
  /** When something came that shows that the person has the other device at hand; absent before. */
  readonly atHandAt?: BothClocks;
  /** The own card that was drawn last, as it is shown. */
  readonly shown: ShownCard | null;
  /** Contents that were deleted or have disappeared here: their cards go once the mailbox is read to its end. */
  readonly forgets: readonly MessageId[];
}

/** What of a pair says since when it is bound. */
export type BoundPair = Pick<PairRecord, "state" | "isProven"> & { readonly bound?: Binding | undefined };

/** A pair in the store: plain JSON, bytes as base64. */
export interface StoredPair extends Omit<PairRecord, "state" | "shown"> {
  readonly state: Omit<PairState<string>, "theirs"> & { readonly theirs: StoredSide | null };
  readonly shown: (StoredCard & { readonly signature: string }) | null;
}

type StoredCard = { readonly id: string } & Readonly<Record<"kem" | "x" | "psk", string>>;
type StoredInstance = Omit<TheirInstance, "card"> & { readonly card: (StoredCard & Pick<TheirCard, "number" | "shownAt">) | null };
type StoredSide = StoredInstance & Omit<TheirSide, keyof TheirInstance | "former"> & { readonly former: StoredInstance | null };

/** A pair of which nothing is known yet. `instance`: hex of 8 random bytes. */
export function newPairRecord(peer: PublicKeyHex, device: X25519KeyHex, instance: string, day: number): PairRecord {
  return { peer, device, signingPub: null, state: newPair<string>(instance, day), isProven: false, shown: null, forgets: [] };
}

/** The card to show: the newest one, where it is the one that was drawn last. */
export function shownCardOf({ state, shown }: PairRecord): ShownCard | undefined {
  const newest = state.cards.at(-1);
  return newest !== undefined && shown !== null && cardNumber(state.instance, shown.id) === newest.number ? shown : undefined;
}

/** True when the other device is written to in this format alone: each of the two knows a card of the other one. */
export function isBound({ isProven, state: { theirs } }: BoundPair): boolean {
  return isProven && theirs !== null && (theirs.card !== null || theirs.past.length > 0);
}

/**
 * The pair after something was opened that this instance of the other device sealed to a card of this one. With an instance that is new the
 * time begins again: that device was set back, and may have written version 1 until it knew better. No one else proves an instance. `hasAll`: it
 * acknowledges all that the one before did, so it was not set back; others can make it begin a new one.
 */
export function withProof<Pair extends BoundPair>(record: Pair, instance: string, day: number, hasAll = false): Pair {
  const isPresent = record.state.theirs?.chain.instance === instance;
  if (!isPresent || !isBound(record) || record.bound?.instance === instance) return record;
  return { ...record, bound: { day: hasAll ? (record.bound?.day ?? day) : day, instance } };
}

/** The pair when a day is counted: one of an earlier version of the program is bound from then on. */
export function withCountedBinding(record: PairRecord, day: number): PairRecord {
  return record.bound === undefined && isBound(record) ? { ...record, bound: { day, instance: "" } } : record;
}

/** True where a device has written to this one in version 2 for so long that nothing of it is under way in version 1. */
export function isPastOldForm(record: (BoundPair & Pick<PairRecord, "peer">) | undefined, person: PublicKeyHex, day: number): boolean {
  return record?.peer === person && record.bound !== undefined && isBound(record) && day - record.bound.day >= OLD_FORM_DAYS;
}

/** The pair, with contents of the other device's person that are gone here; the same where none of its cards had to do with them. */
export function withForgotten(record: PairRecord, ids: readonly MessageId[]): PairRecord {
  const { cards } = record.state;
  const concerns = (id: MessageId): boolean => cards.some(({ held, holdsMore }) => holdsMore || held.includes(id));
  const added = ids.filter((id) => !record.forgets.includes(id) && concerns(id));
  return added.length === 0 ? record : { ...record, forgets: [...record.forgets, ...added].slice(-MAX_FORGETS) };
}

/** A pair as it is stored. */
export function storedPair({ state, shown, ...record }: PairRecord): StoredPair {
  const { theirs } = state;
  return {
    ...record,
    state: { ...state, theirs: theirs && { ...theirs, ...storedInstance(theirs), former: theirs.former && storedInstance(theirs.former) } },
    shown: shown && { ...storedCard(shown), signature: toBase64(shown.signature) },
  };
}

/** A pair as it was stored. */
export function pairRecordOf({ state, shown, ...record }: StoredPair): PairRecord {
  const { theirs } = state;
  return {
    ...record,
    state: { ...state, theirs: theirs && { ...theirs, ...instanceOf(theirs), former: theirs.former && instanceOf(theirs.former) } },
    shown: shown && { ...cardOf(shown), signature: fromBase64(shown.signature) },
  };
}

function storedInstance({ chain, card, sinceCard }: TheirInstance): StoredInstance {
  return { chain, card: card && { ...storedCard(card), ...learned(card) }, sinceCard };
}

function instanceOf({ chain, card, sinceCard }: StoredInstance): TheirInstance {
  return { chain, card: card && { ...cardOf(card), ...learned(card) }, sinceCard };
}

/** What this device notes of a card. */
function learned({ number, shownAt }: Pick<TheirCard, "number" | "shownAt">): Pick<TheirCard, "number" | "shownAt"> {
  return { number, ...(shownAt !== undefined && { shownAt }) };
}

function storedCard({ id, kem, x, psk }: PairCard): StoredCard {
  return { id, kem: toBase64(kem), x: toBase64(x), psk: toBase64(psk) };
}

function cardOf({ id, kem, x, psk }: StoredCard): PairCard {
  return { id, kem: fromBase64(kem), x: fromBase64(x), psk: fromBase64(psk) };
}
