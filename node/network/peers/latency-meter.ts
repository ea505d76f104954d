// How long peers take to answer. A busy machine makes single answers late, so the quickest of the latest ones counts: it tells how far away
// the peer is.
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";

/** What the meter works with. */
export interface LatencyMeterDependencies {
  readonly clock: Clock;
  /** Time until the answer, ms; rejects when there is none. */
  readonly ping: (peer: PeerName) => Promise<number>;
}

interface Measured {
  askedAtMs: number;
  isAsking: boolean;
  /** Latest last. */
  readonly times: number[];
}

/** Answers that are remembered of a peer. */
const KEPT_TIMES = 4;

/** Pings every peer at a slow pace; call {@link LatencyMeter.tend} now and then. */
export class LatencyMeter {
  readonly #dependencies: LatencyMeterDependencies;
  readonly #measured = new Map<PeerName, Measured>();

  constructor(dependencies: LatencyMeterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Milliseconds there and back; null before the first answer. */
  of(peer: PeerName): number | null {
    const times = this.#measured.get(peer)?.times ?? [];
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Measures these peers and forgets all others. */
  tend(peers: readonly PeerName[]): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    for (const peer of this.#measured.keys()) if (!peers.includes(peer)) this.#measured.delete(peer);
    for (const peer of peers) {
      const measured = this.#measured.get(peer) ?? { askedAtMs: Number.NEGATIVE_INFINITY, isAsking: false, times: [] };
      this.#measured.set(peer, measured);
      if (!measured.isAsking && nowMs - measured.askedAtMs >= NETWORK_LIMITS.latencyIntervalMs) this.#ask(peer, measured, nowMs);
    }
  }

  #ask(peer: PeerName, measured: Measured, nowMs: number): void {
    measured.askedAtMs = nowMs;
    measured.isAsking = true;
    void this.#dependencies
      .ping(peer)
      .then((ms) => {
        measured.times.push(ms);
        if (measured.times.length > KEPT_TIMES) measured.times.shift();
      })
      .catch(() => undefined)
      .then(() => {
        measured.isAsking = false;
      });
  }
}
