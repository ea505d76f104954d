// From plaintext to content. Everything comes from strangers: shape and limits are checked before anything is built from it, and
// nothing here throws.
import { type CborValue, decodeCbor, encodeCbor } from "#shared/protocol/cbor.ts";
import { fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";
import { hasBoundedShape } from "./cbor-shape.ts";
import {
  type DecodedPlaintext,
  type IncomingContent,
  type KnownBody,
  MAX_FALLBACK_BYTES,
  MAX_KIND_CHARS,
  MAX_RECEIPT_IDS,
  MAX_TEXT_BYTES,
  type MessageId,
  type TextBody,
  type UnknownBody,
} from "./content.ts";
import { MAX_PLAINTEXT_BYTES, readFrame } from "./content-frame.ts";

type Fields = Readonly<Record<string, CborValue>>;

const SHAPE = { maxDepth: 8, maxItems: 4_096 } as const;
const MAX_CHAIN_ID_CHARS = 128;
const KIND_PATTERN = /^[a-z][a-z0-9.]*$/;

/** What a plaintext is. Fields and body fields of later versions are ignored, kinds of later versions are kept as `unknown`. */
export function decodePlaintext(plaintext: Uint8Array): DecodedPlaintext {
  const frame = readFrame(plaintext);
  if (frame.form === "unframed") return decodePlainText(plaintext);
  if (frame.form !== "framed") return frame;
  if (!hasBoundedShape(frame.content, SHAPE)) return { form: "invalid" };
  try {
    return { form: "content", content: contentOf(fieldsOf(decodeCbor(frame.content))) };
  } catch {
    return { form: "invalid" };
  }
}

function decodePlainText(plaintext: Uint8Array): DecodedPlaintext {
  if (plaintext.length === 0 || plaintext.length > MAX_PLAINTEXT_BYTES) return { form: "invalid" };
  try {
    return { form: "plain", text: fromUtf8(plaintext) };
  } catch {
    return { form: "invalid" };
  }
}

function contentOf(fields: Fields): IncomingContent {
  return {
    id: idOf(fields.id),
    from: keyOf(fields.from),
    fromDevice: keyOf(fields.dev),
    to: keyOf(fields.to),
    chainId: textOf(fields.chain, MAX_CHAIN_ID_CHARS),
    at: timeOf(fields.at),
    body: bodyOf(fields),
  };
}

function bodyOf(fields: Fields): KnownBody | UnknownBody {
  const name = textOf(fields.kind, MAX_KIND_CHARS);
  const body = fieldsOf(fields.body);
  switch (name) {
    case "text":
      return textBodyOf(body);
    case "receipt":
      return { kind: "receipt", status: receiptStatusOf(body.status), ids: idsOf(body.ids) };
    case "sync.sent":
      if (body.kind !== "text") throw new TypeError("only texts are sent");
      return { kind: "sync.sent", peer: keyOf(body.peer), id: idOf(body.id), at: timeOf(body.at), body: textBodyOf(fieldsOf(body.body)) };
    case "sync.read":
      return { kind: "sync.read", peer: keyOf(body.peer), ids: idsOf(body.ids) };
    default:
      if (!KIND_PATTERN.test(name)) throw new TypeError("not the name of a kind");
      return { kind: "unknown", name, fallback: fallbackOf(fields.fallback), raw: encodeCbor(body) };
  }
}

function textBodyOf(body: Fields): TextBody {
  return { kind: "text", text: textOf(body.text, MAX_TEXT_BYTES) };
}

function receiptStatusOf(value: CborValue | undefined): "delivered" | "read" {
  if (value !== "delivered" && value !== "read") throw new TypeError("not a status of receipts");
  return value;
}

function fallbackOf(value: CborValue | undefined): string {
  return value === undefined || value === "" ? "" : textOf(value, MAX_FALLBACK_BYTES);
}

function fieldsOf(value: CborValue | undefined): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array) throw new TypeError("not a map");
  return value as Fields;
}

function textOf(value: CborValue | undefined, maxBytes: number): string {
  if (typeof value !== "string" || value === "" || utf8(value).length > maxBytes) throw new TypeError("not a text of that length");
  return value;
}

function hexOf(value: CborValue | undefined, length: number): string {
  if (!(value instanceof Uint8Array) || value.length !== length) throw new TypeError(`not ${length} bytes`);
  return toHex(value);
}

function keyOf(value: CborValue | undefined): string {
  return hexOf(value, 32);
}

function idOf(value: CborValue | undefined): MessageId {
  return hexOf(value, 16);
}

function idsOf(value: CborValue | undefined): readonly MessageId[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_RECEIPT_IDS) throw new TypeError("not a list of ids");
  return value.map(idOf);
}

function timeOf(value: CborValue | undefined): number {
  if (typeof value !== "number" || value < 0) throw new TypeError("not a time");
  return value;
}
