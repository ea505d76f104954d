// The network of a chain with one validator: there is nobody to talk to.
import type { ConsensusNetwork } from "./consensus-network.ts";

/** A network without peers. Right only while the validator set has one member. */
export function createStandaloneNetwork(): ConsensusNetwork {
  return { broadcast: () => undefined, onMessage: () => () => undefined };
}
