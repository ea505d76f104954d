// A lasting rate with a burst on top, counted in whatever the taker counts: messages, bytes, requests.
import type { Rate } from "../network-limits.ts";

/** Tokens that fill up with time. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #atMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#atMs = nowMs;
  }

  /** True when there are as many tokens. */
  has(count: number, nowMs: number): boolean {
    const { perSecond, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, nowMs - this.#atMs) / 1000) * perSecond);
    this.#atMs = nowMs;
    return this.#tokens >= count;
  }

  /** Takes the tokens and says true, or takes nothing. */
  take(count: number, nowMs: number): boolean {
    if (!this.has(count, nowMs)) return false;
    this.#tokens -= count;
    return true;
  }

  /** Takes the tokens in any case, also those that are not there yet. @returns whether some are left. */
  spend(count: number, nowMs: number): boolean {
    this.has(0, nowMs);
    this.#tokens -= count;
    return this.#tokens > 0;
  }

  /** Gives tokens back. */
  giveBack(count: number): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + count);
  }
}

/** Buckets for messages and bytes of one sender. */
export class FlowMeter {
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;

  constructor(rates: { readonly messages: Rate; readonly bytes: Rate }, nowMs: number) {
    this.#messages = new TokenBucket(rates.messages, nowMs);
    this.#bytes = new TokenBucket(rates.bytes, nowMs);
  }

  /** True when one more message of this size is within both rates. */
  take(bytes: number, nowMs: number): boolean {
    return this.#messages.take(1, nowMs) && this.#bytes.take(bytes, nowMs);
  }
}
