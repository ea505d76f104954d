// Hands the payments of a batch to the node, one after the other, and follows them into blocks. What is signed never changes: a payment
// whose fate is unknown, or which a node lost with its pool, is handed over again, and after its hour the chain says whether it has it.

import { HttpError } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Batch, BatchRow, BatchRowState } from "./batch-store.ts";

/** How far the node is. */
export interface NodeTip {
  /** Time of the newest block. */
  readonly timeMs: number;
  /** It has the blocks that others have. */
  readonly isLive: boolean;
}

/** What a run needs. */
export interface BatchSteps {
  /** @throws CodedError as `submitTransaction` */
  readonly submit: (transaction: Transaction) => Promise<void>;
  /**
   * Where the node has it: `taken` in its pool, `inBlock`, `refused` where the block says that it failed; undefined: nowhere.
   * @throws CodedError while the node cannot say
   */
  readonly find: (id: string) => Promise<BatchRowState | undefined>;
  /** @throws CodedError while the node cannot say */
  readonly tip: () => Promise<NodeTip>;
  /** Resolves when it is on the disk. */
  readonly onState: (row: BatchRow, state: BatchRowState) => Promise<void>;
  /** Before the next try; `rounds` have passed without news. */
  readonly pause: (rounds: number) => Promise<void>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/** Ends when every payment is in a block or will never be, or when the signal says so. */
export async function runBatch(batch: Batch, steps: BatchSteps): Promise<void> {
  const taken = batch.rows.filter(({ state }) => state.kind === "taken");
  for (const row of batch.rows) if (row.state.kind === "waiting" && (await handOver(row, steps)) === "taken") taken.push(row);
  await followAll(taken, steps);
}

/** Tries until something became of it; undefined when the signal came first. */
async function handOver(row: BatchRow, steps: BatchSteps): Promise<BatchRowState["kind"] | undefined> {
  while (!steps.signal.aborted) {
    const state = await noted(row, attempt(row, steps), steps);
    if (state !== undefined) return state.kind;
    await steps.pause(0);
  }
  return undefined;
}

async function followAll(taken: readonly BatchRow[], steps: BatchSteps): Promise<void> {
  let rounds = 0;
  for (let open = taken; open.length > 0 && !steps.signal.aborted; ) {
    await steps.pause(rounds);
    const still: BatchRow[] = [];
    for (const row of open) if (!(await isResolved(row, steps))) still.push(row);
    rounds = still.length < open.length ? 0 : rounds + 1;
    open = still;
  }
}

async function isResolved(row: BatchRow, steps: BatchSteps): Promise<boolean> {
  if (steps.signal.aborted) return false;
  const state = await noted(row, follow(row, steps), steps);
  return state !== undefined && state.kind !== "taken";
}

/** The state once it is on the disk; undefined while no one can say, and while the disk refuses: then all of it is tried again. */
async function noted(row: BatchRow, found: Promise<BatchRowState>, { onState }: BatchSteps): Promise<BatchRowState | undefined> {
  try {
    const state = await found;
    await onState(row, state);
    return state;
  } catch {
    return undefined;
  }
}

/** What became of one that a node took; a node that ended before a block had it has lost it. */
async function follow(row: BatchRow, steps: BatchSteps): Promise<BatchRowState> {
  return (await steps.find(row.signed.transaction.id)) ?? (await attempt(row, steps));
}

/** What became of one; rejects while no one can say. */
async function attempt({ signed: { transaction } }: BatchRow, steps: BatchSteps): Promise<BatchRowState> {
  const { id, timestamp } = transaction;
  const endMs = (parseTimestamp(timestamp) ?? 0) + TX_WINDOW_MS;
  // No block after one of that time can have it. Own clock and a node that is behind would say so too early: it may be paid all the same.
  const isOver = async (): Promise<boolean> => (await steps.tip()).timeMs >= endMs;
  if (steps.nowMs() > endMs && (await isOver())) return (await steps.find(id)) ?? { kind: "expired" };
  try {
    await steps.submit(transaction);
    return { kind: "taken" };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const tip = await steps.tip();
    const found = await steps.find(id);
    if (found !== undefined) return found;
    if (tip.timeMs >= endMs) return { kind: "expired" };
    // What refuses may not know yet that it is paid.
    if (!tip.isLive) throw error;
    return { kind: "refused", reason: error.message };
  }
}

/** The node looked at it and said no. Whatever else goes wrong, it may be taken later. */
function isRefusal(error: unknown): error is Error {
  return error instanceof HttpError ? error.httpStatus === 400 : isCodedError(error) && error.code.startsWith("TX_");
}
