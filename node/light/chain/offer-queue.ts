// Blocks that peers offer, judged one at a time in order of arrival. What one peer can have waiting is bounded.
import type { PeerName } from "#node/network/peer-network.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";

/** Offers of one peer that wait; the oldest has to go for one more. */
export const OFFERS_PER_PEER = 8;

/**
 * What became of an offer.
 * - `advanced`: the tip is this block now. `known`: nothing new.
 * - `invalid`: the peer has paid for it. `unproven`: the peer did not hand out what its proof needs.
 * - `early`: ahead of the own clock. `waiting`: the block of the checkpoint comes first. `superseded`: the peer offered too much at once.
 * - `expired`, `forked`, `stopped`: the chain does not go on.
 */
export type OfferOutcome =
  | "advanced"
  | "known"
  | "invalid"
  | "unproven"
  | "early"
  | "waiting"
  | "superseded"
  | "expired"
  | "forked"
  | "stopped";

/** What a queue does with its offers. */
export interface OfferHandlers {
  /** Must not reject. */
  judge(block: LightBlock, peer: PeerName): Promise<OfferOutcome>;
  /** All that waited is judged. */
  afterAll(): void;
}

interface Offer {
  readonly block: LightBlock;
  readonly peer: PeerName;
  readonly outcome: Promise<OfferOutcome>;
  readonly resolve: (outcome: OfferOutcome) => void;
}

/** Offers that wait. */
export class OfferQueue {
  readonly #handlers: OfferHandlers;
  /** By peer and hash, in order of arrival. */
  readonly #offers = new Map<string, Offer>();
  #isWorking = false;
  #isClosed = false;

  constructor(handlers: OfferHandlers) {
    this.#handlers = handlers;
  }

  /** Queues a block with its hash; the same one of the same peer waits once. */
  push(block: LightBlock, hash: HashHex, peer: PeerName): Promise<OfferOutcome> {
    if (this.#isClosed) return Promise.resolve("stopped");
    const name = `${peer} ${hash}`;
    const same = this.#offers.get(name);
    if (same !== undefined) return same.outcome;
    this.#makeRoom(peer);
    const { promise: outcome, resolve } = Promise.withResolvers<OfferOutcome>();
    this.#offers.set(name, { block, peer, outcome, resolve });
    void this.#work();
    return outcome;
  }

  /** Judges nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#offers.values()) resolve("stopped");
    this.#offers.clear();
  }

  #makeRoom(peer: PeerName): void {
    const waiting = [...this.#offers].filter(([, offer]) => offer.peer === peer);
    const [oldest] = waiting;
    if (oldest === undefined || waiting.length < OFFERS_PER_PEER) return;
    this.#offers.delete(oldest[0]);
    oldest[1].resolve("superseded");
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (const [name, { block, peer, resolve }] of this.#offers) {
      this.#offers.delete(name);
      resolve(await this.#handlers.judge(block, peer));
    }
    this.#isWorking = false;
    this.#handlers.afterAll();
  }
}
