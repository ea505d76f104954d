// Hands the payments of a batch to the node, one after the other. What is signed never changes: a payment whose fate is unknown is handed
// over again, and after its hour the chain says whether it has it.

import { HttpError } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Batch, BatchRow, BatchRowState } from "./batch-store.ts";

/** What a run needs. */
export interface BatchSteps {
  /** @throws CodedError as `submitTransaction` */
  readonly submit: (transaction: Transaction) => Promise<void>;
  /** True when a block, or the pool, has it. @throws CodedError while the node cannot say */
  readonly isKnown: (id: string) => Promise<boolean>;
  /** Resolves when it is on the disk. */
  readonly onState: (row: BatchRow, state: BatchRowState) => Promise<void>;
  /** Before the next try. */
  readonly pause: () => Promise<void>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/** Ends when every payment was taken or refused, or when the signal says so. */
export async function runBatch(batch: Batch, steps: BatchSteps): Promise<void> {
  for (const row of batch.rows) {
    if (row.state.kind !== "waiting") continue;
    for (let state: BatchRowState | undefined; state === undefined; ) {
      if (steps.signal.aborted) return;
      state = await attempt(row, steps).catch(() => undefined);
      if (state === undefined) await steps.pause();
      else await steps.onState(row, state);
    }
  }
}

/** What became of one; rejects while no one can say. */
async function attempt({ signed: { transaction } }: BatchRow, { submit, isKnown, nowMs }: BatchSteps): Promise<BatchRowState> {
  const { id, timestamp } = transaction;
  if (nowMs() - (parseTimestamp(timestamp) ?? 0) > TX_WINDOW_MS) return { kind: (await isKnown(id)) ? "taken" : "expired" };
  try {
    await submit(transaction);
    return { kind: "taken" };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return (await isKnown(id)) ? { kind: "taken" } : { kind: "refused", reason: error.message };
  }
}

/** The node looked at it and said no. Whatever else goes wrong, it may be taken later. */
function isRefusal(error: unknown): error is Error {
  return error instanceof HttpError ? error.httpStatus === 400 : isCodedError(error) && error.code.startsWith("TX_");
}
