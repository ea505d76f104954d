// Sends the validators transactions that wait too long for a block: gossip may have lost them, no peer may have been connected, and
// a proposer that does not know them would sleep on. This is what lets a height that one node wants start everywhere.
import { MAX_WORK_TRANSACTIONS } from "#node/engine/consensus-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";

/** Time without a block after which pending transactions are sent, ms. Doubles while nothing happens. */
export const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 32_000;
/** Most bytes that are sent at once, but for a single transaction. */
export const WORK_BYTES = 524_288;

export interface WaitingWorkDependencies {
  readonly timers: Timers;
  height(): Height;
  /** Pending transactions that may be in a block now, oldest first. */
  pending(): readonly Transaction[];
  /** True while this node is behind: then blocks come without its help. */
  isBehind(): boolean;
  send(height: Height, transactions: readonly Transaction[]): void;
}

/** At most one timer, none while nothing is pending. */
export class WaitingWork {
  readonly #dependencies: WaitingWorkDependencies;
  #cancel: CancelTimer | null = null;
  #isStopped = false;
  #waitMs = FIRST_WAIT_MS;
  /** Height and oldest pending transaction when the wait began. */
  #since: { readonly height: Height; readonly oldest: string | undefined } = { height: 0, oldest: undefined };

  constructor(dependencies: WaitingWorkDependencies) {
    this.#dependencies = dependencies;
  }

  /** A transaction became pending, or a block was committed. */
  notify(): void {
    if (this.#cancel === null && !this.#isStopped) this.#watch(FIRST_WAIT_MS);
  }

  /** A new peer can receive them: does not wait longer than the first time. */
  retrySoon(): void {
    if (this.#cancel === null || this.#waitMs === FIRST_WAIT_MS) return;
    this.#cancel();
    this.#watch(FIRST_WAIT_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  #watch(waitMs: number): void {
    const { timers, height, pending } = this.#dependencies;
    this.#waitMs = waitMs;
    this.#since = { height: height(), oldest: pending()[0]?.id };
    this.#cancel = timers.setTimer(waitMs, () => {
      this.#cancel = null;
      this.#check();
    });
  }

  #check(): void {
    const { height, pending, isBehind, send } = this.#dependencies;
    const transactions = pending();
    if (transactions.length === 0) return;
    // While blocks come without it, the validators may not know the oldest one either.
    const isWaiting = height() === this.#since.height || transactions[0]?.id === this.#since.oldest;
    if (!isWaiting || isBehind()) {
      this.#watch(FIRST_WAIT_MS);
      return;
    }
    send(height() + 1, oldestOf(transactions));
    this.#watch(Math.min(2 * this.#waitMs, LONGEST_WAIT_MS));
  }
}

function oldestOf(transactions: readonly Transaction[]): readonly Transaction[] {
  let bytes = 0;
  const end = transactions.findIndex((tx, index) => {
    bytes += encodeTransaction(tx).length;
    return index > 0 && bytes > WORK_BYTES;
  });
  return transactions.slice(0, Math.min(MAX_WORK_TRANSACTIONS, end === -1 ? transactions.length : end));
}
