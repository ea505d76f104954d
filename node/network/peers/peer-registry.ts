// Connected peers, and the status that each has sent.
import type { Connection, PeerId } from "@libp2p/interface";
import { nodeKeyOf } from "../peer-name.ts";
import type { ChainStatus, PeerName, PeerView } from "../peer-network.ts";
import type { VersionRegistry } from "./version-registry.ts";

export interface ConnectedPeer {
  readonly id: PeerId;
  readonly name: PeerName;
  readonly nodeKey: string | null;
  readonly connectedAtMs: number;
  /** Monotonic time of the connection. */
  readonly sinceMs: number;
  status: ChainStatus | null;
  /** When it was the first to bring something that was of use; monotonic, ms. */
  readonly useful: Record<"blocks" | "tx" | "relay", number>;
}

/** Connected peers by name. */
export class PeerRegistry {
  readonly #peers = new Map<PeerName, ConnectedPeer>();

  get(name: PeerName): ConnectedPeer | undefined {
    return this.#peers.get(name);
  }

  all(): readonly ConnectedPeer[] {
    return [...this.#peers.values()];
  }

  add(id: PeerId, times: { readonly nowMs: number; readonly monotonicMs: number }): ConnectedPeer {
    const name = id.toString();
    const peer: ConnectedPeer = {
      id,
      name,
      nodeKey: nodeKeyOf(name),
      connectedAtMs: times.nowMs,
      sinceMs: times.monotonicMs,
      status: null,
      useful: { blocks: Number.NEGATIVE_INFINITY, tx: Number.NEGATIVE_INFINITY, relay: Number.NEGATIVE_INFINITY },
    };
    this.#peers.set(name, peer);
    return peer;
  }

  remove(name: PeerName): void {
    this.#peers.delete(name);
  }
}

/** A peer as the rest of the node sees it. */
export function viewOf(
  peer: ConnectedPeer,
  connection: Connection,
  versions: VersionRegistry,
  figures: Pick<PeerView, "score" | "latencyMs">,
): PeerView {
  const { name, nodeKey, connectedAtMs, status } = peer;
  const announced = nodeKey === null ? undefined : versions.get(nodeKey);
  return {
    name,
    nodeKey,
    address: connection.remoteAddr.toString(),
    direction: connection.direction,
    isRelayed: !connection.direct,
    version: announced?.version ?? null,
    apiVersion: announced?.apiVersion ?? null,
    status,
    connectedAtMs,
    ...figures,
  };
}
