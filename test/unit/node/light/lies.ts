// Every way to bend a true answer that a light node must notice.
import { historyHashAfter } from "#node/ledger/records/history.ts";
import type { LightAnswer, RecordAnswer } from "#node/light/wire/light-answers.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { decodeCbor, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Bend } from "#test/support/worlds/played-light-peers.ts";

type TransactionAnswer = Extract<LightAnswer, { readonly kind: "transaction" }>;

/** True things that belong somewhere else. */
export interface LieFacts {
  /** Another encoded block of the chain. */
  otherBlock(): Uint8Array;
  /** The transaction that is asked for, encoded with another amount. */
  otherAmount(): Uint8Array;
  /** The answer to a question for another transaction. */
  otherTransaction(): LightAnswer;
}

/** Bends answers of one kind, and leaves the others. */
export function bending<K extends LightAnswer["kind"]>(
  kind: K,
  bend: (answer: Extract<LightAnswer, { readonly kind: K }>) => LightAnswer,
): Bend {
  return (answer) => (answer.kind === kind ? bend(answer as Extract<LightAnswer, { readonly kind: K }>) : answer);
}

type Lie = readonly ["records" | "body" | "transaction" | "history", string, Bend];

/** Answers that are false, by what was asked. */
export function liesAbout(facts: LieFacts): readonly Lie[] {
  return [...RECORD_LIES, ...bodyLies(facts), ...transactionLies(facts), ...HISTORY_LIES];
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
  ["history", "an entry left out", bending("history", (answer) => ({ ...answer, entryIds: answer.entryIds.slice(1) }))],
  ["history", "an entry replaced", bending("history", (answer) => ({ ...answer, entryIds: answer.entryIds.with(0, "tx-made-up") }))],
  ["history", "entries exchanged", bending("history", (answer) => ({ ...answer, entryIds: answer.entryIds.toReversed() }))],
  [
    "history",
    "an entry left out under a hash that fits",
    bending("history", (answer) => ({
      ...answer,
      before: historyHashAfter(answer.before, answer.entryIds.slice(0, 1)),
      entryIds: answer.entryIds.slice(1),
    })),
  ],
  ["history", "another hash before", bending("history", (answer) => ({ ...answer, before: flipped(answer.before) }))],
];

function bodyLies({ otherBlock }: LieFacts): readonly Lie[] {
  const block = (change: (bytes: Uint8Array) => Uint8Array): Bend =>
    bending("body", (answer) => ({ ...answer, block: change(answer.block) }));
  const receipts = (change: (all: readonly Uint8Array[]) => readonly (Uint8Array | undefined)[]): Bend =>
    bending("body", (answer) => ({ ...answer, receipts: withReceipts(answer.receipts, change) }));
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
    ["body", "receipts that are none", bending("body", (answer) => ({ ...answer, receipts: encodeCbor(1) }))],
  ];
}

function transactionLies({ otherAmount, otherTransaction }: LieFacts): readonly Lie[] {
  const lie = (change: (answer: TransactionAnswer) => Partial<TransactionAnswer>): Bend =>
    bending("transaction", (answer) => ({ ...answer, ...change(answer) }));
  return [
    ["transaction", "another amount", lie(({ transaction }) => ({ transaction: { ...transaction, bytes: otherAmount() } }))],
    ["transaction", "another receipt", lie(({ receipt }) => ({ receipt: { ...receipt, bytes: flipped(receipt.bytes) } }))],
    [
      "transaction",
      "a sibling left out",
      lie(({ transaction }) => ({ transaction: { ...transaction, siblings: transaction.siblings.slice(1) } })),
    ],
    ["transaction", "another place", lie(() => ({ position: 1 }))],
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
  return encodeCbor(change(decodeCbor(bytes) as readonly Uint8Array[]).map((item) => item ?? new Uint8Array()));
}

function recordLie(name: string, change: (all: readonly RecordAnswer[]) => readonly RecordAnswer[]): Lie {
  return ["records", name, bending("records", (answer) => ({ ...answer, records: change(answer.records) }))];
}
