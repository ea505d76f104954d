// Round-trip times of peers. A busy machine makes single responses late, so the quickest of the latest ones counts.
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";

export interface LatencyMeterDependencies {
  readonly clock: Clock;
  /** Round-trip time, ms; rejects when there is no response. */
  readonly ping: (peer: PeerName) => Promise<number>;
}

interface Measured {
  sentAtMs: number;
  isMeasuring: boolean;
  /** Latest last. */
  readonly times: number[];
}

/** Measurements that are remembered of a peer. */
const MAX_TIMES = 4;

/** Pings every peer at a slow pace; call {@link LatencyMeter.poll} now and then. */
export class LatencyMeter {
  readonly #dependencies: LatencyMeterDependencies;
  readonly #measured = new Map<PeerName, Measured>();

  constructor(dependencies: LatencyMeterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Round-trip time, ms; null before the first response. */
  of(peer: PeerName): number | null {
    const times = this.#measured.get(peer)?.times ?? [];
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Measures these peers and forgets all others. */
  poll(peers: readonly PeerName[]): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    for (const peer of this.#measured.keys()) if (!peers.includes(peer)) this.#measured.delete(peer);
    for (const peer of peers) {
      const measured = this.#measured.get(peer) ?? { sentAtMs: Number.NEGATIVE_INFINITY, isMeasuring: false, times: [] };
      this.#measured.set(peer, measured);
      if (!measured.isMeasuring && nowMs - measured.sentAtMs >= NETWORK_LIMITS.latencyIntervalMs) this.#measure(peer, measured, nowMs);
    }
  }

  #measure(peer: PeerName, measured: Measured, nowMs: number): void {
    measured.sentAtMs = nowMs;
    measured.isMeasuring = true;
    void this.#dependencies
      .ping(peer)
      .then((ms) => {
        measured.times.push(ms);
        if (measured.times.length > MAX_TIMES) measured.times.shift();
      })
      .catch(() => undefined)
      .then(() => {
        measured.isMeasuring = false;
      });
  }
}
