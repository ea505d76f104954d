// How often the addresses of strangers are dialled: by address and subnet, since peer ids and ports cost nothing. Without it, one who reports
// a thousand peers at one address has every node of the network connect there again and again.
import { LRUCache } from "lru-cache";
import type { PeerSource } from "../addresses/peer-source.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import type { Rate } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";

/** Dials of each target. */
export class DialRate {
  readonly #nowMs: () => number;
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: PEER_LIMITS.dialTargets });

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Counts a dial; false when there were too many lately. Private networks are not counted: they hold whole test networks. */
  take({ host, subnet, isLocal }: PeerSource): boolean {
    if (isLocal) return true;
    const nowMs = this.#nowMs();
    const { dialsPerHost, dialsPerSubnet, dialPauseMsOfHost, dialPauseMsOfSubnet } = PEER_LIMITS;
    const buckets = [
      this.#bucketOf(host, { perSecond: 1_000 / dialPauseMsOfHost, burst: dialsPerHost }),
      this.#bucketOf(subnet, { perSecond: 1_000 / dialPauseMsOfSubnet, burst: dialsPerSubnet }),
    ];
    return buckets.every((bucket) => bucket.has(1, nowMs)) && buckets.every((bucket) => bucket.take(1, nowMs));
  }

  #bucketOf(name: string, rate: Rate): TokenBucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket = new TokenBucket(rate, this.#nowMs());
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
