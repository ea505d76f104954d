// What the chain knows of the other nodes: a way to them that exists before they do and leads nowhere once they are gone.

import type { MessageSender } from "#node/engine/consensus-network.ts";
import { ConsensusLink } from "#node/gossip/consensus-link.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { ChainPeers } from "../chain.ts";

/** Who is notified of what happens on the chain. */
export type PeerListener = Omit<ChainPeers, "network">;

/** Passes updates on to the peers while there are any. */
export class PeerLink implements ChainPeers {
  readonly network = new ConsensusLink();
  #listener: PeerListener | null = null;
  /** The machine slept, or its clock was set, while none listened: the engine does not vote until one has settled that. */
  #awaitsListener = false;

  /** Updates go to this listener from now on; null for none. */
  listen(listener: PeerListener | null): void {
    this.#listener = listener;
    if (listener === null || !this.#awaitsListener) return;
    this.#awaitsListener = false;
    listener.onAwake();
  }

  onSubmitted(transaction: Transaction): void {
    this.#listener?.onSubmitted(transaction);
  }

  onWork(transactions: readonly Transaction[], sender: MessageSender): void {
    this.#listener?.onWork(transactions, sender);
  }

  onAwake(): void {
    if (this.#listener === null) this.#awaitsListener = true;
    else this.#listener.onAwake();
  }
}
