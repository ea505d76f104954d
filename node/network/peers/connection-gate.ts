// Which connections are let in and out: room for a bounded number, always room for validators and bootstrap peers, none for banned peers.
import type { Connection, ConnectionGater } from "@libp2p/interface";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";

/** What the gate decides by. */
export interface ConnectionGateParts {
  readonly connections: () => readonly Connection[];
  readonly isBanned: (peer: PeerName) => boolean;
  /** Validators and bootstrap peers. */
  readonly isExempt: (peer: PeerName) => boolean;
  readonly mayDial: (address: string) => boolean;
}

/** The gate as libp2p asks it. */
export function createConnectionGate(parts: ConnectionGateParts): ConnectionGater {
  return {
    denyDialPeer: (peer) => parts.isBanned(peer.toString()),
    denyDialMultiaddr: (address) => !parts.mayDial(address.toString()),
    denyInboundEncryptedConnection: (peer): boolean => {
      const name = peer.toString();
      if (parts.isBanned(name)) return true;
      return !parts.isExempt(name) && countedConnections(parts, "inbound").length >= NETWORK_LIMITS.inboundConnections;
    },
    denyInboundRelayedConnection: (_relay, peer) => parts.isBanned(peer.toString()),
  };
}

/** Connections that count against the limit of a direction, oldest first. */
export function countedConnections(
  { connections, isExempt }: Pick<ConnectionGateParts, "connections" | "isExempt">,
  direction: "inbound" | "outbound",
): readonly Connection[] {
  return connections()
    .filter((connection) => connection.direction === direction && !isExempt(connection.remotePeer.toString()))
    .sort((a, b) => a.timeline.open - b.timeline.open);
}
