// Decides when an idle height gets going: pending work after the smallest block interval, or a heartbeat due.
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";

/** Pause before a heartbeat that found nothing to do is tried again, ms: of a network whose heartbeat is shorter, that of the heartbeat. */
const HEARTBEAT_RETRY_MS = { least: 50, most: 1_000 };

/** The pace of the network. Blocks change it, so it is looked at whenever it is needed. */
export interface Pace {
  /** Least time from one commit to the next proposal of this node, ms; 0 allowed. */
  readonly minBlockIntervalMs: number;
  /** Time after the tip at which an empty block is due, ms. */
  readonly heartbeatMs: number;
}

/** What the pacemaker is made of. `wake` is called when it is time to look for work. */
export interface PacemakerDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly pace: Pace;
  wake(): void;
}

/** At most two timers: one for pending work, one for the heartbeat. None of them polls. */
export class Pacemaker {
  readonly #dependencies: PacemakerDependencies;
  #tipTimeMs = 0;
  #lastCommitMs = Number.NEGATIVE_INFINITY;
  #cancelWork: CancelTimer | null = null;
  #workDueMs = 0;
  #cancelHeartbeat: CancelTimer | null = null;

  constructor(dependencies: PacemakerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins to watch for the heartbeat of a chain whose tip has this time. */
  start(tipTimeMs: number): void {
    this.#tipTimeMs = tipTimeMs;
    this.#armHeartbeat(0);
  }

  /** A block was committed: the next one comes no earlier than the interval after it. */
  committed(tipTimeMs: number): void {
    this.#tipTimeMs = tipTimeMs;
    this.#lastCommitMs = this.#dependencies.clock.monotonicMs();
  }

  /** There may be work after a while: wakes as soon as the interval allows then. */
  requestWork(afterMs = 0): void {
    const { clock, timers, pace } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const dueMs = Math.max(nowMs + afterMs, this.#lastCommitMs + pace.minBlockIntervalMs);
    if (this.#cancelWork !== null && this.#workDueMs <= dueMs) return;
    this.#cancelWork?.();
    this.#workDueMs = dueMs;
    this.#cancelWork = timers.setTimer(dueMs - nowMs, () => {
      this.#cancelWork = null;
      this.#dependencies.wake();
    });
  }

  /** Cancels both timers. */
  stop(): void {
    this.#cancelWork?.();
    this.#cancelHeartbeat?.();
    this.#cancelWork = null;
    this.#cancelHeartbeat = null;
  }

  // Not re-armed at each block: it fires, sees the newer tip and waits for the remainder.
  #armHeartbeat(leastMs: number): void {
    const { timers, pace } = this.#dependencies;
    this.#cancelHeartbeat = timers.setTimer(Math.max(leastMs, this.#untilHeartbeatMs()), () => {
      const isDue = this.#untilHeartbeatMs() === 0;
      if (isDue) this.requestWork();
      const { least, most } = HEARTBEAT_RETRY_MS;
      const pauseMs = Math.min(most, Math.max(least, pace.heartbeatMs));
      // Where a tip is newer by a moment, a short heartbeat would miss every second turn.
      this.#armHeartbeat(isDue || pauseMs === most ? pauseMs : 0);
    });
  }

  #untilHeartbeatMs(): number {
    return Math.max(0, this.#tipTimeMs + this.#dependencies.pace.heartbeatMs - this.#dependencies.clock.nowMs());
  }
}
