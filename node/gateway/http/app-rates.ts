// How fast programs may be. A connection that has shown its token has a rate of its own, so that no other program can use it up; before that
// the socket counts.
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { RateLimiter } from "#node/api/security/rate-limiter.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { GatewayLimits } from "../gateway-limits.ts";

/** The rates of one gateway. */
export class AppRates {
  readonly #all: RateLimiter;
  readonly #money: RateLimiter;
  /** Connections by the hash of their token, of those that were right. */
  readonly #known: LRUCache<string, string>;

  constructor(limits: GatewayLimits, clock: Clock) {
    const { requestsPerSecond, requestBurst, moneyPerSecond, moneyBurst, rateEntries } = limits;
    this.#all = new RateLimiter({ requestsPerSecond, requestBurst, rateEntries }, clock);
    this.#money = new RateLimiter({ requestsPerSecond: moneyPerSecond, requestBurst: moneyBurst, rateEntries }, clock);
    this.#known = new LRUCache({ max: rateEntries });
  }

  /** Takes one request before it is looked at. @throws CodedError RATE_LIMITED */
  take(socketName: string, token: string | undefined): void {
    const connection = token === undefined ? undefined : this.#known.get(hashOf(token));
    assertRate(this.#all.take(connection ?? socketName));
  }

  /** Takes one that spends. @throws CodedError RATE_LIMITED */
  takeMoney(connection: string): void {
    assertRate(this.#money.take(connection));
  }

  /** The token was right. */
  learn(token: string, connection: string): void {
    this.#known.set(hashOf(token), connection);
  }

  /** It is no longer. */
  forget(token: string): void {
    this.#known.delete(hashOf(token));
  }
}

function assertRate(waitMs: number): void {
  if (waitMs > 0)
    throw new CodedError("RATE_LIMITED", "Too many requests of this program: wait a moment and try again", {
      details: { retryAfterMs: waitMs },
    });
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
