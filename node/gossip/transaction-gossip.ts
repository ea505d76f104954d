// Takes transactions of other nodes into the pool, and says whether they are worth forwarding.
import { LRUCache } from "lru-cache";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import type { Rate } from "#node/network/network-limits.ts";
import type { PeerName, ValidationResult } from "#node/network/peer-network.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import type { Clock } from "#shared/util/clock.ts";

/** What no honest node forwards: it is wrong on every node and at every time. */
const ALWAYS_WRONG: ReadonlySet<ErrorCode> = new Set(["TX_MALFORMED", "TX_SIGNATURE", "TX_ID_MISMATCH", "TX_FEE_TOO_LOW"]);
/** Transactions that were refused lately and are not checked again … */
const REFUSED_CAPACITY = 32_768;
/** … for this long, ms: a full pool has room again, and a sender who could not pay may be paid. */
export const REFUSED_MS = 5_000;

/** What a peer may bring that only costs work: a peer whose state is a block ahead brings some. */
type OnlyCosts = "unpayable" | "refusedCall" | "forbidden";

/**
 * Transactions whose senders cannot pay; calls of contracts that their trial refuses and evidence that proves nothing, 4 ms of a processor
 * each at the worst; and others that a rule of their type forbids, which cost a signature and their senders nothing.
 */
const RATES: Readonly<Record<OnlyCosts, Rate>> = {
  unpayable: { perSecond: 32, burst: 512 },
  refusedCall: { perSecond: 12, burst: 128 },
  forbidden: { perSecond: 32, burst: 512 },
};
/** Types that run code in their trial, or have up to 64 headers to read. */
const TRIED: ReadonlySet<TransactionType> = new Set(["CALL_CONTRACT", "DEPLOY_CONTRACT", "SLASH"]);
const KINDS = Object.keys(RATES) as readonly OnlyCosts[];
/** Peers of which this is counted. */
const COUNTED_PEERS = 256;

/** What gossip works with. */
export interface TransactionGossipDependencies {
  /** @throws CodedError with the reason; nothing was taken in. */
  submit(transaction: Transaction): Promise<unknown>;
  /** True for an id that is pending or was committed lately. */
  isKnown(id: string): boolean;
  /** True while this node cannot validate, because its state is old. */
  isBehind(): boolean;
  /** A peer brings more than its share of what only costs work. */
  onFlood(peer: PeerName): void;
  readonly clock: Clock;
}

/** Validates what comes in. */
export class TransactionGossip {
  readonly #dependencies: TransactionGossipDependencies;
  /** Until when, by signature: an id alone could be used to keep another sender's transaction out. */
  readonly #refused = new Map<string, number>();
  readonly #buckets: Readonly<Record<OnlyCosts, LRUCache<PeerName, TokenBucket>>> = {
    unpayable: new LRUCache({ max: COUNTED_PEERS }),
    refusedCall: new LRUCache({ max: COUNTED_PEERS }),
    forbidden: new LRUCache({ max: COUNTED_PEERS }),
  };

  constructor(dependencies: TransactionGossipDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Takes transactions in. Wrong ones spoil the whole message: its sender put it together or should have checked. One whose sender cannot
   * pay, or that the state forbids, is no proof of that, but beyond a rate they cost the peer that brings them.
   */
  async validate(transactions: readonly Transaction[], peer?: PeerName): Promise<ValidationResult> {
    if (this.#dependencies.isBehind()) return "ignore";
    const results = await Promise.all(transactions.map((transaction) => this.#take(transaction)));
    if (peer !== undefined) for (const what of KINDS) this.#count(peer, what, results);
    if (results.includes("reject")) return "reject";
    return results.includes("accept") ? "accept" : "ignore";
  }

  #count(peer: PeerName, what: OnlyCosts, results: readonly (ValidationResult | OnlyCosts)[]): void {
    const count = results.filter((result) => result === what).length;
    if (count === 0) return;
    const nowMs = this.#dependencies.clock.monotonicMs();
    const buckets = this.#buckets[what];
    const bucket = buckets.get(peer) ?? new TokenBucket(RATES[what], nowMs);
    buckets.set(peer, bucket);
    if (!bucket.take(count, nowMs)) this.#dependencies.onFlood(peer);
  }

  async #take(transaction: Transaction): Promise<ValidationResult | OnlyCosts> {
    if (this.#dependencies.isKnown(transaction.id) || this.#isRefused(transaction.signature)) return "ignore";
    try {
      await this.#dependencies.submit(transaction);
      return "accept";
    } catch (error) {
      if (!isCodedError(error)) throw error;
      if (ALWAYS_WRONG.has(error.code)) return "reject";
      if (error.code !== "TX_DUPLICATE") this.#refuse(transaction.signature);
      if (error.code === "TX_INSUFFICIENT_BALANCE") return "unpayable";
      if (error.code !== "TX_REJECTED") return "ignore";
      return TRIED.has(transaction.type) ? "refusedCall" : "forbidden";
    }
  }

  #isRefused(signature: string): boolean {
    return this.#dependencies.clock.monotonicMs() < (this.#refused.get(signature) ?? 0);
  }

  #refuse(signature: string): void {
    this.#refused.delete(signature);
    this.#refused.set(signature, this.#dependencies.clock.monotonicMs() + REFUSED_MS);
    if (this.#refused.size <= REFUSED_CAPACITY) return;
    const oldest = this.#refused.keys().next();
    if (!oldest.done) this.#refused.delete(oldest.value);
  }
}
