// Own public cards as the store has them: what opens each, sealed under the key of cards, and the one that no node has taken yet. Pure.
import { cardNumber } from "#shared/protocol/pairs/card-id.ts";
import { isFreshPublicCard, publicCardNumber } from "#shared/protocol/pairs/public-card.ts";
import type { BothClocks } from "../../pairs/counted-days.ts";

/** Key of the record in the store. */
export const PUBLIC_CARDS_KEY = "public cards";
/** A secret goes so many counted days after its card was drawn: three days after the last envelope was sealed to it. */
export const PUBLIC_CARD_DAYS = 10;
/** A card is drawn so long after the one before, by the time of the chain, ms. */
const DRAWN_APART_MS = 86_400_000;
/** Cards whose secrets are stored; while days do not count and there are as many, no further one is drawn. */
export const MAX_PUBLIC_CARDS = 16;

/** A card that may still be sealed to. */
export interface OwnPublicCard {
  readonly number: number;
  /** Sealed; base64. */
  readonly secret: string;
  /** Counted day on which it was drawn. */
  readonly day: number;
}

/** Own public cards. */
export interface PublicRecord {
  /** Hex of 8 bytes: that of this store. */
  readonly instance: string;
  /** Ascending by number. */
  readonly cards: readonly OwnPublicCard[];
  /** Base64 of the newest one, until nodes have it. */
  readonly unpublished: string | null;
}

/** No card yet. */
export function noPublicCards(instance: string): PublicRecord {
  return { instance, cards: [], unpublished: null };
}

/** Number of the card that is to be drawn now; undefined where it is not time, or the time of the chain is not known. */
export function publicCardDue({ cards, unpublished }: PublicRecord, { blockMs }: BothClocks): number | undefined {
  const newest = cards.at(-1);
  const number = publicCardNumber(blockMs);
  if (blockMs === 0 || cards.length >= MAX_PUBLIC_CARDS) return undefined;
  if (newest === undefined) return number;
  const isDue = !isFreshPublicCard(newest, blockMs) || blockMs - newest.number * 3_600_000 >= DRAWN_APART_MS;
  // One that no node takes any more is followed by another, and so is one that another copy of this device was faster with.
  return number > newest.number && (isDue || unpublished === REFUSED) ? number : undefined;
}

/** Stands for a card that nodes refused. */
const REFUSED = "";

/** A card was drawn. */
export function withDrawn(record: PublicRecord, card: OwnPublicCard, encoded: string): PublicRecord {
  return { ...record, cards: [...record.cards, card], unpublished: encoded };
}

/** Nodes have the newest card, or another one counts for them. */
export function withPublished(record: PublicRecord, isTaken: boolean): PublicRecord {
  return { ...record, unpublished: isTaken ? null : REFUSED };
}

/** Without secrets whose time is over. */
export function withoutOld(record: PublicRecord, day: number): PublicRecord {
  const cards = record.cards.filter((card) => day < card.day + PUBLIC_CARD_DAYS);
  return cards.length === record.cards.length ? record : { ...record, cards };
}

/** What opens a card of this device; undefined where it was never drawn here, or is gone. */
export function publicSecret({ instance, cards }: PublicRecord, id: string): string | undefined {
  const number = cardNumber(instance, id);
  return cards.find((card) => card.number === number)?.secret;
}
