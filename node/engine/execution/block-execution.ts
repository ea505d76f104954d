// From transactions to a sealed block: execution on an overlay of the parent's state, roots, header. Writes nothing.
import type { BlockContext } from "#node/ledger/context.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { applyTransaction, type BlockReward, executeBlock, finishBlock, type IncludedTransaction } from "#node/ledger/execute.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type OverlayChange, OverlayStateView } from "#node/state/overlay-state-view.ts";
import { leafChanges, type PageChange, type PageStore, updateStateTree } from "#node/state/state-tree.ts";
import { type Block, rootHex, transactionsRoot } from "#shared/protocol/chain/block.ts";
import { type GenesisParams, paramsHash } from "#shared/protocol/chain/genesis.ts";
import { type BlockHeader, type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitHash } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { HEADER_VERSION, MAX_BLOCK_BYTES, MAX_BLOCK_GAS, MAX_BLOCK_TXS } from "#shared/protocol/primitives/limits.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { toHex } from "#shared/util/bytes.ts";
import { largeBytes } from "./selection/payload-budget.ts";

/** The committed state below a block. */
export interface ChainState {
  readonly chainId: string;
  readonly params: GenesisParams;
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
  readonly lastCommit: Commit | null;
  readonly evidence: readonly Uint8Array[];
  readonly validators: ValidatorSet;
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
  for (const tx of candidates) {
    if (included.length === MAX_BLOCK_TXS || bytes >= room.maxBytes) break;
    if (waiting.has(tx.from)) continue;
    const size = encodeTransaction(tx).length;
    const large = largeBytes(tx);
    if (bytes + size > MAX_BLOCK_BYTES || (large > 0 && largeLeft <= 0)) {
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
  const view = new OverlayStateView(chain.state);
  const context = blockContext(chain, frame);
  const { included, refused } = selectTransactions(view, candidates, context, room);
  const reward = finishBlock(view, included, context);
  const transactions = included.map(({ tx }) => tx);
  const receipts = included.map(({ receipt }) => receipt);
  return { executed: sealBlock(chain, frame, { view, transactions, receipts, reward }), refused };
}

/** Executes the transactions of a given block; a text says which of them may not be in it. */
export function executeTransactions(chain: ChainState, frame: BlockFrame, transactions: readonly Transaction[]): ExecutedBlock | string {
  const view = new OverlayStateView(chain.state);
  const result = executeBlock(view, transactions, blockContext(chain, frame));
  if (!result.isValid) return `transaction ${result.txId}: ${result.message}`;
  return sealBlock(chain, frame, { view, transactions, receipts: result.receipts, reward: result.reward });
}

interface Execution {
  readonly view: OverlayStateView;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly reward: BlockReward | undefined;
}

/** Computes the roots of an execution and the header that follows from them. */
export function sealBlock(chain: Omit<ChainState, "hasSeenId" | "vm">, frame: BlockFrame, execution: Execution): ExecutedBlock {
  const { view, transactions, receipts, reward } = execution;
  const changes = view.changes();
  const tree = updateStateTree(chain.pages, leafChanges(changes));
  const nextValidators = readValidators(view);
  const encodedReceipts = receipts.map(encodeReceipt);
  const header: BlockHeader = {
    version: HEADER_VERSION,
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
    paramsHash: paramsHash(chain.params),
    evidenceRoot: rootHex(frame.evidence, nativeSha256),
    proposer: frame.proposer,
    txCount: transactions.length,
  };
  const block: Block = { header, transactions, evidence: frame.evidence, lastCommit: frame.lastCommit };
  return { block, hash: headerHash(header, nativeSha256), receipts, encodedReceipts, reward, changes, pages: tree.pages, nextValidators };
}

function blockContext(chain: ChainState, { height, timeMs, proposer }: BlockFrame): BlockContext {
  const { chainId, params, vm } = chain;
  const hasSeenId = (id: string): boolean => chain.hasSeenId(id, timeMs);
  return { chainId, params, vm, height, timeMs, proposer, gasLeft: MAX_BLOCK_GAS, hash: nativeSha256, hasSeenId };
}
