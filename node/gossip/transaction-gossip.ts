// Takes transactions of other nodes into the pool, and says whether they are worth forwarding.
import { LRUCache } from "lru-cache";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import type { Rate } from "#node/network/network-limits.ts";
import type { PeerParty, ValidationResult } from "#node/network/peer-network.ts";
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
/** Refused calls of all parties of a standing: a network of 65,536 addresses costs little. 29 % of a processor at the worst, in all. */
const REFUSED_CALLS: Readonly<Record<Exclude<PeerParty["standing"], "exempt">, Rate>> = {
  useful: { perSecond: 48, burst: 512 },
  stranger: { perSecond: 24, burst: 256 },
};
/** Types that run code in their trial, or have up to 64 headers to read. */
const TRIED: ReadonlySet<TransactionType> = new Set(["CALL_CONTRACT", "DEPLOY_CONTRACT", "SLASH"]);
/** Parties of which this is counted. */
const COUNTED_PARTIES = 1_024;
/** A message travels on as it is when so much of it was new; of one with less, what was new travels alone. */
const WORTHY_SHARE = 0.5;

type Outcome = ValidationResult | OnlyCosts;

/** What gossip works with. */
export interface TransactionGossipDependencies {
  /** @throws CodedError with the reason; nothing was taken in. */
  submit(transaction: Transaction): Promise<unknown>;
  /** True for an id that is pending or was committed lately. */
  isKnown(id: string): boolean;
  /** True while this node cannot validate, because its state is old. */
  isBehind(): boolean;
  /** Sends on what was new here, in a message of its own. */
  forward(transactions: readonly Transaction[]): void;
  readonly clock: Clock;
}

/** Who brings transactions. */
export interface Bringer {
  /** What it is counted by: another name costs nothing, another address does. */
  readonly party: PeerParty;
  /** It brings more than its share of what only costs work. */
  onFlood(): void;
}

/** Validates what comes in. */
export class TransactionGossip {
  readonly #dependencies: TransactionGossipDependencies;
  /** Until when, by signature: an id alone could be used to keep another sender's transaction out. */
  readonly #refused = new Map<string, number>();
  readonly #buckets: Readonly<Record<OnlyCosts, LRUCache<string, TokenBucket>>> = {
    unpayable: new LRUCache({ max: COUNTED_PARTIES }),
    refusedCall: new LRUCache({ max: COUNTED_PARTIES }),
    forbidden: new LRUCache({ max: COUNTED_PARTIES }),
  };

  readonly #refusedCalls: Readonly<Record<keyof typeof REFUSED_CALLS, TokenBucket>>;

  constructor(dependencies: TransactionGossipDependencies) {
    this.#dependencies = dependencies;
    const nowMs = dependencies.clock.monotonicMs();
    const { useful, stranger } = REFUSED_CALLS;
    this.#refusedCalls = { useful: new TokenBucket(useful, nowMs), stranger: new TokenBucket(stranger, nowMs) };
  }

  /**
   * Takes transactions in. Wrong ones spoil the whole message: its sender put it together or should have checked. One whose sender cannot
   * pay, or that the state forbids, is no proof of that, but beyond a rate they cost the peer that brings them. So a message with any of
   * them does not travel on, or this node would pay for it at its own peers; what was new in it does.
   */
  async validate(transactions: readonly Transaction[], bringer?: Bringer): Promise<ValidationResult> {
    if (this.#dependencies.isBehind()) return "ignore";
    const results = await this.#takeAll(transactions, bringer);
    const fresh = transactions.filter((_, index) => results[index] === "accept");
    const isRejected = results.includes("reject");
    const isSound = results.every((result) => result === "accept" || result === "ignore");
    if (isSound && fresh.length > 0 && fresh.length >= transactions.length * WORTHY_SHARE) return "accept";
    if (fresh.length > 0) this.#dependencies.forward(fresh);
    return isRejected ? "reject" : "ignore";
  }

  /** In their order. Those that cost most are tried one at a time, so that no more are than their bringer may have refused. */
  async #takeAll(transactions: readonly Transaction[], bringer: Bringer | undefined): Promise<readonly Outcome[]> {
    const results: Outcome[] = [];
    let underWay: Promise<Outcome>[] = [];
    for (const transaction of transactions) {
      if (!TRIED.has(transaction.type)) {
        underWay.push(this.#take(transaction).then((result) => this.#counted(result, bringer)));
        continue;
      }
      results.push(...(await Promise.all(underWay)));
      underWay = [];
      results.push(this.#counted(await this.#try(transaction, bringer), bringer));
    }
    return [...results, ...(await Promise.all(underWay))];
  }

  /** Without credit nothing is tried. */
  async #try(transaction: Transaction, bringer: Bringer | undefined): Promise<Outcome> {
    if (this.#isOld(transaction)) return "ignore";
    const nowMs = this.#dependencies.clock.monotonicMs();
    if (bringer !== undefined && !this.#bucketOf(bringer, "refusedCall").has(1, nowMs)) return "refusedCall";
    // Others used up what there is for all: that is not its fault.
    if (this.#allOf(bringer)?.has(1, nowMs) === false) return "ignore";
    return await this.#take(transaction);
  }

  /** Counts what only costs work, and gives it back. */
  #counted(result: Outcome, bringer: Bringer | undefined): Outcome {
    if (bringer === undefined || !isOnlyCosts(result)) return result;
    const nowMs = this.#dependencies.clock.monotonicMs();
    if (!this.#bucketOf(bringer, result).take(1, nowMs)) bringer.onFlood();
    else if (result === "refusedCall") this.#allOf(bringer)?.take(1, nowMs);
    return result;
  }

  #allOf(bringer: Bringer | undefined): TokenBucket | undefined {
    const standing = bringer?.party.standing ?? "exempt";
    return standing === "exempt" ? undefined : this.#refusedCalls[standing];
  }

  #bucketOf({ party: { name } }: Bringer, what: OnlyCosts): TokenBucket {
    const buckets = this.#buckets[what];
    const bucket = buckets.get(name) ?? new TokenBucket(RATES[what], this.#dependencies.clock.monotonicMs());
    buckets.set(name, bucket);
    return bucket;
  }

  #isOld({ id, signature }: Transaction): boolean {
    return this.#dependencies.isKnown(id) || this.#isRefused(signature);
  }

  async #take(transaction: Transaction): Promise<Outcome> {
    if (this.#isOld(transaction)) return "ignore";
    try {
      await this.#dependencies.submit(transaction);
      return "accept";
    } catch (error) {
      if (!isCodedError(error)) throw error;
      if (ALWAYS_WRONG.has(error.code)) return "reject";
      if (error.code !== "TX_DUPLICATE") this.#refuse(transaction.signature);
      if (error.code === "TX_INSUFFICIENT_BALANCE") return "unpayable";
      // A large one that finds no room is refused before its signature is looked at, and reading it costs as much as a trial.
      if (error.code !== "TX_REJECTED" && error.code !== "LARGE_LIMIT") return "ignore";
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

function isOnlyCosts(result: Outcome): result is OnlyCosts {
  return result in RATES;
}
