// What a full node answers a light one, and how it is written: [1, kind, fields …]. The decoder is total; nothing is proven by it.
import { bytesOf, countOf, listOf } from "#node/engine/message-encoding.ts";
import { decodeMessage, textOf, WIRE_VERSION } from "#node/network/wire/wire-codec.ts";
import type { CodedError } from "#shared/errors/coded-error.ts";
import { ERROR_CODES, type ErrorCode } from "#shared/errors/codes.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { type LightBlock, lightBlockFromCbor, lightBlockToCbor } from "#shared/protocol/light-block.ts";
import { MAX_BLOCK_TXS, MAX_TX_ID_CHARS } from "#shared/protocol/limits.ts";
import { decodeStateProof, encodeStateProof, type StateProof } from "#shared/protocol/state-proof.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import { type Fields, itemsOf, refuse, shortTextOf } from "./light-fields.ts";

/** What a state is said to hold under a key, with the proof of it. */
export interface RecordAnswer {
  /** Undefined: nothing. */
  readonly value: Uint8Array | undefined;
  readonly proof: StateProof;
}

/** One leaf of a block's roots, encoded, with its way up. */
export interface LeafAnswer {
  readonly bytes: Uint8Array;
  readonly siblings: readonly Uint8Array[];
}

/** An answer. */
export type LightAnswer =
  | { readonly kind: "blocks"; readonly blocks: readonly LightBlock[] }
  | { readonly kind: "records"; readonly at: LightBlock; readonly records: readonly RecordAnswer[] }
  /** The encoded block, and the CBOR list of its encoded receipts. */
  | { readonly kind: "body"; readonly block: Uint8Array; readonly receipts: Uint8Array }
  | {
      readonly kind: "transaction";
      readonly at: LightBlock;
      readonly position: number;
      /** Transactions of the block. */
      readonly count: number;
      readonly transaction: LeafAnswer;
      readonly receipt: LeafAnswer;
    }
  /** Ids in the order of the chain, and the rolling hash before the first of them. */
  | { readonly kind: "history"; readonly before: Uint8Array; readonly entryIds: readonly string[] }
  | { readonly kind: "told"; readonly json: string }
  | { readonly kind: "accepted"; readonly warning: string | null }
  | { readonly kind: "unknown" }
  | { readonly kind: "error"; readonly code: ErrorCode; readonly message: string };

type Kind = LightAnswer["kind"];

const MAX_MESSAGE_CHARS = 1_000;
/** Levels of a tree over the transactions of a block. */
const MAX_SIBLINGS = Math.ceil(Math.log2(MAX_BLOCK_TXS));

const READERS: { readonly [K in Kind]: (fields: Fields) => Extract<LightAnswer, { readonly kind: K }> } = {
  blocks: (fields) => {
    const [blocks] = listOf(fields, 1);
    return { kind: "blocks", blocks: itemsOf(blocks, LIGHT_LIMITS.blocksPerQuestion).map(lightBlockFromCbor) };
  },
  records: (fields) => {
    const [at, records] = listOf(fields, 2);
    return { kind: "records", at: lightBlockFromCbor(at), records: itemsOf(records, LIGHT_LIMITS.keysPerQuestion).map(recordFromCbor) };
  },
  body: (fields) => {
    const [block, receipts] = listOf(fields, 2);
    return { kind: "body", block: bytesOf(block), receipts: bytesOf(receipts) };
  },
  transaction: (fields) => {
    const [at, position, count, transaction, receipt] = listOf(fields, 5);
    return {
      kind: "transaction",
      at: lightBlockFromCbor(at),
      position: countOf(position),
      count: countOf(count),
      transaction: leafFromCbor(transaction),
      receipt: leafFromCbor(receipt),
    };
  },
  history: (fields) => {
    const [before, ids] = listOf(fields, 2);
    return {
      kind: "history",
      before: bytesOf(before, 32),
      entryIds: itemsOf(ids, LIGHT_LIMITS.entriesPerQuestion).map((id) => shortTextOf(id, MAX_TX_ID_CHARS)),
    };
  },
  told: (fields) => ({ kind: "told", json: textOf(listOf(fields, 1)[0]) }),
  accepted: (fields) => {
    const [warning] = listOf(fields, 1);
    return { kind: "accepted", warning: warning === null ? null : shortTextOf(warning, MAX_MESSAGE_CHARS) };
  },
  unknown: (fields) => {
    listOf(fields, 0);
    return { kind: "unknown" };
  },
  error: (fields) => {
    const [code, text] = listOf(fields, 2);
    return { kind: "error", code: errorCode(code), message: shortTextOf(text, MAX_MESSAGE_CHARS) };
  },
};

/** Bytes of an answer. */
export function encodeLightAnswer(answer: LightAnswer): Uint8Array {
  return encodeCbor([WIRE_VERSION, answer.kind, ...fieldsOf(answer)]);
}

/** Answer of {@link encodeLightAnswer}; undefined for any other bytes. */
export function decodeLightAnswer(bytes: Uint8Array): LightAnswer | undefined {
  return decodeMessage(bytes, undefined, ([, kind, ...fields]) => {
    if (typeof kind !== "string" || !Object.hasOwn(READERS, kind)) return refuse("a kind of answer");
    return READERS[kind as Kind](fields);
  });
}

/** Answer of a failure that whoever asks may know of. */
export function errorAnswer({ code, message: text }: CodedError): LightAnswer {
  return { kind: "error", code, message: text.toWellFormed().slice(0, MAX_MESSAGE_CHARS).toWellFormed() };
}

function fieldsOf(answer: LightAnswer): Fields {
  switch (answer.kind) {
    case "blocks":
      return [answer.blocks.map(lightBlockToCbor)];
    case "records":
      return [lightBlockToCbor(answer.at), answer.records.map(({ value, proof }) => [value ?? null, encodeStateProof(proof)])];
    case "body":
      return [answer.block, answer.receipts];
    case "transaction":
      return [lightBlockToCbor(answer.at), answer.position, answer.count, leafToCbor(answer.transaction), leafToCbor(answer.receipt)];
    case "history":
      return [answer.before, answer.entryIds];
    case "told":
      return [answer.json];
    case "accepted":
      return [answer.warning];
    case "unknown":
      return [];
    case "error":
      return [answer.code, answer.message];
  }
}

function recordFromCbor(field: CborValue): RecordAnswer {
  const [value, proof] = listOf(field, 2);
  return { value: value === null ? undefined : bytesOf(value), proof: decodeStateProof(bytesOf(proof)) };
}

function leafToCbor({ bytes, siblings }: LeafAnswer): CborValue {
  return [bytes, siblings];
}

function leafFromCbor(value: CborValue | undefined): LeafAnswer {
  const [bytes, siblings] = listOf(value, 2);
  return { bytes: bytesOf(bytes), siblings: itemsOf(siblings, MAX_SIBLINGS).map((sibling) => bytesOf(sibling, 32)) };
}

function errorCode(value: CborValue | undefined): ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value) ? (value as ErrorCode) : refuse("a code of the table");
}
