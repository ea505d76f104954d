// A connected peer in the words of the public interface.

import type { PeerView } from "#node/network/peer-network.ts";
import type { PeerInfo } from "#shared/api/schemas/discovery.ts";

/** The peer; times are counted up to `nowMs`. */
export function peerInfo(peer: PeerView, nowMs: number): PeerInfo {
  return {
    id: peer.name,
    version: peer.version ?? "",
    address: peer.address,
    direction: peer.direction,
    relayed: peer.isRelayed,
    ...(peer.nodeKey === null ? {} : { node_key: peer.nodeKey }),
    ...(peer.status === null ? {} : { height: peer.status.height }),
    connected_seconds: Math.max(0, Math.floor((nowMs - peer.connectedAtMs) / 1_000)),
    ...(peer.latencyMs === null ? {} : { latency_ms: peer.latencyMs }),
    score: peer.score,
  };
}
