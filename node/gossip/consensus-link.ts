// The engine's way to the other validators, which exists before the network does and after it has stopped.
import {
  type ConsensusMessage,
  type ConsensusNetwork,
  type MessageSender,
  type ReceiveMessage,
  UNKNOWN_SENDER,
} from "#node/engine/consensus-network.ts";
import type { PeerNetwork } from "#node/network/peer-network.ts";

/** Messages without a network are dropped: what matters is repeated. */
export class ConsensusLink implements ConsensusNetwork {
  readonly #receivers = new Set<ReceiveMessage>();
  #network: Pick<PeerNetwork, "sendConsensus"> | null = null;

  /** Messages leave through this network from now on; null for none. */
  attach(network: Pick<PeerNetwork, "sendConsensus"> | null): void {
    this.#network = network;
  }

  /** A message of another node. */
  deliver(message: ConsensusMessage, sender: MessageSender = UNKNOWN_SENDER, bytes = 0): void {
    for (const receive of this.#receivers) receive(message, sender, bytes);
  }

  broadcast(message: ConsensusMessage): void {
    this.#network?.sendConsensus(message);
  }

  onMessage(receive: ReceiveMessage): () => void {
    this.#receivers.add(receive);
    return (): void => {
      this.#receivers.delete(receive);
    };
  }
}
