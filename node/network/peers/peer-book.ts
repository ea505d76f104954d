// Who is connected, and what each peer told of itself.
import type { Connection, PeerId } from "@libp2p/interface";
import { nodeKeyOf } from "../peer-name.ts";
import type { ChainStatus, PeerName, PeerView } from "../peer-network.ts";
import type { VersionBook } from "./version-book.ts";

/** A connected peer. */
export interface BookedPeer {
  readonly id: PeerId;
  readonly name: PeerName;
  readonly nodeKey: string | null;
  readonly connectedAtMs: number;
  /** Monotonic time of the connection. */
  readonly sinceMs: number;
  status: ChainStatus | null;
}

/** Connected peers by name. */
export class PeerBook {
  readonly #peers = new Map<PeerName, BookedPeer>();

  get(name: PeerName): BookedPeer | undefined {
    return this.#peers.get(name);
  }

  all(): readonly BookedPeer[] {
    return [...this.#peers.values()];
  }

  add(id: PeerId, times: { readonly nowMs: number; readonly monotonicMs: number }): BookedPeer {
    const name = id.toString();
    const peer: BookedPeer = {
      id,
      name,
      nodeKey: nodeKeyOf(name),
      connectedAtMs: times.nowMs,
      sinceMs: times.monotonicMs,
      status: null,
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
  peer: BookedPeer,
  connection: Connection,
  versions: VersionBook,
  figures: Pick<PeerView, "score" | "latencyMs">,
): PeerView {
  const { name, nodeKey, connectedAtMs, status } = peer;
  const told = nodeKey === null ? undefined : versions.get(nodeKey);
  return {
    name,
    nodeKey,
    address: connection.remoteAddr.toString(),
    direction: connection.direction,
    isRelayed: !connection.direct,
    version: told?.version ?? null,
    apiVersion: told?.apiVersion ?? null,
    status,
    connectedAtMs,
    ...figures,
  };
}
