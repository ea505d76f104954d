// Typing notices pass once a second and pair: they say the same until they stop.
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { TypingNotice } from "../peer-network.ts";

/** Remembers which pairs passed lately. */
export class TypingGate {
  readonly #passedAtMs = new Map<string, number>();

  /** True when no notice of the pair passed for a while. Times are monotonic, ms. */
  pass({ to, from }: TypingNotice, nowMs: number): boolean {
    const pair = `${to}${from}`;
    if (nowMs - (this.#passedAtMs.get(pair) ?? Number.NEGATIVE_INFINITY) < NETWORK_LIMITS.typingIntervalMs) return false;
    this.#passedAtMs.delete(pair);
    if (this.#passedAtMs.size >= NETWORK_LIMITS.typingPairs) {
      const oldest = this.#passedAtMs.keys().next();
      if (oldest.done !== true) this.#passedAtMs.delete(oldest.value);
    }
    this.#passedAtMs.set(pair, nowMs);
    return true;
  }
}

/** True for a notice of about now. Times are unix, ms. */
export function isRecentNotice(atSec: number, nowMs: number): boolean {
  return Math.abs(nowMs - atSec * 1000) <= NETWORK_LIMITS.typingLifetimeMs;
}
