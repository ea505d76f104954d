// Pure checks of what peers answer, each against a header that was verified: what the response says, or why it is false.
import { historyHashAfter } from "#node/ledger/records/history.ts";
import { decode } from "#shared/codec/codec.ts";
import { type Block, decodeBlock, rootHex } from "#shared/protocol/chain/block.ts";
import { type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { verifyStateProof } from "#shared/protocol/chain/state-proof.ts";
import { commitHash } from "#shared/protocol/chain/vote.ts";
import { type Sha256, ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { verifyMerkleProof } from "#shared/protocol/primitives/merkle.ts";
import { encodedReceiptsCodec, receiptCodec } from "#shared/protocol/transactions/receipt.ts";
import { decodeTransaction, encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { equalBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import type { ProvenBody, ProvenTransaction, StateKey } from "../light-source.ts";
import type { HistorySegment } from "../wire/light-requests.ts";
import type { LightResponse } from "../wire/light-responses.ts";

/** What a response says, or why it is false. */
export type Checked<T> = { readonly value: T } | { readonly reason: string };

type ResponseOf<K extends LightResponse["kind"]> = Extract<LightResponse, { readonly kind: K }>;

/** Values of records, each proven under the state root of the block. */
export function checkRecords(
  { header }: TrustedBlock,
  keys: readonly StateKey[],
  { records }: ResponseOf<"records">,
  hash: Sha256,
): Checked<readonly (Uint8Array | undefined)[]> {
  if (records.length !== keys.length) return { reason: "it has more or fewer records than were asked for" };
  const root = fromHex(header.stateRoot);
  for (const [index, { namespace, key }] of keys.entries()) {
    const record = records[index];
    if (record === undefined || !verifyStateProof(root, { namespace, key, value: record.value }, record.proof, hash))
      return { reason: `the record ${namespace}/${toHex(key)} is not in the state of block ${header.height}` };
  }
  return { value: records.map(({ value }) => value) };
}

/** Transactions and receipts, all of them and no others, by the roots of the block. */
export function checkBody(at: TrustedBlock, response: ResponseOf<"body">, hash: Sha256): Checked<ProvenBody> {
  const { header } = at;
  const read = attempt(() => ({ block: decodeBlock(response.block), outcomes: decode(encodedReceiptsCodec, response.receipts) }));
  if (read === undefined) return { reason: `block ${header.height} is none` };
  const { block, outcomes } = read;
  const wrong = wrongPart(at, block, outcomes, hash);
  if (wrong !== undefined) return { reason: `${wrong} of block ${header.height} are others` };
  const receipts = attempt(() => outcomes.map((outcome) => decode(receiptCodec, outcome)));
  return receipts === undefined ? { reason: "a receipt is none" } : { value: { at, block, receipts } };
}

/** The same of a block of which only the hash is known. */
export function checkBodyOfHash(blockHash: HashHex, response: ResponseOf<"body">, hash: Sha256): Checked<ProvenBody> {
  const header = attempt(() => decodeBlock(response.block).header);
  if (header === undefined) return { reason: "it is no block" };
  return checkBody({ header, hash: blockHash, validators: [], commit: null }, response, hash);
}

/** A transaction and its receipt, by their ways to the roots of the block. */
export function checkTransaction(
  at: TrustedBlock,
  id: string,
  response: ResponseOf<"transaction">,
  hash: Sha256,
): Checked<ProvenTransaction> {
  const { position, count, transaction: leaf, receipt: outcome } = response;
  const { txRoot, receiptsRoot, txCount } = at.header;
  // The same siblings lead to the root in trees of other sizes: only the header's own size gives the position its meaning.
  if (count !== txCount) return { reason: `block ${at.header.height} has ${txCount} transactions, not ${count}` };
  const leafPosition = { index: position, size: count };
  const stands =
    verifyMerkleProof(fromHex(txRoot), leaf.bytes, { ...leafPosition, siblings: leaf.siblings }, hash) &&
    verifyMerkleProof(fromHex(receiptsRoot), outcome.bytes, { ...leafPosition, siblings: outcome.siblings }, hash);
  if (!stands) return { reason: `the transaction ${id} does not stand in block ${at.header.height}` };
  const read = attempt(() => ({ transaction: decodeTransaction(leaf.bytes), receipt: decode(receiptCodec, outcome.bytes) }));
  if (read === undefined || read.transaction.id !== id || read.receipt.txId !== id) return { reason: `it is not the transaction ${id}` };
  return { value: { at, ...read, position, proof: { count, transaction: leaf, receipt: outcome } } };
}

/** Ids of a part of a history, by the hash after its last entry. */
export function checkHistory(
  after: Uint8Array,
  { count }: HistorySegment,
  { before, entryIds }: ResponseOf<"history">,
  hash: Sha256,
): Checked<readonly string[]> {
  if (entryIds.length !== count) return { reason: "it has more or fewer entries than were asked for" };
  return equalBytes(historyHashAfter(before, entryIds, hash), after)
    ? { value: entryIds }
    : { reason: "the entries are not those of the history" };
}

function wrongPart(
  { header, hash: trusted }: TrustedBlock,
  block: Block,
  outcomes: readonly Uint8Array[],
  hash: Sha256,
): string | undefined {
  if (headerHash(block.header, hash) !== trusted) return "the fields";
  if (rootHex(block.transactions.map(encodeTransaction), hash) !== header.txRoot) return "the transactions";
  if (rootHex(outcomes, hash) !== header.receiptsRoot || outcomes.length !== block.transactions.length) return "the receipts";
  if (rootHex(block.evidence, hash) !== header.evidenceRoot) return "the reports";
  const parent = block.lastCommit === null ? toHex(ZERO_HASH) : commitHash(block.lastCommit, hash);
  return parent === header.lastCommitHash ? undefined : "the votes";
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
