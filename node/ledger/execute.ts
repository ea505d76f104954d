// Executing transactions and blocks: a pure function of state view, transactions and context.
// Signatures, ids and keys are not checked here: every transaction passed checkTransaction before it came this far.
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { type AmountUt, addAmounts } from "#shared/protocol/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/limits.ts";
import type { Receipt } from "#shared/protocol/receipt.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import { rewardId } from "#shared/protocol/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { credit, debit } from "./balance.ts";
import { checkTimeWindow, interpretTransaction } from "./check-transaction.ts";
import type { BlockContext, TransactionContext } from "./context.ts";
import { appendHistory, touchedAccounts } from "./history.ts";
import { readAccount, readSupply, writeSupply } from "./records.ts";
import type { StateView } from "./state-view.ts";

/** Whether a transaction may stand in the block, and what it did there. */
export type ApplyOutcome =
  | { readonly isIncluded: true; readonly receipt: Receipt }
  | { readonly isIncluded: false; readonly code: ErrorCode; readonly message: string };

/** A transaction of the block with its receipt. */
export interface IncludedTransaction {
  readonly tx: Transaction;
  readonly receipt: Receipt;
}

/** What the proposer of a block got; its listing entry has the id `reward-<height>`. */
export interface BlockReward {
  readonly to: PublicKeyHex;
  /** Newly made µT. */
  readonly subsidyUt: AmountUt;
  /** Fees of the block's transactions, µT. */
  readonly feesUt: AmountUt;
}

/** Receipts of a block, or the transaction that must not stand in it. */
export type ExecutionResult =
  | { readonly isValid: true; readonly receipts: readonly Receipt[]; readonly reward: BlockReward | undefined }
  | { readonly isValid: false; readonly txId: string; readonly code: ErrorCode; readonly message: string };

/**
 * Executes a whole block. When the result is not valid, the view holds the changes of the transactions before the bad one:
 * throw it away.
 */
export function executeBlock(view: StateView, txs: readonly Transaction[], context: BlockContext): ExecutionResult {
  const idsOfBlock = new Set<string>();
  const { chainId, height, timeMs, params } = context;
  const hasSeenId = (id: string): boolean => idsOfBlock.has(id) || context.hasSeenId(id);
  const included: IncludedTransaction[] = [];
  for (const tx of txs) {
    const outcome = applyTransaction(view, tx, { chainId, height, timeMs, params, hasSeenId });
    if (!outcome.isIncluded) return { isValid: false, txId: tx.id, code: outcome.code, message: outcome.message };
    idsOfBlock.add(tx.id);
    included.push({ tx, receipt: outcome.receipt });
  }
  const reward = finishBlock(view, included, context);
  return { isValid: true, receipts: included.map(({ receipt }) => receipt), reward };
}

/**
 * Executes one transaction. One that may not stand in the block (seen id, time, shape, unaffordable fee) leaves the view
 * untouched; one that fails on the state is included, pays its fee and changes nothing else.
 */
export function applyTransaction(view: StateView, tx: Transaction, context: TransactionContext): ApplyOutcome {
  if (context.hasSeenId(tx.id)) return notIncluded("TX_DUPLICATE", `A transaction with the id ${tx.id} is known already`);
  const late = checkTimeWindow(tx, context.timeMs);
  if (late !== undefined) return notIncluded(late.code, late.message);
  const interpretation = interpretTransaction(tx);
  if (!interpretation.isOk) return notIncluded(interpretation.problem.code, interpretation.problem.message);
  const { balanceUt } = readAccount(view, tx.from);
  if (balanceUt < tx.fee)
    return notIncluded("TX_INSUFFICIENT_BALANCE", `The sender has ${balanceUt} µT and cannot pay the fee of ${tx.fee} µT`);
  const { rule, payload } = interpretation;
  const total = addAmounts(tx.amount, tx.fee);
  const isAffordable = total !== undefined && balanceUt >= total;
  const failure = isAffordable ? rule.failure(view, tx, payload) : "INSUFFICIENT_BALANCE";
  debit(view, tx.from, tx.fee);
  if (failure === undefined) rule.apply(view, tx, payload, context);
  const receipt: Receipt = { txId: tx.id, isOk: failure === undefined, code: failure ?? "", feeUt: tx.fee, gasUsed: 0, logs: [] };
  return { isIncluded: true, receipt };
}

/**
 * Ends a block: pays fees and subsidy to the proposer, updates the supply and the history of every touched account.
 * A block without transactions changes nothing and has no reward.
 */
export function finishBlock(view: StateView, included: readonly IncludedTransaction[], context: BlockContext): BlockReward | undefined {
  if (included.length === 0) return undefined;
  const feesUt = addAmounts(...included.map(({ receipt }) => receipt.feeUt));
  assertInvariant(feesUt !== undefined, "The fees of a block exceed the largest supply");
  const supplyUt = readSupply(view);
  const subsidyUt = Math.min(context.params.block_reward_ut, MAX_SUPPLY_UT - supplyUt);
  credit(view, context.proposer, feesUt + subsidyUt);
  if (subsidyUt > 0) writeSupply(view, supplyUt + subsidyUt);
  for (const [publicKey, entryIds] of historyEntries(included, context)) appendHistory(view, publicKey, entryIds);
  return { to: context.proposer, subsidyUt, feesUt };
}

function historyEntries(
  included: readonly IncludedTransaction[],
  context: Pick<BlockContext, "height" | "proposer">,
): ReadonlyMap<PublicKeyHex, readonly string[]> {
  const entries = new Map<PublicKeyHex, string[]>();
  const append = (publicKey: PublicKeyHex, entryId: string): void => {
    const ids = entries.get(publicKey);
    if (ids === undefined) entries.set(publicKey, [entryId]);
    else ids.push(entryId);
  };
  for (const { tx, receipt } of included) for (const publicKey of touchedAccounts(tx, receipt)) append(publicKey, tx.id);
  append(context.proposer, rewardId(context.height));
  return entries;
}

function notIncluded(code: ErrorCode, message: string): ApplyOutcome {
  return { isIncluded: false, code, message };
}
