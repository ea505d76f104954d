// Takes transactions of other nodes into the pool, and says whether they are worth forwarding.
import type { ValidationResult } from "#node/network/peer-network.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Clock } from "#shared/util/clock.ts";

/** What no honest node forwards: it is wrong on every node and at every time. */
const ALWAYS_WRONG: ReadonlySet<ErrorCode> = new Set(["TX_MALFORMED", "TX_SIGNATURE", "TX_ID_MISMATCH", "TX_FEE_TOO_LOW"]);
/** Transactions that were refused lately and are not checked again … */
const REFUSED_CAPACITY = 32_768;
/** … for this long, ms: a full pool has room again, and a sender who could not pay may be paid. */
export const REFUSED_MS = 5_000;

/** What gossip works with. */
export interface TransactionGossipDependencies {
  /** @throws CodedError with the reason; nothing was taken in. */
  submit(transaction: Transaction): Promise<unknown>;
  /** True for an id that is pending or was committed lately. */
  isKnown(id: string): boolean;
  /** True while this node cannot validate, because its state is old. */
  isBehind(): boolean;
  readonly clock: Clock;
}

/** Validates what comes in. */
export class TransactionGossip {
  readonly #dependencies: TransactionGossipDependencies;
  /** Until when, by signature: an id alone could be used to keep another sender's transaction out. */
  readonly #refused = new Map<string, number>();

  constructor(dependencies: TransactionGossipDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes transactions in. Wrong ones spoil the whole message: its sender put it together or should have checked. */
  async validate(transactions: readonly Transaction[]): Promise<ValidationResult> {
    if (this.#dependencies.isBehind()) return "ignore";
    const results = await Promise.all(transactions.map((transaction) => this.#take(transaction)));
    if (results.includes("reject")) return "reject";
    return results.includes("accept") ? "accept" : "ignore";
  }

  async #take(transaction: Transaction): Promise<ValidationResult> {
    if (this.#dependencies.isKnown(transaction.id) || this.#isRefused(transaction.signature)) return "ignore";
    try {
      await this.#dependencies.submit(transaction);
      return "accept";
    } catch (error) {
      if (!isCodedError(error)) throw error;
      if (ALWAYS_WRONG.has(error.code)) return "reject";
      if (error.code !== "TX_DUPLICATE") this.#refuse(transaction.signature);
      return "ignore";
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
