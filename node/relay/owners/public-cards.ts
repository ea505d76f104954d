// Public cards of devices: this node holds the newest of each, after the chain has said whose device it is.
import type { Awaitable } from "#node/queries/awaitable.ts";
import type { PublicCardBounds, PublicCardStore } from "#node/storage/messages/public-card-store.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { PROOF_HEIGHTS } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import {
  decodePublicCard,
  isFreshPublicCard,
  isGenuinePublicCard,
  isPresentPublicCard,
  isSamePublicCard,
  PUBLIC_CARD_MS,
  type PublicCard,
  publicCardNumber,
} from "#shared/protocol/pairs/public-card.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";

/** Cards of a node. docs/limits.md lists it. */
export const PUBLIC_CARD_BOUNDS: PublicCardBounds = { cards: 65_536, ofPerson: 64 };

/** The newest block that this node knows. */
export interface NewestTime {
  readonly height: number;
  /** Of the block, milliseconds. */
  readonly timeMs: number;
}

export interface PublicCardsDependencies {
  readonly chainId: string;
  /** Opens the file, which comes with the first card. */
  readonly open: () => PublicCardStore;
  /** There are cards of an earlier run. */
  readonly isThere: boolean;
  readonly verify: (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>;
  /** Undefined while none is known. */
  readonly newest: () => NewestTime | undefined;
  /** True when the chain lists a device for a person now. */
  readonly isListed: (person: PublicKeyHex, device: X25519KeyHex) => Awaitable<boolean>;
}

/**
 * What a card turned out to be.
 * - `taken`: it is the newest one, here and from now on, or was so already.
 * - `older`: another card of the device counts.
 * - `untimely`: of another time than the present.
 * - `false`: not genuine: no honest node hands it on.
 * - `unlisted`: the chain does not list the device for that person.
 * - `full`: there is no room.
 */
export type CardOutcome = "taken" | "older" | "untimely" | "false" | "unlisted" | "full";

const REFUSALS: Readonly<Record<Exclude<CardOutcome, "taken">, CodedError>> = {
  older: new CodedError("FORBIDDEN", "Another card of this device counts, of the same number or a later one: draw one of the present hour"),
  untimely: new CodedError("FORBIDDEN", "The card is of another time than this node's newest block: draw one by that"),
  false: new CodedError("FORBIDDEN", "The card is not signed by the device, or its person does not vouch for the device"),
  unlisted: new CodedError("FORBIDDEN", "The chain does not list this device for that person"),
  full: new CodedError("RELAY_FULL", "The node has no room for another card: use another node"),
};

/** The refusal of a card, for its owner. */
export function cardRefusal(outcome: Exclude<CardOutcome, "taken">): CodedError {
  const { code, message } = REFUSALS[outcome];
  return new CodedError(code, message);
}

/** Cards of this node. */
export class PublicCards {
  readonly #dependencies: PublicCardsDependencies;
  #store: PublicCardStore | undefined;
  #isClosed = false;

  constructor(dependencies: PublicCardsDependencies) {
    this.#dependencies = dependencies;
    if (dependencies.isThere) this.#store = dependencies.open();
  }

  /** The newest card of an owner that is held here, while it is valid. */
  find(owner: PublicCardOwner): Uint8Array | undefined {
    const stored = this.#store?.find(owner);
    const newest = this.#dependencies.newest();
    return stored !== undefined && newest !== undefined && isPresentPublicCard(stored, newest.timeMs) ? stored.card : undefined;
  }

  /** Takes a card of a device, which is to be of the present. What costs nothing is looked at first. */
  async take(device: X25519KeyHex, encoded: Uint8Array): Promise<CardOutcome> {
    const card = decodePublicCard(encoded);
    const newest = this.#dependencies.newest();
    if (card === undefined) return "false";
    const isTimely = newest !== undefined && Math.abs(card.height - newest.height) <= PROOF_HEIGHTS;
    if (!isTimely || !isFreshPublicCard(card, newest.timeMs)) return "untimely";
    const known = this.#rank(device, card);
    if (known !== undefined) return known;
    if (!(await isGenuinePublicCard(this.#dependencies.chainId, device, card, this.#dependencies.verify))) return "false";
    if (!(await this.#dependencies.isListed(card.masterPub, device))) return "unlisted";
    // Another one may have come meanwhile.
    const since = this.#rank(device, card);
    if (since !== undefined) return since;
    // What was being checked when the node stopped finds no store any more.
    if (this.#isClosed) return "full";
    this.#store ??= this.#dependencies.open();
    const stored = { device, person: card.masterPub, number: card.number, card: encoded };
    return this.#store.put(stored, publicCardNumber(newest.timeMs - PUBLIC_CARD_MS)) ? "taken" : "full";
  }

  /**
   * The newest of some cards of an owner that others gave, and which of them are false, by their index: no one was asked for a card of another
   * person. `undefined` among them is none.
   */
  async newestOf(
    { person, device }: PublicCardOwner,
    given: readonly (Uint8Array | undefined)[],
  ): Promise<{ readonly card: Uint8Array | undefined; readonly lies: readonly number[] }> {
    const newest = this.#dependencies.newest();
    const lies: number[] = [];
    let best: { readonly card: PublicCard; readonly encoded: Uint8Array } | undefined;
    for (const [at, encoded] of given.entries()) {
      const card = encoded && decodePublicCard(encoded);
      if (encoded === undefined || newest === undefined) continue;
      if (card?.masterPub !== person || !(await isGenuinePublicCard(this.#dependencies.chainId, device, card, this.#dependencies.verify))) {
        lies.push(at);
        continue;
      }
      const isBetter = isPresentPublicCard(card, newest.timeMs) && (best === undefined || card.number > best.card.number);
      if (isBetter && (await this.#dependencies.isListed(card.masterPub, device))) best = { card, encoded };
    }
    return { card: best?.encoded, lies };
  }

  close(): void {
    this.#isClosed = true;
    this.#store?.close();
    this.#store = undefined;
  }

  /** What a card is beside the one of that person that is held; undefined for one that would take its place. */
  #rank(device: X25519KeyHex, card: PublicCard): "taken" | "older" | undefined {
    const stored = this.#store?.find({ person: card.masterPub, device });
    const held = stored && decodePublicCard(stored.card);
    if (held === undefined || held.number < card.number) return undefined;
    return isSamePublicCard(held, card) ? "taken" : "older";
  }
}
