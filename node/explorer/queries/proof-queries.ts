// Proofs in the words of the public interface: state against the newest block, transactions against the block that holds them.
import { contractStateKey } from "#node/ledger/records/contract-records.ts";
import type { Namespace } from "#node/ledger/state-view.ts";
import type { ProofQueries } from "#node/queries/read-queries.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { proveState } from "#node/state/state-tree.ts";
import type { BlockRecord } from "#node/storage/chain/block-repository.ts";
import type { ChainReader } from "#node/storage/chain/chain-database.ts";
import type { KeptRecord } from "#node/storage/history/records/kept-record.ts";
import type { ProvenBlock, StateProof, TransactionProof } from "#shared/api/schemas/proofs.ts";
import { encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type Height, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import { statePath } from "#shared/protocol/chain/state-proof.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import { merkleProof } from "#shared/protocol/primitives/merkle.ts";
import { encodeReceipt } from "#shared/protocol/transactions/receipt.ts";
import { BLOCK_REWARD } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import type { ChainReads } from "../chain-reads.ts";

/** Queries of the public interface over a chain. State and header must be read within one snapshot of the database. */
export function createProofQueries(database: ChainReader): ProofQueries {
  return {
    account: (publicKey) => stateProof(database, "account", fromHex(publicKey)),
    identity: (publicKey) => stateProof(database, "identity", fromHex(publicKey)),
    contractState: (id, key) => stateProof(database, "contract_state", contractStateKey(id, utf8(key))),
    transaction: (id) => transactionProof(database, id),
    block: (height) => signedBlock(database, height),
  };
}

function stateProof(database: ChainReader, namespace: Namespace, key: Uint8Array): StateProof {
  const record = database.blocks.get(database.blocks.tipHeight() ?? 0);
  assertInvariant(record !== undefined, "A chain has a newest block");
  const value = database.state.get(namespace, key);
  const { siblings, otherLeaf } = proveState(database.state, statePath(namespace, key, nativeSha256));
  return {
    chain_id: record.block.header.chainId,
    namespace,
    key_hex: toHex(key),
    value_hex: value === undefined ? null : toHex(value),
    siblings: siblings.map(toHex),
    other_leaf: otherLeaf === null ? null : { path: toHex(otherLeaf.path), value_hash: toHex(otherLeaf.valueHash) },
    block: provenBlock(database, record),
  };
}

export interface LocatedTransaction {
  readonly record: BlockRecord;
  readonly position: number;
  /** Transactions and receipts of the block, encoded: the leaves of its roots. */
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
}

/** Undefined for an id of no transaction; a block reward is none, it follows from the block. */
export function findTransaction(database: ChainReads, id: string): LocatedTransaction | undefined {
  const entry = database.explorer.transaction(id);
  if (entry === undefined || entry.type === BLOCK_REWARD) return undefined;
  const record = database.blocks.get(entry.blockHeight);
  // One that was kept when its block was dropped stands alone.
  if (record === undefined && database.explorer.keptTransaction?.(id) !== undefined) return undefined;
  const position = record?.block.transactions.findIndex((tx) => tx.id === id) ?? -1;
  assertInvariant(record !== undefined && position !== -1, "The index names blocks that hold their transactions");
  const { block, receipts } = record;
  return { record, position, transactions: block.transactions.map(encodeTransaction), receipts: receipts.map(encodeReceipt) };
}

/** Proof of a transaction; undefined for an id of none. */
export function transactionProof(database: ChainReads, id: string): TransactionProof | undefined {
  const kept = database.explorer.keptTransaction?.(id);
  if (kept !== undefined) return keptProof(database, id, kept);
  const located = findTransaction(database, id);
  if (located === undefined) return undefined;
  const { record, position, transactions, receipts } = located;
  const [transaction, receipt] = [transactions[position], receipts[position]];
  assertInvariant(transaction !== undefined && receipt !== undefined, "Every transaction of a block has a receipt");
  return {
    chain_id: record.block.header.chainId,
    tx_id: id,
    position,
    count: transactions.length,
    transaction_hex: toHex(transaction),
    transaction_siblings: merkleProof(transactions, position, nativeSha256).siblings.map(toHex),
    receipt_hex: toHex(receipt),
    receipt_siblings: merkleProof(receipts, position, nativeSha256).siblings.map(toHex),
    block: provenBlock(database, record),
  };
}

/** The same proof of an own transaction, as it was kept when its block was dropped. */
function keptProof(database: ChainReads, id: string, { header, commit, proven }: KeptRecord): TransactionProof | undefined {
  if (proven === null) return undefined;
  return {
    chain_id: header.chainId,
    tx_id: id,
    position: proven.position,
    count: proven.count,
    transaction_hex: toHex(proven.transaction),
    transaction_siblings: proven.transactionSiblings.map(toHex),
    receipt_hex: toHex(proven.receipt),
    receipt_siblings: proven.receiptSiblings.map(toHex),
    block: provenBlock(database, { block: { header }, hash: headerHash(header, nativeSha256), commit }),
  };
}

/** A block by what proves it; undefined above the newest one. @throws CodedError HISTORY_PRUNED where commit or set are not here */
function signedBlock(database: ChainReads, height: Height): ProvenBlock | undefined {
  const { blocks, validatorSets } = database;
  const header = blocks.header(height);
  if (header === undefined) return undefined;
  const commit = blocks.commit(height) ?? null;
  const isItsSet = height === 0 || validatorsHash(validatorSets.at(height), nativeSha256) === header.validatorsHash;
  if (!isItsSet || (commit === null && height > 0))
    throw new CodedError("HISTORY_PRUNED", `This node does not hold what proves block ${height}`);
  return provenBlock(database, { block: { header }, hash: headerHash(header, nativeSha256), commit });
}

/** A block by what proves it. */
export function provenBlock(
  { validatorSets }: Pick<ChainReads, "validatorSets">,
  { block, hash, commit }: Pick<BlockRecord, "hash" | "commit"> & { readonly block: Pick<Block, "header"> },
): ProvenBlock {
  const { header } = block;
  return {
    index: header.height,
    hash,
    header_hex: toHex(encode(headerCodec, header)),
    commit_hex: commit === null ? null : toHex(encode(commitCodec, commit)),
    validators: validatorSets.at(header.height).map(({ publicKey, bondUt }) => ({ pub_key: publicKey, bond_ut: bondUt })),
  };
}
