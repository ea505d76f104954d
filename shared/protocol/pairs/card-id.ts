// Ids of cards, apart from what computes with cards: who only finds one loads no primitives.
import type { X25519KeyHex } from "../mail/envelope.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { HANDLE_BYTES } from "./pair-bytes.ts";

/** Largest number of a card. */
export const MAX_CARD_NUMBER = 0xffff_ffff;

/** Id of a card: first bytes of its instance, then its number. @throws RangeError for a number that has no place there. */
export function cardId(instance: string, number: number): string {
  if (!Number.isInteger(number) || number < 0 || number > MAX_CARD_NUMBER) throw new RangeError(`${number} is no number of a card`);
  return instance.slice(0, 2 * HANDLE_BYTES) + number.toString(16).padStart(8, "0");
}

/** Number of the card of an id, where it is one of this instance. */
export function cardNumber(instance: string, id: string): number | undefined {
  return id.startsWith(instance.slice(0, 2 * HANDLE_BYTES)) ? Number.parseInt(id.slice(2 * HANDLE_BYTES), 16) : undefined;
}

/** Whose public card it is: two people may publish the same key, and each has a card of their own by it. */
export interface PublicCardOwner {
  readonly person: PublicKeyHex;
  readonly device: X25519KeyHex;
}

/** What an owner is found by. */
export function ownerName({ person, device }: PublicCardOwner): string {
  return `${person} ${device}`;
}
