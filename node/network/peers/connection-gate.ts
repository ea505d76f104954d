// Which connections are let in and out: room for a bounded number, always room for validators and bootstrap peers, none for banned peers.
import type { Connection, ConnectionGater } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";

/** What the gate decides by. */
export interface ConnectionGateDependencies {
  readonly connections: () => readonly Connection[];
  readonly isBanned: (peer: PeerName) => boolean;
  /** Validators and bootstrap peers. */
  readonly isExempt: (peer: PeerName) => boolean;
  readonly mayDial: (address: Multiaddr) => boolean;
}

/** The gate as libp2p asks it. */
export function createConnectionGate(dependencies: ConnectionGateDependencies): ConnectionGater {
  return {
    denyDialPeer: (peer) => dependencies.isBanned(peer.toString()),
    denyDialMultiaddr: (address) => !dependencies.mayDial(address),
    denyInboundEncryptedConnection: (peer): boolean => {
      const name = peer.toString();
      if (dependencies.isBanned(name)) return true;
      return !dependencies.isExempt(name) && countedConnections(dependencies, "inbound").length >= NETWORK_LIMITS.inboundConnections;
    },
    denyInboundRelayedConnection: (_relay, peer) => dependencies.isBanned(peer.toString()),
  };
}

/** Connections that count against the limit of a direction, oldest first. */
export function countedConnections(
  { connections, isExempt }: Pick<ConnectionGateDependencies, "connections" | "isExempt">,
  direction: "inbound" | "outbound",
): readonly Connection[] {
  return connections()
    .filter((connection) => connection.direction === direction && !isExempt(connection.remotePeer.toString()))
    .sort((a, b) => a.timeline.open - b.timeline.open);
}
