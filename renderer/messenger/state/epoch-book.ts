// Short-lived keys of the devices one writes to, and one's own. They come signed inside contents, so nobody on the way can take them
// out or put others in; an older key never replaces a newer one. A device that has shown one never gets a message sealed to its lasting
// key again: that would give up what the short-lived keys are for.

import { isGenuinePrekey, type SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Newest card of each device. */
export type EpochCards = Readonly<Record<X25519KeyHex, SignedPrekey>>;

/** Which key a message to a device is sealed to. */
export type SealingKey =
  /** Nothing is known of short-lived keys of this device: its lasting one. */
  | { readonly kind: "lasting" }
  | { readonly kind: "epoch"; readonly epochPub: X25519KeyHex }
  /** Its last one may have been destroyed: the message waits until it shows another. */
  | { readonly kind: "stale" };

/** A card and where it came from. */
export interface ShownCard {
  readonly chainId: string;
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  readonly card: SignedPrekey;
  readonly nowS: number;
}

/** Devices whose cards are kept; the one that expires first makes room. */
const MAX_CARDS = 4_096;
/** A card may not last longer than this, seconds: nobody makes others seal to one key for ever. */
const MAX_LIFETIME_S = 30 * 86_400;
/**
 * So long after its time a key is still sealed to, seconds: a day less than devices keep its secret at least. A device that is away keeps
 * it longer, as it reads its mail before it destroys anything.
 */
export const SEALABLE_S = 29 * 86_400;

/** Cards of one run. */
export class EpochBook {
  #own: SignedPrekey | null;
  #cards: EpochCards;

  constructor(own: SignedPrekey | null, cards: EpochCards) {
    this.#own = own;
    this.#cards = cards;
  }

  /** What goes out with every content; null while the wallet has not vouched for this device yet. */
  get own(): SignedPrekey | null {
    return this.#own;
  }

  setOwn(card: SignedPrekey | null): void {
    this.#own = card;
  }

  get cards(): EpochCards {
    return this.#cards;
  }

  setCards(cards: EpochCards): void {
    this.#cards = cards;
  }

  keyFor(device: X25519KeyHex, nowS: number): SealingKey {
    const card = this.#cards[device];
    if (card === undefined) return { kind: "lasting" };
    return nowS <= card.notAfter + SEALABLE_S ? { kind: "epoch", epochPub: card.epochPub } : { kind: "stale" };
  }
}

/** The cards with a new one, or the same when it is no news or not genuine. */
export function withCard(cards: EpochCards, { chainId, from, device, card, nowS }: ShownCard): EpochCards {
  const known = cards[device];
  const isNews = card.notAfter > nowS && card.notAfter <= nowS + MAX_LIFETIME_S && (known === undefined || card.notAfter > known.notAfter);
  if (!isNews || !isGenuinePrekey(chainId, from, { devicePub: device, prekey: card })) return cards;
  const next = { ...cards, [device]: card };
  const entries = Object.entries(next);
  if (entries.length <= MAX_CARDS) return next;
  const [first] = entries.sort(([, a], [, b]) => a.notAfter - b.notAfter);
  return Object.fromEntries(entries.filter(([key]) => key !== first?.[0]));
}
