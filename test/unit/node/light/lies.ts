// Every way to bend a true response that a light node must notice.
import { historyHashAfter } from "#node/ledger/records/history.ts";
import type { LightResponse, RecordWithProof } from "#node/light/wire/light-responses.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { strictlyDecoded } from "#test/support/codec/strict-cbor.ts";
import type { Bend } from "#test/support/worlds/played-light-peers.ts";

type TransactionResponse = Extract<LightResponse, { readonly kind: "transaction" }>;

/** True things that belong somewhere else. */
export interface LieSources {
  /** Another encoded block of the chain. */
  otherBlock(): Uint8Array;
  /** The transaction that is asked for, encoded with another amount. */
  otherAmount(): Uint8Array;
  /** The response to a request for another transaction. */
  otherTransaction(): LightResponse;
}

/** Bends answers of one kind, and leaves the others. */
export function bending<K extends LightResponse["kind"]>(
  kind: K,
  bend: (response: Extract<LightResponse, { readonly kind: K }>) => LightResponse,
): Bend {
  return (response) => (response.kind === kind ? bend(response as Extract<LightResponse, { readonly kind: K }>) : response);
}

type Lie = readonly ["records" | "body" | "transaction" | "history", string, Bend];

/** Responses that are false, by what was asked. */
export function liesAbout(sources: LieSources): readonly Lie[] {
  return [...RECORD_LIES, ...bodyLies(sources), ...transactionLies(sources), ...HISTORY_LIES];
}

const RECORD_LIES: readonly Lie[] = [
  recordLie("another value", (all) => all.map((record) => ({ ...record, value: record.value && flipped(record.value) }))),
  recordLie("a record hidden", (all) => all.map((record) => ({ ...record, value: undefined }))),
  recordLie("a record made up", (all) => all.map((record) => ({ ...record, value: Uint8Array.of(1) }))),
  recordLie("a record too few", (all) => all.slice(1)),
  recordLie("a record too many", (all) => [...all, ...all.slice(0, 1)]),
  recordLie("proofs exchanged", (all) => all.map((record, index) => ({ ...record, proof: all.at(-1 - index)?.proof ?? record.proof }))),
];

const HISTORY_LIES: readonly Lie[] = [
  ["history", "an entry left out", bending("history", (response) => ({ ...response, entryIds: response.entryIds.slice(1) }))],
  ["history", "an entry replaced", bending("history", (response) => ({ ...response, entryIds: response.entryIds.with(0, "tx-made-up") }))],
  ["history", "entries exchanged", bending("history", (response) => ({ ...response, entryIds: response.entryIds.toReversed() }))],
  [
    "history",
    "an entry left out under a hash that fits",
    bending("history", (response) => ({
      ...response,
      before: historyHashAfter(response.before, response.entryIds.slice(0, 1)),
      entryIds: response.entryIds.slice(1),
    })),
  ],
  ["history", "another hash before", bending("history", (response) => ({ ...response, before: flipped(response.before) }))],
];

function bodyLies({ otherBlock }: LieSources): readonly Lie[] {
  const block = (change: (bytes: Uint8Array) => Uint8Array): Bend =>
    bending("body", (response) => ({ ...response, block: change(response.block) }));
  const receipts = (change: (all: readonly Uint8Array[]) => readonly (Uint8Array | undefined)[]): Bend =>
    bending("body", (response) => ({ ...response, receipts: withReceipts(response.receipts, change) }));
  return [
    ["body", "a transaction left out", block((bytes) => withTransactions(bytes, (all) => all.slice(1)))],
    ["body", "transactions exchanged", block((bytes) => withTransactions(bytes, (all) => all.toReversed()))],
    ["body", "another block", block(otherBlock)],
    ["body", "another time", block((bytes) => withParts(bytes, ({ header }) => ({ header: { ...header, timeMs: header.timeMs + 1 } })))],
    ["body", "a report made up", block((bytes) => withParts(bytes, () => ({ evidence: [Uint8Array.of(1)] })))],
    ["body", "the votes for its parent left out", block((bytes) => withParts(bytes, () => ({ lastCommit: null })))],
    ["body", "a block that is none", block((bytes) => bytes.subarray(1))],
    ["body", "a receipt replaced", receipts((all) => [all[1], ...all.slice(1)])],
    ["body", "a receipt left out", receipts((all) => all.slice(1))],
    ["body", "receipts that are none", bending("body", (response) => ({ ...response, receipts: encodeCbor(1) }))],
  ];
}

function transactionLies({ otherAmount, otherTransaction }: LieSources): readonly Lie[] {
  const lie = (change: (response: TransactionResponse) => Partial<TransactionResponse>): Bend =>
    bending("transaction", (response) => ({ ...response, ...change(response) }));
  return [
    ["transaction", "another amount", lie(({ transaction }) => ({ transaction: { ...transaction, bytes: otherAmount() } }))],
    ["transaction", "another receipt", lie(({ receipt }) => ({ receipt: { ...receipt, bytes: flipped(receipt.bytes) } }))],
    [
      "transaction",
      "a sibling left out",
      lie(({ transaction }) => ({ transaction: { ...transaction, siblings: transaction.siblings.slice(1) } })),
    ],
    ["transaction", "another place", lie(() => ({ position: 1 }))],
    ["transaction", "a transaction more in its block", lie(({ count }) => ({ count: count + 1 }))],
    ["transaction", "another transaction", bending("transaction", otherTransaction)],
  ];
}

function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1);
}

function withTransactions(bytes: Uint8Array, change: (all: readonly Transaction[]) => readonly Transaction[]): Uint8Array {
  return withParts(bytes, ({ transactions }) => ({ transactions: change(transactions) }));
}

function withParts(bytes: Uint8Array, change: (block: Block) => Partial<Block>): Uint8Array {
  const block = decodeBlock(bytes);
  return encodeBlock({ ...block, ...change(block) });
}

function withReceipts(bytes: Uint8Array, change: (all: readonly Uint8Array[]) => readonly (Uint8Array | undefined)[]): Uint8Array {
  return encodeCbor(change(strictlyDecoded(bytes) as readonly Uint8Array[]).map((item) => item ?? new Uint8Array()));
}

function recordLie(name: string, change: (all: readonly RecordWithProof[]) => readonly RecordWithProof[]): Lie {
  return ["records", name, bending("records", (response) => ({ ...response, records: change(response.records) }))];
}
