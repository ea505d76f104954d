// Tells the validators of transactions that wait too long for a block: gossip may have lost them, and a proposer that does not know
// them would sleep on. This is what lets a height that one node wants start everywhere.
import { MAX_WORK_TRANSACTIONS } from "#node/engine/consensus-network.ts";
import type { CancelTimer, Timers } from "#node/engine/timers.ts";
import type { Height } from "#shared/protocol/header.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";

/** Time without a block after which pending transactions are told, ms. Doubles while nothing happens. */
export const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 32_000;

/** What it works with. */
export interface WaitingWorkParts {
  readonly timers: Timers;
  height(): Height;
  /** Pending transactions, oldest first. */
  pending(): readonly Transaction[];
  /** True while this node is behind: then blocks come without its help. */
  isBehind(): boolean;
  tell(height: Height, transactions: readonly Transaction[]): void;
}

/** At most one timer, none while nothing is pending. */
export class WaitingWork {
  readonly #parts: WaitingWorkParts;
  #cancel: CancelTimer | null = null;
  #isStopped = false;

  constructor(parts: WaitingWorkParts) {
    this.#parts = parts;
  }

  /** A transaction became pending, or a block was committed. */
  notify(): void {
    if (this.#cancel === null && !this.#isStopped) this.#watch(this.#parts.height(), FIRST_WAIT_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  #watch(since: Height, waitMs: number): void {
    this.#cancel = this.#parts.timers.setTimer(waitMs, () => {
      this.#cancel = null;
      this.#look(since, waitMs);
    });
  }

  #look(since: Height, waitMs: number): void {
    const height = this.#parts.height();
    const pending = this.#parts.pending();
    if (pending.length === 0) return;
    if (height !== since || this.#parts.isBehind()) {
      this.#watch(height, FIRST_WAIT_MS);
      return;
    }
    this.#parts.tell(height + 1, pending.slice(0, MAX_WORK_TRANSACTIONS));
    this.#watch(height, Math.min(2 * waitMs, LONGEST_WAIT_MS));
  }
}
