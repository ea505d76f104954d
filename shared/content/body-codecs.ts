// How the body of each kind is written and read: one entry a kind. Fields of later versions inside a body are ignored.
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { fromHex } from "#shared/util/bytes.ts";
import {
  type AttachmentBody,
  CHUNK_BYTES,
  CHUNK_OVERHEAD_BYTES,
  isSentBody,
  type Kind,
  type KnownBody,
  MAX_CHUNKS,
  MAX_EMOJI_BYTES,
  MAX_EXPIRY_S,
  MAX_FALLBACK_BYTES,
  MAX_FILE_BYTES,
  MAX_FILE_NAME_BYTES,
  MAX_IMAGE_SIDE,
  MAX_KIND_CHARS,
  MAX_MEDIA_TYPE_BYTES,
  MAX_NOTE_BYTES,
  MAX_PREVIEW_BYTES,
  MAX_QUOTE_BYTES,
  MAX_RECEIPT_IDS,
  MAX_RESEND_POSITIONS,
  MAX_REVISIONS,
  MAX_TEXT_BYTES,
  type SentBody,
  type UnknownBody,
} from "./content.ts";
import {
  booleanOf,
  bytesOf,
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
import { decodeGroupLeave, decodeGroupState, encodeGroupLeave, encodeGroupState } from "./group-codecs.ts";
import { isProfileName } from "./profile-name.ts";

interface BodyCodec<Body> {
  encode(body: Body): CborValue;
  decode(fields: Fields): Omit<Body, "kind">;
}

type ImageFacts = NonNullable<AttachmentBody["image"]>;

const MAX_CHUNK_BYTES = CHUNK_BYTES + CHUNK_OVERHEAD_BYTES;
const KIND_PATTERN = /^[a-z][a-z0-9.]*$/;
const STREAM_BYTES = 8;
const positions = (list: readonly number[]): CborValue =>
  checkedList(list, MAX_RESEND_POSITIONS, (position) => checkedInteger(position, 1));
const positionsOf = (value: CborValue | undefined): readonly number[] =>
  listOf(value, MAX_RESEND_POSITIONS, (entry) => integerOf(entry, 1));

const CODECS: { readonly [K in Kind]: BodyCodec<Extract<KnownBody, { readonly kind: K }>> } = {
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
  profile: { encode: ({ name }) => ({ name: checkedName(name) }), decode: ({ name }) => ({ name: nameOf(name) }) },
  attachment: {
    encode: (body) => ({
      name: checkedText(body.name, 1, MAX_FILE_NAME_BYTES),
      type: checkedText(body.mediaType, 1, MAX_MEDIA_TYPE_BYTES),
      size: checkedInteger(body.size, 1, MAX_FILE_BYTES),
      key: fromHex(body.key),
      digest: fromHex(body.digest),
      caption: checkedText(body.caption, 0, MAX_TEXT_BYTES),
      ...(body.image === null ? {} : { image: encodeImage(body.image) }),
    }),
    decode: (fields) => ({
      name: textOf(fields.name, MAX_FILE_NAME_BYTES),
      mediaType: textOf(fields.type, MAX_MEDIA_TYPE_BYTES),
      size: integerOf(fields.size, 1, MAX_FILE_BYTES),
      key: hexOf(fields.key, 32),
      digest: hexOf(fields.digest, 32),
      caption: optionalTextOf(fields.caption, MAX_TEXT_BYTES),
      image: fields.image === undefined ? null : imageOf(fieldsOf(fields.image)),
    }),
  },
  "attachment.chunk": {
    encode: ({ id, index, data }) => ({ id: fromHex(id), index: checkedInteger(index, 0, MAX_CHUNKS - 1), data: checkedChunk(data) }),
    decode: ({ id, index, data }) => ({
      id: idOf(id),
      index: integerOf(index, 0, MAX_CHUNKS - 1),
      data: bytesOf(data, 1, MAX_CHUNK_BYTES),
    }),
  },
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
  knock: {
    encode: ({ stream, upTo }) => ({ stream: fromHex(stream), up: checkedInteger(upTo, 1) }),
    decode: ({ stream, up }) => ({ stream: hexOf(stream, STREAM_BYTES), upTo: integerOf(up, 1) }),
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
  "group.state": { encode: encodeGroupState, decode: decodeGroupState },
  "group.leave": { encode: encodeGroupLeave, decode: decodeGroupLeave },
  "group.ask": { encode: () => ({}), decode: () => ({}) },
};

function encodeImage({ width, height, preview }: ImageFacts): CborValue {
  if (preview.length > MAX_PREVIEW_BYTES) throw new RangeError(`A preview has at most ${MAX_PREVIEW_BYTES} bytes`);
  return { width: checkedInteger(width, 1, MAX_IMAGE_SIDE), height: checkedInteger(height, 1, MAX_IMAGE_SIDE), preview };
}

function imageOf({ width, height, preview }: Fields): ImageFacts {
  return {
    width: integerOf(width, 1, MAX_IMAGE_SIDE),
    height: integerOf(height, 1, MAX_IMAGE_SIDE),
    preview: bytesOf(preview, 0, MAX_PREVIEW_BYTES),
  };
}

function checkedName(name: string): string {
  if (!isProfileName(name)) throw new RangeError("Not a name that somebody may give themselves");
  return name;
}

function nameOf(value: CborValue | undefined): string {
  if (typeof value !== "string" || !isProfileName(value)) throw new TypeError("not a name that somebody may give themselves");
  return value;
}

function checkedChunk(data: Uint8Array): Uint8Array {
  if (data.length === 0 || data.length > MAX_CHUNK_BYTES) throw new RangeError(`A chunk has 1 to ${MAX_CHUNK_BYTES} bytes`);
  return data;
}

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
function sentBodyOf(name: string, value: CborValue | undefined): SentBody | UnknownBody {
  const body = decodeBody(name, value, undefined);
  if (body.kind !== "unknown" && !isSentBody(body)) throw new TypeError("nothing that people send each other");
  return body;
}

function receiptStatusOf(value: CborValue | undefined): "delivered" | "read" {
  if (value !== "delivered" && value !== "read") throw new TypeError("not a status of receipts");
  return value;
}
