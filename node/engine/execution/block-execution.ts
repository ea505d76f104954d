// From transactions to a sealed block: execution on an overlay of the parent's state, roots, header. Writes nothing.
import type { BlockContext } from "#node/ledger/context.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { countAbsences } from "#node/ledger/downtime.ts";
import { applyTransaction, type BlockReward, executeBlock, finishBlock, type IncludedTransaction } from "#node/ledger/execute.ts";
import { beginEpoch } from "#node/ledger/records/directory-epochs.ts";
import { activateUpgrade, paramsAfter } from "#node/ledger/records/params-records.ts";
import { countProposed } from "#node/ledger/records/proposed-records.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type OverlayChange, OverlayStateView } from "#node/state/overlay-state-view.ts";
import { leafChanges, type PageChange, type PageStore, updateStateTree } from "#node/state/state-tree.ts";
import { type Block, rootHex, transactionsRoot } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitHash } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { type NetworkParams, paramsHash } from "#shared/protocol/primitives/params.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { toHex } from "#shared/util/bytes.ts";
import { largeBytes } from "./selection/payload-budget.ts";

/** The committed state below a block. */
export interface ChainState {
  readonly chainId: string;
  /** Parameters of a network that never changed. */
  readonly first: NetworkParams;
  readonly state: StateReader;
  readonly pages: PageStore;
  /** Runs the modules of contracts. */
  readonly vm: ContractVm;
  /** True when a block later than `timeMs` − 2 h holds the id. */
  hasSeenId(id: string, timeMs: number): boolean;
}

/** What the proposer, or the header of a proposed block, says about a block beside its transactions. */
export interface BlockFrame {
  readonly height: number;
  readonly timeMs: number;
  readonly proposer: string;
  readonly parentHash: HashHex;
  readonly parentTimeMs: number;
  readonly lastCommit: Commit | null;
  readonly evidence: readonly Uint8Array[];
  readonly validators: ValidatorSet;
  /** The set that made the commit of the parent. */
  readonly parentValidators: ValidatorSet;
}

/** A block with everything that its execution gave, ready to be stored. */
export interface ExecutedBlock {
  readonly block: Block;
  readonly hash: HashHex;
  readonly receipts: readonly Receipt[];
  readonly encodedReceipts: readonly Uint8Array[];
  readonly reward: BlockReward | undefined;
  readonly changes: readonly OverlayChange[];
  readonly pages: readonly PageChange[];
  readonly nextValidators: ValidatorSet;
}

/** Outcome of {@link selectTransactions}. */
export interface Selection {
  readonly included: readonly IncludedTransaction[];
  /** Ids that no next block on this parent can hold. */
  readonly refused: readonly string[];
}

/** What a block has room for. */
export interface BlockRoom {
  /** No transaction more once it has so many bytes. */
  readonly maxBytes: number;
  /** No large transaction more once it has so many bytes of them, as {@link largeBytes} counts them. */
  readonly largeBytes: number;
}

/**
 * Executes candidates on the view and keeps those that may be in the block, up to its limits. What finds no room waits, and what its sender
 * sent later waits behind it: it may need what comes first.
 */
export function selectTransactions(
  view: OverlayStateView,
  candidates: Iterable<Transaction>,
  context: BlockContext,
  room: BlockRoom,
): Selection {
  const included: IncludedTransaction[] = [];
  const refused: { readonly id: string; readonly isFinal: boolean }[] = [];
  const ids = new Set<string>();
  const hasSeenId = (id: string): boolean => ids.has(id) || context.hasSeenId(id);
  const waiting = new Set<PublicKeyHex>();
  let bytes = 0;
  let largeLeft = room.largeBytes;
  let { gasLeft } = context;
  const { max_block_txs: maxCount, max_block_bytes: maxBytes } = context.params;
  for (const tx of candidates) {
    if (included.length === maxCount || bytes >= room.maxBytes) break;
    if (waiting.has(tx.from)) continue;
    const size = encodeTransaction(tx).length;
    const large = largeBytes(tx);
    if (bytes + size > maxBytes || (large > 0 && largeLeft <= 0)) {
      waiting.add(tx.from);
      continue;
    }
    const outcome = applyTransaction(view, tx, { ...context, gasLeft, hasSeenId });
    if (outcome.isIncluded) {
      gasLeft -= outcome.receipt.gasUsed;
      included.push({ tx, receipt: outcome.receipt });
      ids.add(tx.id);
      bytes += size;
      largeLeft -= large;
    } else if (outcome.code === "BLOCK_FULL") waiting.add(tx.from);
    else refused.push({ id: tx.id, isFinal: outcome.code !== "TX_INSUFFICIENT_BALANCE" });
  }
  // What a sender cannot pay after the transactions before it may well follow in the next block.
  return { included, refused: refused.filter(({ isFinal }) => isFinal || included.length === 0).map(({ id }) => id) };
}

/** Builds the next block of the candidates. */
export function buildExecutedBlock(
  chain: ChainState,
  frame: BlockFrame,
  candidates: Iterable<Transaction>,
  room: BlockRoom,
): { readonly executed: ExecutedBlock; readonly refused: readonly string[] } {
  const { view, context } = beginBlock(chain, frame);
  const { included, refused } = selectTransactions(view, candidates, context, room);
  const reward = finishBlock(view, included, context);
  const transactions = included.map(({ tx }) => tx);
  const receipts = included.map(({ receipt }) => receipt);
  return { executed: sealBlock(chain, frame, { view, params: context.params, transactions, receipts, reward }), refused };
}

/** Executes the transactions of a given block; a text says which of them may not be in it. */
export function executeTransactions(chain: ChainState, frame: BlockFrame, transactions: readonly Transaction[]): ExecutedBlock | string {
  const { view, context } = beginBlock(chain, frame);
  const result = executeBlock(view, transactions, context);
  if (!result.isValid) return `transaction ${result.txId}: ${result.message}`;
  return sealBlock(chain, frame, { view, params: context.params, transactions, receipts: result.receipts, reward: result.reward });
}

interface Execution {
  readonly view: OverlayStateView;
  /** Of the block's height. */
  readonly params: NetworkParams;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly reward: BlockReward | undefined;
}

/** Computes the roots of an execution and the header that follows from them. */
export function sealBlock(chain: Pick<ChainState, "chainId" | "pages">, frame: BlockFrame, execution: Execution): ExecutedBlock {
  const { view, params, transactions, receipts, reward } = execution;
  const changes = view.changes();
  const tree = updateStateTree(chain.pages, leafChanges(changes));
  const nextValidators = readValidators(view);
  const encodedReceipts = receipts.map(encodeReceipt);
  const header: BlockHeader = {
    version: params.version,
    chainId: chain.chainId,
    height: frame.height,
    timeMs: frame.timeMs,
    parentHash: frame.parentHash,
    lastCommitHash: frame.lastCommit === null ? toHex(ZERO_HASH) : commitHash(frame.lastCommit, nativeSha256),
    txRoot: transactionsRoot(transactions, nativeSha256),
    stateRoot: toHex(tree.root),
    receiptsRoot: rootHex(encodedReceipts, nativeSha256),
    validatorsHash: validatorsHash(frame.validators, nativeSha256),
    nextValidatorsHash: validatorsHash(nextValidators, nativeSha256),
    paramsHash: paramsHash(params, nativeSha256),
    evidenceRoot: rootHex(frame.evidence, nativeSha256),
    proposer: frame.proposer,
    txCount: transactions.length,
  };
  const block: Block = { header, transactions, evidence: frame.evidence, lastCommit: frame.lastCommit };
  return { block, hash: headerHash(header, nativeSha256), receipts, encodedReceipts, reward, changes, pages: tree.pages, nextValidators };
}

/** The view of a block's execution, with the parameters of its height in force: they are looked up once a block. */
function beginBlock(chain: ChainState, frame: BlockFrame): { readonly view: OverlayStateView; readonly context: BlockContext } {
  const { height, timeMs, proposer } = frame;
  const { chainId, vm } = chain;
  const parent = { height: height - 1, timeMs: frame.parentTimeMs };
  const params = paramsAfter(chain.state, chain.first, parent);
  const view = new OverlayStateView(chain.state);
  activateUpgrade(view, params, parent);
  countAbsences(view, { commit: frame.lastCommit, validators: frame.parentValidators }, { height, timeMs, params });
  countProposed(view, { height, params, proposer });
  beginEpoch(view, { timeMs, parentTimeMs: frame.parentTimeMs, parentHash: frame.parentHash, params });
  const hasSeenId = (id: string): boolean => chain.hasSeenId(id, timeMs);
  const context = { chainId, params, vm, height, timeMs, proposer, gasLeft: params.max_block_gas, hash: nativeSha256, hasSeenId };
  return { view, context };
}
