// The network of a chain with one validator: there are no peers.
import type { ConsensusNetwork } from "./consensus-network.ts";

/** A network without peers. Right only while the validator set has one member. */
export function createStandaloneNetwork(): ConsensusNetwork {
  return { broadcast: () => undefined, onMessage: () => () => undefined };
}
