// A rate of each party, and one of all together: what costs its sender nothing, and would else travel through the whole network.
import { LRUCache } from "lru-cache";
import type { Rate } from "../network-limits.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Parties whose rate is remembered. */
const PARTIES = 1_024;

/** Counts by party. */
export class SharedRate {
  readonly #ofParty: Rate;
  readonly #total: TokenBucket;
  readonly #parties = new LRUCache<string, TokenBucket>({ max: PARTIES });

  constructor({ party, total }: { readonly party: Rate; readonly total: Rate }, nowMs: number) {
    this.#ofParty = party;
    this.#total = new TokenBucket(total, nowMs);
  }

  /** True when one more of a party, or so much more, is within both rates. */
  take(party: string, nowMs: number, amount = 1): boolean {
    const own = this.#parties.get(party) ?? new TokenBucket(this.#ofParty, nowMs);
    this.#parties.set(party, own);
    return own.has(amount, nowMs) && this.#total.take(amount, nowMs) && own.take(amount, nowMs);
  }

  /** Takes so much in any case: nothing more is within the rates before that is made up for. */
  spend(party: string, nowMs: number, amount: number): void {
    const own = this.#parties.get(party) ?? new TokenBucket(this.#ofParty, nowMs);
    this.#parties.set(party, own);
    own.spend(amount, nowMs);
    this.#total.spend(amount, nowMs);
  }
}
