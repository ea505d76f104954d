// Maintains connections to bootstrap peers and validators: dials them, and again with growing pauses.
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";

/** A peer to stay connected with. */
export interface DialTarget {
  /** Tells targets apart. */
  readonly name: string;
  readonly isConnected: () => boolean;
  /** Rejects when the peer cannot be reached. */
  readonly dial: () => Promise<unknown>;
}

interface Attempt {
  pauseMs: number;
  nextAtMs: number;
  isRunning: boolean;
}

/** Dials targets that are not connected; call {@link Redialer.maintain} now and then. */
export class Redialer {
  readonly #clock: Clock;
  readonly #targets: () => readonly DialTarget[];
  readonly #attempts = new Map<string, Attempt>();

  constructor(clock: Clock, targets: () => readonly DialTarget[]) {
    this.#clock = clock;
    this.#targets = targets;
  }

  /** Starts the dials that are due. */
  maintain(): void {
    const targets = this.#targets();
    const names = new Set(targets.map(({ name }) => name));
    for (const name of this.#attempts.keys()) if (!names.has(name)) this.#attempts.delete(name);
    for (const target of targets) this.#maintainOne(target);
  }

  #maintainOne(target: DialTarget): void {
    if (target.isConnected()) {
      this.#attempts.delete(target.name);
      return;
    }
    const nowMs = this.#clock.monotonicMs();
    const attempt = this.#attempts.get(target.name) ?? { pauseMs: NETWORK_LIMITS.firstRedialMs, nextAtMs: nowMs, isRunning: false };
    this.#attempts.set(target.name, attempt);
    if (attempt.isRunning || attempt.nextAtMs > nowMs) return;
    attempt.isRunning = true;
    void target
      .dial()
      .catch(() => undefined)
      .then(() => {
        attempt.isRunning = false;
        attempt.nextAtMs = this.#clock.monotonicMs() + attempt.pauseMs;
        attempt.pauseMs = Math.min(NETWORK_LIMITS.lastRedialMs, attempt.pauseMs * 2);
      });
  }
}
