// Ids of cards, apart from what computes with cards: who only finds one loads no primitives.
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
