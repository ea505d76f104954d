// Executing transactions and blocks: a pure function of state view, transactions and context.
// Signatures, ids and keys are not checked here: every transaction passed checkTransaction before it came this far.
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, addAmounts } from "#shared/protocol/primitives/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import { checkTimeWindow, feeProblem, type Interpretation, interpretTransaction, type TransactionProblem } from "./check-transaction.ts";
import type { BlockContext, TransactionContext } from "./context.ts";
import { Journal } from "./journal.ts";
import { credit, debit } from "./records/balance.ts";
import { appendHistory, touchedAccounts } from "./records/history.ts";
import { readWallet } from "./records/node-records.ts";
import { readAccount, readSupply, readValidators, writeSupply } from "./records/records.ts";
import type { StateReader, StateView } from "./state-view.ts";
import { ruleOf } from "./transactions/rules.ts";
import type { Effects } from "./transactions/transaction-rule.ts";

const WITHOUT_FEE = "Only a validator that reports an offence may leave the fee out";

/** Whether a transaction may be in the block, and what it did there. */
export type ApplyOutcome = { readonly isIncluded: true; readonly receipt: Receipt } | Refusal;

/** Why a transaction may not be in the block. */
export interface Refusal {
  readonly isIncluded: false;
  readonly code: ErrorCode;
  readonly message: string;
}

/** A transaction of the block with its receipt. */
export interface IncludedTransaction {
  readonly tx: Transaction;
  readonly receipt: Receipt;
}

/** What the proposer of a block got; its listing entry has the id `reward-<height>`. */
export interface BlockReward {
  /** The proposer, or the wallet that it is bound to. */
  readonly to: PublicKeyHex;
  /** Newly made µT. */
  readonly subsidyUt: AmountUt;
  /** Fees and gas of the block's transactions, µT. */
  readonly feesUt: AmountUt;
}

/** Receipts of a block, or the transaction that must not be in it. */
export type ExecutionResult =
  | { readonly isValid: true; readonly receipts: readonly Receipt[]; readonly reward: BlockReward | undefined }
  | { readonly isValid: false; readonly txId: string; readonly code: ErrorCode; readonly message: string };

/**
 * Executes a whole block. When the result is not valid, the view holds the changes of the transactions before the bad one:
 * throw it away.
 */
export function executeBlock(view: StateView, txs: readonly Transaction[], context: BlockContext): ExecutionResult {
  const idsOfBlock = new Set<string>();
  const hasSeenId = (id: string): boolean => idsOfBlock.has(id) || context.hasSeenId(id);
  const included: IncludedTransaction[] = [];
  let { gasLeft } = context;
  for (const tx of txs) {
    const outcome = applyTransaction(view, tx, { ...context, gasLeft, hasSeenId });
    if (!outcome.isIncluded) return { isValid: false, txId: tx.id, code: outcome.code, message: outcome.message };
    idsOfBlock.add(tx.id);
    gasLeft -= outcome.receipt.gasUsed;
    included.push({ tx, receipt: outcome.receipt });
  }
  const reward = finishBlock(view, included, context);
  return { isValid: true, receipts: included.map(({ receipt }) => receipt), reward };
}

/**
 * Executes one transaction. One that may not be in the block (seen id, time, shape, unaffordable fee, gas, a failure without a
 * fee) leaves the view untouched; one that fails on the state is included, pays its fee and the gas that it used, and changes nothing else.
 */
export function applyTransaction(view: StateView, tx: Transaction, context: TransactionContext): ApplyOutcome {
  const entry = enter(view, tx, context);
  if ("isIncluded" in entry) return entry;
  if (tx.fee > 0) debit(view, tx.from, tx.fee);
  if (!entry.canPay) return { isIncluded: true, receipt: receiptOf(tx, { failure: "INSUFFICIENT_BALANCE" }) };
  const receipt = entry.rule.isPayment === true ? pay(view, tx, entry, context) : runRule(view, tx, entry, context);
  if (tx.fee === 0 && !receipt.isOk) return notIncluded("TX_REJECTED", `Without a fee it may not fail: ${receipt.code}`);
  return { isIncluded: true, receipt };
}

/**
 * What {@link applyTransaction} would say, when that follows without executing it: a refusal, a code of its receipt, or "" for success.
 * `spentUt` is what payments that come before it will have taken from the sender.
 */
export function foreseeTransaction(
  state: StateReader,
  tx: Transaction,
  context: TransactionContext,
  spentUt: AmountUt = 0,
): Refusal | "INSUFFICIENT_BALANCE" | "" | undefined {
  const entry = enter(state, tx, context, spentUt);
  if ("isIncluded" in entry) return entry;
  if (!entry.canPay) return "INSUFFICIENT_BALANCE";
  return entry.rule.failure === undefined ? "" : undefined;
}

/** What a payment takes from its sender, undefined for a transaction that may do anything else. */
export function paymentUt(tx: Transaction): AmountUt | undefined {
  const interpretation = interpretTransaction(tx);
  return interpretation.isOk && interpretation.rule.isPayment === true ? addAmounts(tx.amount, tx.fee) : undefined;
}

/** Gas that a transaction may use, 0 for one without a contract. */
export function gasLimitOf(tx: Transaction): number {
  const interpretation = interpretTransaction(tx);
  return interpretation.isOk ? (interpretation.rule.gasLimit?.(interpretation.payload) ?? 0) : 0;
}

/** The refusal of one that only some may leave the fee out of; nothing but its sender is looked at. */
export function unwaivedFee(state: StateReader, tx: Transaction): TransactionProblem | undefined {
  if (tx.fee > 0 || ruleOf(tx.type).isFeeWaived === undefined) return undefined;
  const isValidator = readValidators(state).some(({ publicKey }) => publicKey === tx.from);
  return isValidator ? undefined : { code: "TX_REJECTED", message: WITHOUT_FEE };
}

/** The refusal of a sender who cannot pay the fee. */
export function unaffordableFee(balanceUt: AmountUt, feeUt: AmountUt): TransactionProblem {
  return { code: "TX_INSUFFICIENT_BALANCE", message: `The sender has ${balanceUt} µT and cannot pay the fee of ${feeUt} µT` };
}

/** Everything that decides whether a transaction may be in the block, and whether its sender can pay for it. */
function enter(state: StateReader, tx: Transaction, context: TransactionContext, spentUt: AmountUt = 0): Refusal | Entry {
  if (context.hasSeenId(tx.id)) return notIncluded("TX_DUPLICATE", `A transaction with the id ${tx.id} is known already`);
  const late = checkTimeWindow(tx, context.timeMs);
  if (late !== undefined) return notIncluded(late.code, late.message);
  const interpretation = interpretTransaction(tx);
  if (!interpretation.isOk) return notIncluded(interpretation.problem.code, interpretation.problem.message);
  const { rule, payload, sinceVersion } = interpretation;
  if (context.params.version < sinceVersion) {
    const what = rule.sinceVersion === sinceVersion ? tx.type : `What this ${tx.type} asks for`;
    return notIncluded(
      "TX_REJECTED",
      `${what} begins with version ${sinceVersion} of the network, which has version ${context.params.version}`,
    );
  }
  const low = feeProblem(tx, context.params.min_fee_ut);
  if (low !== undefined) return { isIncluded: false, ...low };
  const balanceUt = readAccount(state, tx.from).balanceUt - spentUt;
  if (balanceUt < tx.fee) return { isIncluded: false, ...unaffordableFee(balanceUt, tx.fee) };
  if (tx.fee === 0 && rule.isFeeWaived?.(state, tx, payload, context) !== true)
    // Not a fee that is too low anywhere and at any time: the one that it reports may have left the set a moment ago.
    return notIncluded("TX_REJECTED", WITHOUT_FEE);
  const gasLimit = rule.gasLimit?.(payload) ?? 0;
  if (gasLimit > context.gasLeft) return notIncluded("BLOCK_FULL", `The block has room for ${context.gasLeft} gas only`);
  const total = addAmounts(tx.amount, tx.fee, gasPriceUt(gasLimit));
  return { rule, payload, gasLimit, canPay: total !== undefined && balanceUt >= total };
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
  const to = readWallet(view, context.proposer);
  credit(view, to, feesUt + subsidyUt);
  if (subsidyUt > 0) writeSupply(view, supplyUt + subsidyUt);
  for (const [publicKey, entryIds] of historyEntries(included, to, context.height)) appendHistory(view, publicKey, entryIds, context.hash);
  return { to, subsidyUt, feesUt };
}

type RunInput = Pick<Extract<Interpretation, { readonly isOk: true }>, "rule" | "payload"> & { readonly gasLimit: number };

/** A transaction that is in the block, whether it can be paid or not. */
type Entry = RunInput & { readonly canPay: boolean };

/** A payment that can be paid never fails and touches no other account. */
function pay(view: StateView, tx: Transaction, { rule, payload }: RunInput, context: TransactionContext): Receipt {
  rule.apply(view, tx, payload, context);
  return receiptOf(tx, {});
}

/** Runs a rule on a journal: the price of the gas limit is taken before, and what was not used given back after. */
function runRule(view: StateView, tx: Transaction, { rule, payload, gasLimit }: RunInput, context: TransactionContext): Receipt {
  const journal = new Journal(view);
  const reservedUt = gasPriceUt(gasLimit);
  if (reservedUt > 0) debit(journal, tx.from, reservedUt);
  const failure = rule.failure?.(journal, tx, payload, context);
  const effects = failure === undefined ? (rule.apply(journal, tx, payload, context) ?? {}) : { failure };
  const gasUt = gasPriceUt(effects.gasUsed ?? 0);
  assertInvariant(gasUt <= reservedUt, "A transaction used more gas than its limit");
  if (effects.failure !== undefined) {
    if (gasUt > 0) debit(view, tx.from, gasUt);
    return receiptOf(tx, effects);
  }
  if (reservedUt > gasUt) credit(journal, tx.from, reservedUt - gasUt);
  const touched = touchedBeside(tx, journal, effects);
  journal.commitTo(view);
  return receiptOf(tx, effects, touched);
}

function receiptOf(tx: Transaction, { failure, gasUsed = 0, logs = [] }: Effects, touched: readonly PublicKeyHex[] = []): Receipt {
  const feeUt = tx.fee + gasPriceUt(gasUsed);
  return { txId: tx.id, isOk: failure === undefined, code: failure ?? "", feeUt, gasUsed, logs, touched };
}

function touchedBeside(tx: Transaction, journal: Journal, { concerns = [] }: Effects): readonly PublicKeyHex[] {
  const keys = new Set(concerns);
  for (const { namespace, key } of journal.changes()) if (namespace === "account") keys.add(toHex(key));
  keys.delete(tx.from);
  keys.delete(tx.to);
  return [...keys].sort((a, b) => (a < b ? -1 : 1));
}

function historyEntries(
  included: readonly IncludedTransaction[],
  rewarded: PublicKeyHex,
  height: number,
): ReadonlyMap<PublicKeyHex, readonly string[]> {
  const entries = new Map<PublicKeyHex, string[]>();
  const append = (publicKey: PublicKeyHex, entryId: string): void => {
    const ids = entries.get(publicKey);
    if (ids === undefined) entries.set(publicKey, [entryId]);
    else ids.push(entryId);
  };
  for (const { tx, receipt } of included) for (const publicKey of touchedAccounts(tx, receipt)) append(publicKey, tx.id);
  append(rewarded, rewardId(height));
  return entries;
}

function notIncluded(code: ErrorCode, message: string): Refusal {
  return { isIncluded: false, code, message };
}
