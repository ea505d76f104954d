// What a light node asks a full one, and how it is written: [1, kind, fields …]. The decoder is total.
import { bytesOf, countOf, hashOf, listOf } from "#node/engine/message-encoding.ts";
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { decodeMessage, textOf, WIRE_VERSION } from "#node/network/wire/wire-codec.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import type { Height } from "#shared/protocol/header.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/limits.ts";
import { fromHex, utf8 } from "#shared/util/bytes.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { StateKey } from "../light-source.ts";
import { type Fields, itemsOf, numberUpTo, refuse, shortTextOf } from "./light-fields.ts";

/** Entries of an account's history by their numbers, which begin with 1: those up to `last`, `count` of them. */
export interface HistorySegment {
  readonly account: PublicKeyHex;
  readonly last: number;
  readonly count: number;
}

/** A question. */
export type LightQuestion =
  | { readonly kind: "blocks"; readonly from: Height; readonly count: number }
  | { readonly kind: "records"; readonly keys: readonly StateKey[] }
  | { readonly kind: "body"; readonly height: Height }
  | { readonly kind: "transaction"; readonly id: string }
  | ({ readonly kind: "history" } & HistorySegment)
  /** `input` is the JSON of the operation's input. */
  | { readonly kind: "told"; readonly operation: string; readonly input: string }
  | { readonly kind: "submit"; readonly transaction: Uint8Array };

type Kind = LightQuestion["kind"];

const MAX_OPERATION_CHARS = 64;

const READERS: { readonly [K in Kind]: (fields: Fields) => Extract<LightQuestion, { readonly kind: K }> } = {
  blocks: (fields) => {
    const [from, count] = listOf(fields, 2);
    return { kind: "blocks", from: countOf(from), count: numberUpTo(count, LIGHT_LIMITS.blocksPerQuestion) };
  },
  records: (fields) => {
    const [keys] = listOf(fields, 1);
    const read = itemsOf(keys, LIGHT_LIMITS.keysPerQuestion).map(stateKeyFromCbor);
    return read.length > 0 ? { kind: "records", keys: read } : refuse("at least one key");
  },
  body: (fields) => ({ kind: "body", height: countOf(listOf(fields, 1)[0]) }),
  transaction: (fields) => ({ kind: "transaction", id: shortTextOf(listOf(fields, 1)[0], MAX_TX_ID_CHARS) }),
  history: (fields) => {
    const [account, last, count] = listOf(fields, 3);
    const read = { account: hashOf(account), last: countOf(last), count: numberUpTo(count, LIGHT_LIMITS.entriesPerQuestion) };
    return read.count <= read.last ? { kind: "history", ...read } : refuse("entries that begin with 1");
  },
  told: (fields) => {
    const [operation, input] = listOf(fields, 2);
    return {
      kind: "told",
      operation: shortTextOf(operation, MAX_OPERATION_CHARS),
      input: utf8(textOf(input)).length <= LIGHT_LIMITS.inputBytes ? textOf(input) : refuse("a short input"),
    };
  },
  submit: (fields) => ({ kind: "submit", transaction: bytesOf(listOf(fields, 1)[0]) }),
};

/** Bytes of a question. */
export function encodeLightQuestion(question: LightQuestion): Uint8Array {
  return encodeCbor([WIRE_VERSION, question.kind, ...fieldsOf(question)]);
}

/** Question of {@link encodeLightQuestion}, within the limits; undefined for any other bytes. */
export function decodeLightQuestion(bytes: Uint8Array): LightQuestion | undefined {
  return decodeMessage(bytes, undefined, ([, kind, ...fields]) => {
    if (typeof kind !== "string" || !Object.hasOwn(READERS, kind)) return refuse("a kind of question");
    return READERS[kind as Kind](fields);
  });
}

function fieldsOf(question: LightQuestion): Fields {
  switch (question.kind) {
    case "blocks":
      return [question.from, question.count];
    case "records":
      return [question.keys.map(({ namespace, key }) => [namespace, key])];
    case "body":
      return [question.height];
    case "transaction":
      return [question.id];
    case "history":
      return [fromHex(question.account), question.last, question.count];
    case "told":
      return [question.operation, question.input];
    case "submit":
      return [question.transaction];
  }
}

function stateKeyFromCbor(value: CborValue): StateKey {
  const [namespace, key] = listOf(value, 2);
  const name = NAMESPACES.find((known) => known === namespace) ?? refuse("a namespace");
  const bytes = bytesOf(key);
  return bytes.length <= LIGHT_LIMITS.keyBytes ? { namespace: name, key: bytes } : refuse("a short key");
}
