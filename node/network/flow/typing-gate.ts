// Typing notices pass once a second and pair: they say the same until they stop.
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { TypingNotice } from "../peer-network.ts";

/** Remembers which pairs were heard lately. */
export class TypingGate {
  readonly #heard = new Map<string, number>();

  /** True when nothing was heard of the pair for a while. Times are monotonic, ms. */
  pass({ to, from }: TypingNotice, nowMs: number): boolean {
    const pair = `${to}${from}`;
    if (nowMs - (this.#heard.get(pair) ?? Number.NEGATIVE_INFINITY) < NETWORK_LIMITS.typingIntervalMs) return false;
    this.#heard.delete(pair);
    if (this.#heard.size >= NETWORK_LIMITS.typingPairs) {
      const oldest = this.#heard.keys().next();
      if (oldest.done !== true) this.#heard.delete(oldest.value);
    }
    this.#heard.set(pair, nowMs);
    return true;
  }
}

/** True for a notice of about now. Times are unix, ms. */
export function isRecentNotice(atSec: number, nowMs: number): boolean {
  return Math.abs(nowMs - atSec * 1000) <= NETWORK_LIMITS.typingLifetimeMs;
}
