// What the chain knows of the other nodes: a way to them that exists before they do and leads nowhere once they are gone.

import type { MessageSender } from "#node/engine/consensus-network.ts";
import { ConsensusLink } from "#node/gossip/consensus-link.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { ChainPeers } from "./chain.ts";

/** Who is notified of what happens on the chain. */
export type PeerListener = Omit<ChainPeers, "network">;

/** Passes updates on to the peers while there are any. */
export class PeerLink implements ChainPeers {
  readonly network = new ConsensusLink();
  #listener: PeerListener | null = null;

  /** Updates go to this listener from now on; null for none. */
  listen(listener: PeerListener | null): void {
    this.#listener = listener;
  }

  onSubmitted(transaction: Transaction): void {
    this.#listener?.onSubmitted(transaction);
  }

  onWork(transactions: readonly Transaction[], sender: MessageSender): void {
    this.#listener?.onWork(transactions, sender);
  }

  onAwake(): void {
    this.#listener?.onAwake();
  }
}
