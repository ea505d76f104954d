// The pending transactions of one sender in order of arrival, and the state as they will leave it.

import { isInTimeWindow, type TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { TransactionContext } from "#node/ledger/context.ts";
import { applyTransaction, foreseeTransaction, unaffordableFee, unwaivedFee } from "#node/ledger/execute.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { PendingTransaction } from "./pending-transaction.ts";
import { failureProblem, tryTransaction } from "./try-transaction.ts";

/** One sender's part of the pool. */
export class SenderQueue {
  readonly #state: StateReader;
  readonly #entries = new Set<PendingTransaction>();
  /** Committed state with the entries applied but the last ones; undefined after the state or the entries changed otherwise. */
  #view: OverlayStateView | undefined;
  /** Entries that the view lacks: most senders have one, and no further transaction asks for what it leaves behind. */
  #unapplied: PendingTransaction[] = [];
  /** What the entries take from the sender's account, infinite when one of them is no payment; undefined after entries went. */
  #spentUt: AmountUt | undefined = 0;
  /** What {@link problemOf} executed last on the view, so that appending it need not execute it again. */
  #trial: { readonly tx: Transaction; readonly view: OverlayStateView } | undefined;

  constructor(state: StateReader) {
    this.#state = state;
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Sum of their encoded sizes. */
  get sizeBytes(): number {
    let bytes = 0;
    for (const entry of this.#entries) bytes += entry.sizeBytes;
    return bytes;
  }

  /** True when none of them can do anything but pay, so that what they leave behind is known. */
  get hasPaymentsOnly(): boolean {
    return Number.isFinite(this.#spent());
  }

  /** In order of arrival. */
  get entries(): Iterable<PendingTransaction> {
    return this.#entries;
  }

  /**
   * Why the sender cannot pay the fee, or may not leave it out, without anything of the transaction being read. What pending calls bring
   * or take is not foreseen.
   */
  feeProblemOf(tx: Transaction): TransactionProblem | undefined {
    if (tx.fee === 0) return unwaivedFee(this.#state, tx);
    const spentUt = this.#spent();
    const balanceUt = readAccount(this.#state, tx.from).balanceUt - (Number.isFinite(spentUt) ? spentUt : 0);
    return balanceUt < tx.fee ? unaffordableFee(balanceUt, tx.fee) : undefined;
  }

  /** Why the transaction could not follow the pending ones now, or undefined when it can. */
  problemOf(tx: Transaction, context: TransactionContext): TransactionProblem | undefined {
    this.#trial = undefined;
    if (this.#isAfforded(tx, context)) return undefined;
    const before = this.#entries.size === 0 ? this.#state : this.#currentView(context);
    const foreseen = foreseeTransaction(before, tx, context);
    if (foreseen === "") return undefined;
    if (foreseen === "INSUFFICIENT_BALANCE") return failureProblem(foreseen, []);
    if (foreseen !== undefined) return { code: foreseen.code, message: foreseen.message };
    const view = new OverlayStateView(this.#currentView(context));
    const problem = tryTransaction(view, tx, context);
    if (problem === undefined) this.#trial = { tx, view };
    return problem;
  }

  /** Appends an entry that {@link problemOf} found nothing against. */
  append(entry: PendingTransaction): void {
    if (this.#view !== undefined && this.#trial?.tx === entry.tx) this.#trial.view.commitTo(this.#view);
    else this.#unapplied.push(entry);
    this.#trial = undefined;
    this.#spentUt = this.#spent() + spentBy(entry);
    this.#entries.add(entry);
  }

  /** Takes an entry out. */
  remove(entry: PendingTransaction): void {
    this.#entries.delete(entry);
    this.#spentUt = undefined;
    this.invalidate();
  }

  /** Forgets what it knew of the committed state. */
  invalidate(): void {
    this.#view = undefined;
    this.#unapplied = [];
    this.#trial = undefined;
  }

  /** Takes out and returns the entries that can no longer be executed in their order on the committed state. */
  removeStale(context: TransactionContext): readonly PendingTransaction[] {
    if (this.#areAfforded(context)) {
      this.invalidate();
      return [];
    }
    const view = new OverlayStateView(this.#state);
    const stale = [...this.#entries].filter((entry) => !applyIfPossible(view, entry.tx, context));
    for (const entry of stale) this.#entries.delete(entry);
    this.#spentUt = undefined;
    this.#view = view;
    this.#unapplied = [];
    this.#trial = undefined;
    return stale;
  }

  /**
   * True when the committed balance pays for all entries and the transaction, and none of them can do anything but that: then they can be
   * executed, and nothing of it need be. False says nothing.
   */
  #isAfforded(tx: Transaction, context: TransactionContext): boolean {
    const spentUt = this.#spent();
    return tx.fee > 0 && Number.isFinite(spentUt) && foreseeTransaction(this.#state, tx, context, spentUt) === "";
  }

  /** The same of the entries alone. */
  #areAfforded({ timeMs }: TransactionContext): boolean {
    const [first] = this.#entries;
    if (first === undefined) return true;
    if (readAccount(this.#state, first.tx.from).balanceUt < this.#spent()) return false;
    for (const { timestampMs } of this.#entries) if (!isInTimeWindow(timestampMs, timeMs)) return false;
    return true;
  }

  #spent(): AmountUt {
    if (this.#spentUt !== undefined) return this.#spentUt;
    let spentUt = 0;
    for (const entry of this.#entries) spentUt += spentBy(entry);
    this.#spentUt = spentUt;
    return spentUt;
  }

  #currentView(context: TransactionContext): OverlayStateView {
    if (this.#view === undefined) {
      this.#view = new OverlayStateView(this.#state);
      for (const entry of this.#entries) applyIfPossible(this.#view, entry.tx, context);
    } else for (const { tx } of this.#unapplied) applyTransaction(this.#view, tx, context);
    this.#unapplied = [];
    return this.#view;
  }
}

function spentBy({ paymentUt }: PendingTransaction): AmountUt {
  return paymentUt ?? Number.POSITIVE_INFINITY;
}

function applyIfPossible(view: OverlayStateView, tx: Transaction, context: TransactionContext): boolean {
  const trial = new OverlayStateView(view);
  if (tryTransaction(trial, tx, context) !== undefined) return false;
  trial.commitTo(view);
  return true;
}
