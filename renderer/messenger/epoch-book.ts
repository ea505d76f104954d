// Short-lived keys of the devices one writes to, and one's own. They come inside contents, so nobody on the way can take them out; an
// older key never replaces a newer one.
import type { EpochCard } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";

/** Newest card of each device. */
export type EpochCards = Readonly<Record<X25519KeyHex, EpochCard>>;

/** Devices whose cards are kept; the one that expires first makes room. */
const MAX_CARDS = 4_096;
/** A card may not last longer than this, seconds: nobody makes others seal to one key for ever. */
const MAX_LIFETIME_S = 30 * 86_400;

/** Cards of one run. */
export class EpochBook {
  #own: EpochCard;
  #cards: EpochCards;

  constructor(own: EpochCard, cards: EpochCards) {
    this.#own = own;
    this.#cards = cards;
  }

  /** What goes out with every content. */
  get own(): EpochCard {
    return this.#own;
  }

  setOwn(card: EpochCard): void {
    this.#own = card;
  }

  get cards(): EpochCards {
    return this.#cards;
  }

  setCards(cards: EpochCards): void {
    this.#cards = cards;
  }

  /** Key to seal to for a device, or undefined when none is known that still holds. */
  keyFor(device: X25519KeyHex, nowS: number): X25519KeyHex | undefined {
    const card = this.#cards[device];
    return card !== undefined && card.notAfter > nowS ? card.epochPub : undefined;
  }
}

/** The cards with a new one, or the same when it is no news. */
export function withCard(
  cards: EpochCards,
  device: X25519KeyHex,
  { card, nowS }: { readonly card: EpochCard; readonly nowS: number },
): EpochCards {
  const known = cards[device];
  const isNews = card.notAfter > nowS && card.notAfter <= nowS + MAX_LIFETIME_S && (known === undefined || card.notAfter > known.notAfter);
  if (!isNews) return cards;
  const next = { ...cards, [device]: card };
  const entries = Object.entries(next);
  if (entries.length <= MAX_CARDS) return next;
  const [first] = entries.sort(([, a], [, b]) => a.notAfter - b.notAfter);
  return Object.fromEntries(entries.filter(([key]) => key !== first?.[0]));
}
