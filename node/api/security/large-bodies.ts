// Addresses whose large transaction found no room: for a moment the next ones are refused before they are read, since reading one costs as
// much as many payments. A client that honours Retry-After notices nothing.
import { LRUCache } from "lru-cache";
import type { ApiLimits } from "../limits.ts";

/** Addresses that are remembered. */
const ADDRESSES = 4_096;

/** Knows who has to wait. */
export class LargeBodies {
  readonly #limits: Pick<ApiLimits, "refusedPauseMs" | "largeBodyBytes">;
  /** Until when, ms. */
  readonly #waiting = new LRUCache<string, number>({ max: ADDRESSES });

  constructor(limits: Pick<ApiLimits, "refusedPauseMs" | "largeBodyBytes">) {
    this.#limits = limits;
  }

  /** A large transaction of the address was refused. */
  refuse(address: string, nowMs: number): void {
    this.#waiting.set(address, nowMs + this.#limits.refusedPauseMs);
  }

  /** True when a body of these headers comes too soon after a refusal; one without a length may be of any size. */
  isTooSoon(address: string, headers: { readonly "content-length"?: string | undefined }, nowMs: number): boolean {
    const untilMs = this.#waiting.get(address);
    if (untilMs === undefined || nowMs >= untilMs) return false;
    const length = headers["content-length"];
    return length === undefined || Number(length) >= this.#limits.largeBodyBytes;
  }
}
