// The way into this folder. libp2p is loaded when a network is made, and only then: a node alone pays nothing for it.
import type { NetworkOptions } from "#node/network/network-options.ts";
import type { NetworkHandlers, PeerNetwork } from "#node/network/peer-network.ts";

/** A running network. @throws CodedError ADDRESS_IN_USE or CONFIG_INVALID. */
export async function createNetwork(options: NetworkOptions, handlers: NetworkHandlers): Promise<PeerNetwork> {
  const { createLibp2pNetwork } = await import("#node/network/libp2p-network.ts");
  return await createLibp2pNetwork(options, handlers);
}
