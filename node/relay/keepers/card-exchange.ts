// Public cards among nodes. Where the network has keepers, those of a device's lasting mailbox hold its card; else the nodes around the one
// where it was handed in. Who reads asks all of them, and takes the newest that is genuine.

import { LRUCache } from "lru-cache";
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { ownerName, type PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import { decodePublicCard } from "#shared/protocol/pairs/public-card.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import { cardRefusal, type PublicCards } from "../owners/public-cards.ts";
import { KEEPER_LIMITS } from "./keeper-limits.ts";
import type { BoxKeepers } from "./placing/keeper-ranks.ts";

/** Where cards of a device lie: nodes to ask one after the other, all of a group at once. */
export interface CardPlaces {
  readonly groups: readonly (readonly PublicKeyHex[])[];
  /** Nodes that are to take a card, of those there are. */
  readonly copies: number;
  /** This node is one of them. */
  readonly isOwn: boolean;
}

export interface CardExchangeDependencies {
  readonly cards: Pick<PublicCards, "find" | "take" | "newestOf">;
  /** Places of a card that is handed in, and of one that is read. */
  readonly placesOf: (device: X25519KeyHex) => { readonly write: CardPlaces; readonly read: CardPlaces };
  /** False for a card of others that is not to be held here. Whoever asks is told what there is all the same. */
  readonly mayHold: (device: X25519KeyHex, from: PeerName) => Promise<boolean>;
  /** Epoch of the newest directory, for who asks the wrong node. */
  readonly epoch: () => number;
  /** @throws CodedError UPSTREAM_FAILED */
  readonly ask: (node: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  readonly onLie: (node: PublicKeyHex) => void;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Log;
}

/** What was read of others is remembered for so long, ms: whoever asks again costs them nothing. docs/limits.md lists these. */
export const CARD_MEMORY_MS = 60_000;
/** Owners of whom that is remembered. */
export const REMEMBERED_CARDS = 4_096;
/** Devices whose cards are asked for, or handed on, at once. */
export const CARDS_AT_ONCE = 64;

type CardRequest = Extract<MailRequest, { readonly type: "card" }>;
type Answer = { readonly node: PublicKeyHex; readonly card: Uint8Array | undefined };

/** Cards of clients, and of other nodes. */
export class CardExchange {
  readonly #dependencies: CardExchangeDependencies;
  readonly #read = new LRUCache<string, { readonly card: Uint8Array | undefined; readonly atMs: number }>({ max: REMEMBERED_CARDS });
  readonly #reading = new Map<string, Promise<Uint8Array | undefined>>();
  #writing = 0;

  constructor(dependencies: CardExchangeDependencies) {
    this.#dependencies = dependencies;
  }

  /** True where reading a card costs no other node anything. */
  isAtHand(owner: PublicCardOwner): boolean {
    return this.#remembered(owner) !== undefined || this.#reading.has(ownerName(owner));
  }

  /** Takes the card of a client, here and at the nodes that are to hold it. @throws CodedError FORBIDDEN, RELAY_FULL, UNAVAILABLE */
  async publish(device: X25519KeyHex, card: Uint8Array): Promise<void> {
    const { cards, placesOf } = this.#dependencies;
    if (this.#writing >= CARDS_AT_ONCE)
      throw new CodedError("UNAVAILABLE", "The node hands on as many cards as it can: try again in a moment");
    // Before anything is waited for: checks of many that come at once count, too.
    this.#writing += 1;
    try {
      const outcome = await cards.take(device, card);
      const person = decodePublicCard(card)?.masterPub;
      if (outcome !== "taken" || person === undefined) throw cardRefusal(outcome === "taken" ? "false" : outcome);
      const owner = { person, device };
      this.#read.delete(ownerName(owner));
      const { groups, copies, isOwn } = placesOf(device).write;
      let taken = isOwn ? 1 : 0;
      let isLater = false;
      for (const group of groups) {
        if (taken >= copies) break;
        const answers = await this.#askAll(group.slice(0, copies - taken), { type: "card", ...owner, card });
        const others = answers.filter((answer) => answer.card !== undefined && !isSame(answer.card, card));
        taken += answers.filter((answer) => answer.card !== undefined && isSame(answer.card, card)).length;
        const found = await cards.newestOf(
          owner,
          others.map((answer) => answer.card),
        );
        this.#report(others, found.lies);
        // An earlier one is what a node says that is not as far as this one.
        isLater ||= found.card !== undefined && numberOf(found.card) >= numberOf(card);
      }
      if (isLater) throw cardRefusal("older");
      if (taken < Math.min(2, copies))
        throw new CodedError("UNAVAILABLE", "Too few of the nodes that keep the card have taken it: try again later");
    } finally {
      this.#writing -= 1;
    }
  }

  /** The newest card of an owner, here and at other nodes; undefined where there is none. @throws CodedError UNAVAILABLE */
  async read(owner: PublicCardOwner): Promise<Uint8Array | undefined> {
    const remembered = this.#remembered(owner);
    if (remembered !== undefined) return remembered.card;
    const name = ownerName(owner);
    const known = this.#reading.get(name);
    if (known !== undefined) return await known;
    if (this.#reading.size >= CARDS_AT_ONCE)
      throw new CodedError("UNAVAILABLE", "The node asks for as many cards as it can: try again in a moment");
    const reading = this.#readNow(owner).finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return await reading;
  }

  /** The response to another node; undefined for a card that no honest node hands on. Never rejects: a full disk is not the asker's fault. */
  async respond(request: CardRequest, from: PeerName): Promise<MailResponse | undefined> {
    try {
      return await this.#response(request, from);
    } catch (error) {
      this.#dependencies.log.warn({ err: error }, "A public card of another node could not be looked at");
      return { type: "busy" };
    }
  }

  async #response({ device, person, card }: CardRequest, from: PeerName): Promise<MailResponse | undefined> {
    const { cards, mayHold, epoch } = this.#dependencies;
    if (card !== null) {
      if (!(await mayHold(device, from))) return { type: "wrongKeeper", epoch: epoch() };
      // No honest node hands one on as that of another person.
      if (decodePublicCard(card)?.masterPub !== person) return undefined;
      const outcome = await cards.take(device, card);
      if (outcome === "false") return undefined;
      if (outcome === "full") return { type: "busy" };
      this.#read.delete(ownerName({ person, device }));
    }
    return { type: "card", card: cards.find({ person, device }) ?? null };
  }

  async #readNow(owner: PublicCardOwner): Promise<Uint8Array | undefined> {
    const { cards, placesOf, clock } = this.#dependencies;
    const own = cards.find(owner);
    let best = own;
    for (const group of placesOf(owner.device).read.groups) {
      const answers = (await this.#askAll(group, { type: "card", ...owner, card: null })).filter((answer) => answer.card !== undefined);
      const { card, lies } = await cards.newestOf(owner, [...answers.map((answer) => answer.card), own]);
      this.#report(answers, lies);
      best = card ?? best;
      if (best !== undefined) break;
    }
    this.#read.set(ownerName(owner), { card: best, atMs: clock.monotonicMs() });
    return best;
  }

  #remembered(owner: PublicCardOwner): { readonly card: Uint8Array | undefined } | undefined {
    const known = this.#read.get(ownerName(owner));
    return known !== undefined && this.#dependencies.clock.monotonicMs() - known.atMs < CARD_MEMORY_MS ? known : undefined;
  }

  async #askAll(nodes: readonly PublicKeyHex[], request: CardRequest): Promise<readonly Answer[]> {
    const { ask, log } = this.#dependencies;
    const answers = nodes.map(async (node): Promise<Answer | undefined> => {
      try {
        const response = await ask(node, request, AbortSignal.timeout(KEEPER_LIMITS.answerMs));
        return response.type === "card" ? { node, card: response.card ?? undefined } : undefined;
      } catch (error) {
        log.debug({ err: error, node }, "A node did not respond about a card");
        return undefined;
      }
    });
    return (await Promise.all(answers)).filter((answer) => answer !== undefined);
  }

  #report(answers: readonly Answer[], lies: readonly number[]): void {
    for (const at of lies) {
      const node = answers[at]?.node;
      if (node !== undefined) this.#dependencies.onLie(node);
    }
  }
}

/** Places of a card at keepers of the device's lasting mailbox. */
export function placesAtKeepers(
  { keeping, standingIn, draining }: BoxKeepers,
  own: PublicKeyHex,
): { readonly write: CardPlaces; readonly read: CardPlaces } {
  const others = (some: readonly { readonly key: PublicKeyHex }[]): readonly PublicKeyHex[] =>
    some.map(({ key }) => key).filter((key) => key !== own);
  const places = { copies: keeping.length, isOwn: keeping.some(({ key }) => key === own) };
  return {
    write: { ...places, groups: [others(keeping), ...others(standingIn).map((key) => [key])] },
    read: { ...places, groups: [others(keeping), others([...standingIn, ...draining])] },
  };
}

function numberOf(card: Uint8Array): number {
  return decodePublicCard(card)?.number ?? 0;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one.buffer, one.byteOffset, one.length).equals(other);
}
