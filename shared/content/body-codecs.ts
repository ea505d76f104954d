// How the body of each kind is written and read: one entry a kind. Fields of later versions inside a body are ignored.
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/limits.ts";
import { fromHex } from "#shared/util/bytes.ts";
import {
  type ChatBody,
  type KnownBody,
  MAX_EMOJI_BYTES,
  MAX_EXPIRY_S,
  MAX_FALLBACK_BYTES,
  MAX_KIND_CHARS,
  MAX_NOTE_BYTES,
  MAX_QUOTE_BYTES,
  MAX_RECEIPT_IDS,
  MAX_RESEND_POSITIONS,
  MAX_REVISIONS,
  MAX_TEXT_BYTES,
  type UnknownBody,
} from "./content.ts";
import {
  booleanOf,
  checkedInteger,
  checkedList,
  checkedText,
  encodeReference,
  type Fields,
  fieldsOf,
  hexOf,
  idOf,
  integerOf,
  keyOf,
  listOf,
  optionalTextOf,
  referenceOf,
  textOf,
} from "./content-fields.ts";

interface BodyCodec<Body> {
  encode(body: Body): CborValue;
  decode(fields: Fields): Omit<Body, "kind">;
}

type Kind = KnownBody["kind"];
type BodyOf<K extends Kind> = Extract<KnownBody, { readonly kind: K }>;

const KIND_PATTERN = /^[a-z][a-z0-9.]*$/;
const STREAM_BYTES = 8;
const positions = (list: readonly number[]): CborValue =>
  checkedList(list, MAX_RESEND_POSITIONS, (position) => checkedInteger(position, 1));
const positionsOf = (value: CborValue | undefined): readonly number[] =>
  listOf(value, MAX_RESEND_POSITIONS, (entry) => integerOf(entry, 1));

/** Kinds that people send each other: what `sync.sent` may carry. */
const CHAT_KINDS: ReadonlySet<string> = new Set<ChatBody["kind"]>([
  "text",
  "reply",
  "reaction",
  "edit",
  "delete",
  "timer",
  "pay.request",
  "pay.receipt",
  "contact.accept",
]);

const CODECS: { readonly [K in Kind]: BodyCodec<BodyOf<K>> } = {
  text: {
    encode: ({ text }) => ({ text: checkedText(text, 1, MAX_TEXT_BYTES) }),
    decode: ({ text }) => ({ text: textOf(text, MAX_TEXT_BYTES) }),
  },
  reply: {
    encode: ({ text, to, quote }) => ({
      text: checkedText(text, 1, MAX_TEXT_BYTES),
      to: encodeReference(to),
      quote: checkedText(quote, 0, MAX_QUOTE_BYTES),
    }),
    decode: ({ text, to, quote }) => ({
      text: textOf(text, MAX_TEXT_BYTES),
      to: referenceOf(to),
      quote: optionalTextOf(quote, MAX_QUOTE_BYTES),
    }),
  },
  reaction: {
    encode: ({ to, emoji }) => ({ to: encodeReference(to), emoji: checkedText(emoji, 0, MAX_EMOJI_BYTES) }),
    decode: ({ to, emoji }) => ({ to: referenceOf(to), emoji: optionalTextOf(emoji, MAX_EMOJI_BYTES) }),
  },
  edit: {
    encode: ({ id, text, revision }) => ({
      id: fromHex(id),
      text: checkedText(text, 1, MAX_TEXT_BYTES),
      rev: checkedInteger(revision, 1, MAX_REVISIONS),
    }),
    decode: ({ id, text, rev }) => ({ id: idOf(id), text: textOf(text, MAX_TEXT_BYTES), revision: integerOf(rev, 1, MAX_REVISIONS) }),
  },
  delete: { encode: ({ id }) => ({ id: fromHex(id) }), decode: ({ id }) => ({ id: idOf(id) }) },
  timer: {
    encode: ({ seconds }) => ({ seconds: checkedInteger(seconds, 0, MAX_EXPIRY_S) }),
    decode: ({ seconds }) => ({ seconds: integerOf(seconds, 0, MAX_EXPIRY_S) }),
  },
  "pay.request": {
    encode: ({ amountUt, note }) => ({ amount: checkedInteger(amountUt, 1), note: checkedText(note, 0, MAX_NOTE_BYTES) }),
    decode: ({ amount, note }) => ({ amountUt: integerOf(amount, 1), note: optionalTextOf(note, MAX_NOTE_BYTES) }),
  },
  "pay.receipt": {
    encode: ({ txId, amountUt, request }) => ({
      tx: checkedText(txId, 1, MAX_TX_ID_CHARS),
      amount: checkedInteger(amountUt, 1),
      ...(request === null ? {} : { request: fromHex(request) }),
    }),
    decode: ({ tx, amount, request }) => ({
      txId: textOf(tx, MAX_TX_ID_CHARS),
      amountUt: integerOf(amount, 1),
      request: request === undefined ? null : idOf(request),
    }),
  },
  "contact.accept": { encode: () => ({}), decode: () => ({}) },
  receipt: {
    encode: ({ status, ids }) => ({ status, ids: checkedList(ids, MAX_RECEIPT_IDS, fromHex) }),
    decode: ({ status, ids }) => ({ status: receiptStatusOf(status), ids: listOf(ids, MAX_RECEIPT_IDS, idOf) }),
  },
  resend: {
    encode: (body) => ({ stream: fromHex(body.stream), positions: positions(body.positions) }),
    decode: (fields) => ({ stream: hexOf(fields.stream, STREAM_BYTES), positions: positionsOf(fields.positions) }),
  },
  "resend.gone": {
    encode: (body) => ({ stream: fromHex(body.stream), positions: positions(body.positions) }),
    decode: (fields) => ({ stream: hexOf(fields.stream, STREAM_BYTES), positions: positionsOf(fields.positions) }),
  },
  "sync.sent": {
    encode: ({ peer, id, at, body }) => {
      if (body.kind === "unknown") throw new RangeError("A device only tells what it knows");
      return { peer: fromHex(peer), id: fromHex(id), at, kind: body.kind, body: encodeBody(body) };
    },
    decode: ({ peer, id, at, kind, body }) => ({
      peer: keyOf(peer),
      id: idOf(id),
      at: integerOf(at, 0),
      body: sentBodyOf(textOf(kind, MAX_KIND_CHARS), body),
    }),
  },
  "sync.read": {
    encode: ({ peer, ids }) => ({ peer: fromHex(peer), ids: checkedList(ids, MAX_RECEIPT_IDS, fromHex) }),
    decode: ({ peer, ids }) => ({ peer: keyOf(peer), ids: listOf(ids, MAX_RECEIPT_IDS, idOf) }),
  },
  "sync.chat": {
    encode: ({ peer, isPinned, isArchived, mutedUntil }) => ({
      peer: fromHex(peer),
      pinned: isPinned,
      archived: isArchived,
      muted: checkedInteger(mutedUntil, 0),
    }),
    decode: ({ peer, pinned, archived, muted }) => ({
      peer: keyOf(peer),
      isPinned: booleanOf(pinned),
      isArchived: booleanOf(archived),
      mutedUntil: integerOf(muted, 0),
    }),
  },
};

/** The body as CBOR takes it. @throws RangeError when a limit is exceeded. */
export function encodeBody(body: KnownBody): CborValue {
  return (CODECS[body.kind] as BodyCodec<KnownBody>).encode(body);
}

/** The body of a kind. @throws TypeError when it is malformed. */
export function decodeBody(name: string, value: CborValue | undefined, fallback: CborValue | undefined): KnownBody | UnknownBody {
  const fields = fieldsOf(value);
  if (Object.hasOwn(CODECS, name)) return { kind: name, ...CODECS[name as Kind].decode(fields) } as KnownBody;
  if (!KIND_PATTERN.test(name)) throw new TypeError("not the name of a kind");
  return { kind: "unknown", name, fallback: optionalTextOf(fallback, MAX_FALLBACK_BYTES), raw: encodeCbor(fields) };
}

/** What another own device sent: it may be newer than this one. */
function sentBodyOf(name: string, value: CborValue | undefined): ChatBody | UnknownBody {
  const body = decodeBody(name, value, undefined);
  if (body.kind !== "unknown" && !CHAT_KINDS.has(body.kind)) throw new TypeError("nothing that people send each other");
  return body as ChatBody | UnknownBody;
}

function receiptStatusOf(value: CborValue | undefined): "delivered" | "read" {
  if (value !== "delivered" && value !== "read") throw new TypeError("not a status of receipts");
  return value;
}
