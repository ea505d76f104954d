// Peers that the operator named by their addresses.
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PeerName } from "../peer-network.ts";

/** Addresses by the names of their peers. */
export type BootstrapPeers = ReadonlyMap<PeerName, readonly Multiaddr[]>;

/** The peers of addresses that end with a peer id. @throws CodedError CONFIG_INVALID for an address that does not. */
export function bootstrapPeers(addresses: readonly string[]): BootstrapPeers {
  const peers = new Map<PeerName, Multiaddr[]>();
  for (const text of addresses) {
    const { address, name } = peerAddress(text);
    peers.set(name, [...(peers.get(name) ?? []), address]);
  }
  return peers;
}

function peerAddress(text: string): { readonly address: Multiaddr; readonly name: PeerName } {
  try {
    const address = multiaddr(text);
    const name = address.getComponents().findLast((component) => component.name === "p2p")?.value;
    if (name !== undefined) return { address, name };
  } catch {
    // Reported below, like an address without a peer.
  }
  throw new CodedError("CONFIG_INVALID", `"${text}" is no address of a node: write /ip4/203.0.113.7/tcp/9100/p2p/<peer id>`);
}

/** True for a multiaddress, false for the name of a peer. */
export function isAddress(peer: string): boolean {
  return peer.startsWith("/");
}
