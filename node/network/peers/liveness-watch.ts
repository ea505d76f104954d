// Finds connections that are dead though no side closed them: the machine changed its network, the other one lost its power. The system
// would notice after a quarter of an hour. A peer that is only busy misses some pings, but not all that it is sent for so long.
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";

export interface LivenessWatchDependencies {
  readonly clock: Clock;
  /** Rejects when the peer does not respond. */
  readonly ping: (peer: PeerName) => Promise<unknown>;
  /** The connection is of no use any more. */
  readonly onDead: (peer: PeerName) => void;
}

interface Pulse {
  lastSeenMs: number;
  pingedAtMs: number;
  isPinging: boolean;
}

/** Pings peers that are silent; call {@link LivenessWatch.poll} now and then. */
export class LivenessWatch {
  readonly #dependencies: LivenessWatchDependencies;
  readonly #pulses = new Map<PeerName, Pulse>();
  #maintainedAtMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: LivenessWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Something came from the peer. */
  noteReceived(peer: PeerName): void {
    const pulse = this.#pulses.get(peer);
    if (pulse !== undefined) pulse.lastSeenMs = this.#dependencies.clock.monotonicMs();
  }

  /** Checks these peers and forgets all others. */
  poll(peers: readonly PeerName[]): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    const wasAway = nowMs - this.#maintainedAtMs > NETWORK_LIMITS.pingIntervalMs;
    this.#maintainedAtMs = nowMs;
    for (const peer of this.#pulses.keys()) if (!peers.includes(peer)) this.#pulses.delete(peer);
    for (const peer of peers) {
      const pulse = this.#pulses.get(peer) ?? { lastSeenMs: nowMs, pingedAtMs: nowMs, isPinging: false };
      this.#pulses.set(peer, pulse);
      // When this node itself was suspended, silence proves nothing.
      if (wasAway) pulse.lastSeenMs = nowMs;
      this.#pollOne(peer, pulse, nowMs);
    }
  }

  #pollOne(peer: PeerName, pulse: Pulse, nowMs: number): void {
    if (nowMs - pulse.lastSeenMs > NETWORK_LIMITS.silenceMs) {
      this.#pulses.delete(peer);
      this.#dependencies.onDead(peer);
      return;
    }
    const isSilent = nowMs - Math.max(pulse.lastSeenMs, pulse.pingedAtMs) >= NETWORK_LIMITS.pingIntervalMs;
    if (!isSilent || pulse.isPinging) return;
    pulse.isPinging = true;
    pulse.pingedAtMs = nowMs;
    void this.#dependencies
      .ping(peer)
      .then(() => this.noteReceived(peer))
      .catch(() => undefined)
      .then(() => {
        pulse.isPinging = false;
      });
  }
}
