// Rules of a block that need no execution: its position on the chain, its size, its commit, the shape and signature of its transactions.
import { checkTransaction } from "#node/ledger/check-transaction.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { BlockHeader, HashHex } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitHash, verifyCommit } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { isSameTransaction } from "./reuse-pooled-transactions.ts";

/** The block that a new one is built on, with the validators on both sides. */
export interface ParentBlock {
  readonly header: BlockHeader;
  readonly hash: HashHex;
  /** Null for genesis. */
  readonly commit: Commit | null;
  /** Set that committed the parent; genesis has none, so it is the first set. */
  readonly validators: ValidatorSet;
  /** Set of the new block. */
  readonly nextValidators: ValidatorSet;
}

/** What the rules know of the network and of checks made before. */
export interface RuleContext {
  readonly chainId: string;
  /** Parameters of the block's height. */
  readonly params: NetworkParams;
  readonly verify: VerifySignature;
  readonly isAcceptableKey?: (publicKey: PublicKeyHex) => boolean;
  /** See the option of the same name of {@link checkTransaction}. */
  readonly isSigned?: (tx: Transaction) => boolean;
  /** A transaction with the same id that passed the stateless check before. */
  checkedTransaction(id: string): Transaction | undefined;
}

/** Why the block cannot follow its parent, or undefined. Roots are compared after execution. */
export function blockProblem(block: Block, parent: ParentBlock, context: RuleContext): string | undefined {
  return headerProblem(block, parent, context) ?? lastCommitProblem(block.lastCommit, parent, context) ?? bodyProblem(block, context);
}

function headerProblem({ header, transactions, evidence }: Block, parent: ParentBlock, { params }: RuleContext): string | undefined {
  if (header.height !== parent.header.height + 1) return `height ${header.height} does not follow ${parent.header.height}`;
  if (header.parentHash !== parent.hash) return "the parent is another block";
  if (header.timeMs <= parent.header.timeMs) return "the time is not after the parent's";
  if (!parent.nextValidators.some((validator) => validator.publicKey === header.proposer)) return "the proposer is no validator";
  if (evidence.length > 0) return "the block carries evidence of no known kind";
  const isHeartbeat = header.timeMs >= parent.header.timeMs + params.heartbeat_interval_ms;
  return transactions.length === 0 && !isHeartbeat ? "the block is empty and no heartbeat is due" : undefined;
}

function lastCommitProblem(commit: Commit | null, parent: ParentBlock, { chainId, verify }: RuleContext): string | undefined {
  if (parent.commit === null) return commit === null ? undefined : "the first block carries a commit";
  if (commit === null) return "the commit of the parent is missing";
  if (commitHash(commit, nativeSha256) === commitHash(parent.commit, nativeSha256)) return undefined;
  if (commit.height !== parent.header.height || commit.blockHash !== parent.hash) return "the commit is not one of the parent";
  return verifyCommit(chainId, parent.validators, commit, verify) ? undefined : "the commit of the parent does not verify";
}

function bodyProblem({ transactions }: Block, context: RuleContext): string | undefined {
  const { max_block_bytes: maxBytes, max_block_txs: maxCount, min_fee_ut: minFeeUt } = context.params;
  if (transactions.length > maxCount) return `the block holds more than ${maxCount} transactions`;
  let bytes = 0;
  for (const tx of transactions) {
    bytes += encodeTransaction(tx).length;
    if (bytes > maxBytes) return `the transactions of the block exceed ${maxBytes} bytes`;
  }
  const checks = { ...context, minFeeUt };
  for (const tx of transactions) {
    const problem = transactionProblem(tx, checks);
    if (problem !== undefined) return `transaction ${tx.id.slice(0, 128)}: ${problem}`;
  }
  return undefined;
}

function transactionProblem(tx: Transaction, context: RuleContext & { readonly minFeeUt: AmountUt }): string | undefined {
  const checked = context.checkedTransaction(tx.id);
  if (checked !== undefined && isSameTransaction(checked, tx)) return undefined;
  return shapeProblem(tx, context.chainId) ?? checkTransaction(tx, { ...context, hash: nativeSha256 })?.message;
}

/** Decoding a block leaves sizes and ranges open; only what a submission could have become is a transaction. */
function shapeProblem(tx: Transaction, chainId: string): string | undefined {
  try {
    return isSameTransaction(parseTransaction(tx, chainId).tx, tx) ? undefined : "it is not in normal form";
  } catch (error) {
    if (isCodedError(error)) return error.message;
    throw error;
  }
}
