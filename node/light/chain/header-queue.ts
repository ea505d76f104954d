// Headers that peers propose, verified one at a time in order of arrival. What one peer can have waiting is bounded.
import type { PeerName } from "#node/network/peer-network.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";

/** Proposed headers of one peer that wait; the oldest has to go for one more. */
export const HEADERS_PER_PEER = 8;

/**
 * What became of a proposed header.
 * - `advanced`: the tip is this block now. `known`: nothing new.
 * - `invalid`: the peer has paid for it. `unproven`: the peer did not serve what its proof needs.
 * - `early`: ahead of the own clock. `waiting`: the block of the checkpoint comes first, or a version of the program. `superseded`: the peer proposed too much at once.
 * - `expired`, `forked`, `stopped`: the chain does not continue.
 */
export type HeaderOutcome =
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

/** What a queue does with its headers. */
export interface HeaderQueueHandlers {
  /** Must not reject. */
  verify(block: LightBlock, peer: PeerName): Promise<HeaderOutcome>;
  /** All that waited is verified. */
  afterAll(): void;
}

interface ProposedHeader {
  readonly block: LightBlock;
  readonly peer: PeerName;
  readonly outcome: Promise<HeaderOutcome>;
  readonly resolve: (outcome: HeaderOutcome) => void;
}

/** Proposed headers that wait. */
export class HeaderQueue {
  readonly #handlers: HeaderQueueHandlers;
  /** By peer and hash, in order of arrival. */
  readonly #proposed = new Map<string, ProposedHeader>();
  #isWorking = false;
  #isClosed = false;

  constructor(handlers: HeaderQueueHandlers) {
    this.#handlers = handlers;
  }

  /** Queues a block with its hash; the same one of the same peer waits once. */
  push(block: LightBlock, hash: HashHex, peer: PeerName): Promise<HeaderOutcome> {
    if (this.#isClosed) return Promise.resolve("stopped");
    const name = `${peer} ${hash}`;
    const same = this.#proposed.get(name);
    if (same !== undefined) return same.outcome;
    this.#makeRoom(peer);
    const { promise: outcome, resolve } = Promise.withResolvers<HeaderOutcome>();
    this.#proposed.set(name, { block, peer, outcome, resolve });
    void this.#work();
    return outcome;
  }

  /** Verifies nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#proposed.values()) resolve("stopped");
    this.#proposed.clear();
  }

  #makeRoom(peer: PeerName): void {
    const waiting = [...this.#proposed].filter(([, proposed]) => proposed.peer === peer);
    const [oldest] = waiting;
    if (oldest === undefined || waiting.length < HEADERS_PER_PEER) return;
    this.#proposed.delete(oldest[0]);
    oldest[1].resolve("superseded");
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (const [name, { block, peer, resolve }] of this.#proposed) {
      this.#proposed.delete(name);
      resolve(await this.#handlers.verify(block, peer));
    }
    this.#isWorking = false;
    this.#handlers.afterAll();
  }
}
