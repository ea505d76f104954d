// Whose claims about heights are worth reporting to users. Anyone can claim, under any number of names; a peer that has brought several blocks
// in a row, which became part of the chain, has shown that this node was behind, and that it has more than words.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";

/** A node that has just started may take the first claims for true for this long, until a response proves or disproves them, ms. */
export const FIRST_CLAIM_MS = 15_000;

/** Knows who delivered. */
export class ClaimCredit {
  readonly #clock: Clock;
  readonly #credited = new Set<PeerName>();
  /** Peers whose blocks are not followed yet, with the height at which they will have delivered. */
  readonly #pending = new Map<PeerName, Height>();
  #firstClaimMs: number | undefined;
  #isSettled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True soon after the first claim to a node that has not been up to date since it started. */
  get isFresh(): boolean {
    return !this.#isSettled && this.#clock.monotonicMs() - (this.#firstClaimMs ?? Number.NEGATIVE_INFINITY) < FIRST_CLAIM_MS;
  }

  /** Peers report blocks above the tip. */
  begin(): void {
    this.#firstClaimMs ??= this.#clock.monotonicMs();
  }

  /** The node is up to date, or was. */
  settle(): void {
    this.#isSettled = true;
  }

  /** A peer brought blocks up to a height that were not there yet. */
  deliver(peer: PeerName, through: Height): void {
    if (!this.#credited.has(peer)) this.#pending.set(peer, Math.min(through, this.#pending.get(peer) ?? through));
  }

  /** The chain has this height, with the blocks that were delivered. */
  reached(height: Height): void {
    for (const [peer, through] of this.#pending) {
      if (through > height) continue;
      this.#pending.delete(peer);
      this.#credited.add(peer);
    }
  }

  /** A peer is gone, or was found to lie. */
  withdraw(peer: PeerName): void {
    this.#pending.delete(peer);
    this.#credited.delete(peer);
  }

  /** True for a peer that delivered and has not been found to lie since. */
  has(peer: PeerName): boolean {
    return this.#credited.has(peer);
  }
}
