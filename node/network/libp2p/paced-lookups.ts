// Lookups of peers at a bounded rate: a node that finds too few relays would look for random peers without a pause, and keep itself and
// the peers that answer busy.
import { setTimeout as delay } from "node:timers/promises";
import type { PeerInfo } from "@libp2p/interface";
import type { Clock } from "#shared/util/clock.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import type { Rate } from "../network-limits.ts";

/** The peers that are closest to a key, as they are found. */
export type Lookup = (key: Uint8Array, options?: { readonly signal?: AbortSignal }) => AsyncIterable<PeerInfo>;

/** The same lookups, each of which begins when the rate allows it. A signal ends the waiting. */
export function pacedLookups(lookup: Lookup, rate: Rate, clock: Pick<Clock, "monotonicMs">): Lookup {
  const bucket = new TokenBucket(rate, clock.monotonicMs());
  return async function* (key, options = {}) {
    const { signal } = options;
    while (!bucket.take(1, clock.monotonicMs())) await delay(1_000 / rate.perSecond, undefined, { ref: false, ...(signal && { signal }) });
    yield* lookup(key, options);
  };
}
