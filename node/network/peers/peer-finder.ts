// Fills up outbound connections with peers that were discovered or are remembered, and ends those that are too many.
import type { Libp2p, PeerId } from "@libp2p/interface";
import type { Clock } from "#shared/util/clock.ts";
import { RecentSet } from "../flow/recent-set.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { type ConnectionGateDependencies, countedConnections } from "./connection-gate.ts";

export interface PeerFinderDependencies {
  readonly libp2p: Libp2p;
  readonly clock: Clock;
  readonly gate: ConnectionGateDependencies;
}

/** Dials at once. */
const PARALLEL_DIALS = 4;
/** A peer that did not respond is not dialled again for this long, ms. */
const FAILED_MS = 60_000;

/** Finds peers to connect to. */
export class PeerFinder {
  readonly #dependencies: PeerFinderDependencies;
  #failed = new RecentSet(1_024);
  #failedSinceMs: number;
  #dialling = 0;

  constructor(dependencies: PeerFinderDependencies) {
    this.#dependencies = dependencies;
    this.#failedSinceMs = dependencies.clock.monotonicMs();
  }

  /** A peer was discovered: dials it when there is room. */
  found(peer: PeerId): void {
    const name = peer.toString();
    const { libp2p, gate } = this.#dependencies;
    const isDialable = !gate.isBanned(name) && !this.#failed.has(name) && libp2p.getConnections(peer).length === 0;
    if (!isDialable || this.#dialling >= PARALLEL_DIALS || this.#outbound() >= NETWORK_LIMITS.outboundConnections) return;
    this.#dialling += 1;
    void libp2p
      .dial(peer, { signal: AbortSignal.timeout(NETWORK_LIMITS.dialTimeoutMs) })
      .catch(() => this.#failed.add(name))
      .then(() => {
        this.#dialling -= 1;
      });
  }

  /** Dials remembered peers while there are few connections, and ends the youngest of too many. */
  async maintain(): Promise<void> {
    const { libp2p, clock, gate } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#failedSinceMs > FAILED_MS) {
      this.#failed = new RecentSet(1_024);
      this.#failedSinceMs = nowMs;
    }
    const counted = countedConnections(gate, "outbound");
    for (const connection of counted.slice(NETWORK_LIMITS.outboundConnections)) void connection.close().catch(() => undefined);
    if (counted.length >= NETWORK_LIMITS.outboundTarget) return;
    for (const { id, addresses } of await libp2p.peerStore.all()) if (addresses.length > 0 && !id.equals(libp2p.peerId)) this.found(id);
  }

  #outbound(): number {
    return countedConnections(this.#dependencies.gate, "outbound").length + this.#dialling;
  }
}
