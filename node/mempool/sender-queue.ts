// The pending transactions of one sender in order of arrival, and the state as they will leave it.

import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { TransactionContext } from "#node/ledger/context.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import type { StateReader, StateView } from "#node/ledger/state-view.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { FAILURE_CODES, isFailureCode } from "#shared/protocol/failure-codes.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import type { PendingTransaction } from "./pending-transaction.ts";

/** One sender's part of the pool. */
export class SenderQueue {
  readonly #state: StateReader;
  #entries: PendingTransaction[] = [];
  /** Committed state with the entries applied; undefined after the state or the entries changed otherwise. */
  #view: OverlayStateView | undefined;

  constructor(state: StateReader) {
    this.#state = state;
  }

  get entries(): readonly PendingTransaction[] {
    return this.#entries;
  }

  /** Why the transaction could not follow the pending ones now, or undefined when it can. */
  problemOf(tx: Transaction, context: TransactionContext): TransactionProblem | undefined {
    return tryTransaction(new OverlayStateView(this.#currentView(context)), tx, context);
  }

  /** Appends an entry that {@link problemOf} found nothing against. */
  append(entry: PendingTransaction, context: TransactionContext): void {
    const view = this.#currentView(context);
    applyTransaction(view, entry.tx, context);
    this.#entries.push(entry);
  }

  /** Takes an entry out. */
  remove(entry: PendingTransaction): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#view = undefined;
  }

  /** Forgets what it knew of the committed state. */
  invalidate(): void {
    this.#view = undefined;
  }

  /** Entries that can no longer be executed in their order on the committed state. */
  stale(context: TransactionContext): readonly PendingTransaction[] {
    const view = new OverlayStateView(this.#state);
    return this.#entries.filter((entry) => !applyIfPossible(view, entry.tx, context));
  }

  #currentView(context: TransactionContext): OverlayStateView {
    if (this.#view !== undefined) return this.#view;
    const view = new OverlayStateView(this.#state);
    for (const entry of this.#entries) applyIfPossible(view, entry.tx, context);
    this.#view = view;
    return view;
  }
}

function applyIfPossible(view: StateView, tx: Transaction, context: TransactionContext): boolean {
  const trial = new OverlayStateView(view);
  if (tryTransaction(trial, tx, context) !== undefined) return false;
  for (const { namespace, key, value } of trial.changes()) {
    if (value === undefined) view.delete(namespace, key);
    else view.set(namespace, key, value);
  }
  return true;
}

function tryTransaction(view: StateView, tx: Transaction, context: TransactionContext): TransactionProblem | undefined {
  const outcome = applyTransaction(view, tx, context);
  if (!outcome.isIncluded) return { code: outcome.code, message: outcome.message };
  const { code } = outcome.receipt;
  if (code === "") return undefined;
  const words = isFailureCode(code) ? FAILURE_CODES[code] : `The transaction would fail: ${code}`;
  return { code: code === "INSUFFICIENT_BALANCE" ? "TX_INSUFFICIENT_BALANCE" : "TX_REJECTED", message: words };
}
