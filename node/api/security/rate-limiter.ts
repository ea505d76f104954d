// Token buckets by address: a lasting rate with a burst on top.
import { LRUCache } from "lru-cache";
import type { Clock } from "#shared/util/clock.ts";
import type { ApiLimits } from "../limits.ts";

/** How fast one address may be. */
export type RateLimits = Pick<ApiLimits, "requestsPerSecond" | "requestBurst" | "rateEntries">;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Counts requests of addresses. */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  readonly #buckets: LRUCache<string, Bucket>;

  constructor(limits: RateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#buckets = new LRUCache({ max: limits.rateEntries });
  }

  /** Takes one request of an address: 0 when it may continue, else the time until the next one may, ms. */
  take(address: string): number {
    const { requestsPerSecond, requestBurst } = this.#limits;
    const nowMs = this.#clock.monotonicMs();
    const bucket = this.#buckets.get(address) ?? { tokens: requestBurst, atMs: nowMs };
    bucket.tokens = Math.min(requestBurst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * requestsPerSecond);
    bucket.atMs = nowMs;
    this.#buckets.set(address, bucket);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / requestsPerSecond) * 1000);
    bucket.tokens -= 1;
    return 0;
  }

  /**
   * Counts what is about to cost as much as several more requests: 0 when it may begin, else the time until it may, ms. An address that owes
   * some already must wait, however many of its requests were taken before.
   */
  spend(address: string, requests: number): number {
    const { requestsPerSecond } = this.#limits;
    const bucket = this.#buckets.get(address);
    if (requests < 1 || bucket === undefined) return 0;
    const owed = -bucket.tokens - ((this.#clock.monotonicMs() - bucket.atMs) / 1000) * requestsPerSecond;
    if (owed > 0) return Math.ceil((owed / requestsPerSecond) * 1000);
    this.charge(address, requests);
    return 0;
  }

  /** Counts what cost as much as several requests, or less than was counted; an address that has none left waits the longer. */
  charge(address: string, requests: number): void {
    const { requestBurst } = this.#limits;
    const bucket = this.#buckets.get(address);
    if (bucket !== undefined) bucket.tokens = Math.min(requestBurst, Math.max(-requestBurst, bucket.tokens - requests));
  }
}
