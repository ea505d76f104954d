// From plaintext to content. Everything comes from strangers: shape and limits are checked before anything is built from it, and
// nothing here throws.

import type { EpochCard } from "#shared/protocol/mail/device-certificate.ts";
import { type CborValue, decodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { fromUtf8 } from "#shared/util/bytes.ts";
import { decodeBody } from "./body-codecs.ts";
import { hasBoundedShape } from "./cbor-shape.ts";
import { type DecodedPlaintext, type IncomingContent, MAX_EXPIRY_S, MAX_KIND_CHARS, type StreamPosition } from "./content.ts";
import { type Fields, fieldsOf, hexOf, idOf, integerOf, keyOf, textOf } from "./content-fields.ts";
import { MAX_PLAINTEXT_BYTES, readFrame } from "./content-frame.ts";
import { groupReferenceOf } from "./group-codecs.ts";

const SHAPE = { maxDepth: 8, maxItems: 4_096 } as const;
const MAX_CHAIN_ID_CHARS = 128;
const STREAM_BYTES = 8;
const SIGNATURE_BYTES = 64;

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
    at: integerOf(fields.at, 0),
    ...(fields.exp === undefined ? {} : { expiresInS: integerOf(fields.exp, 1, MAX_EXPIRY_S) }),
    ...(fields.group === undefined ? {} : { group: groupReferenceOf(fields.group) }),
    ...(fields.place === undefined ? {} : { place: placeOf(fields.place) }),
    ...(fields.card === undefined ? {} : { card: cardOf(fields.card) }),
    body: decodeBody(textOf(fields.kind, MAX_KIND_CHARS), fields.body, fields.fallback),
  };
}

/** Its signatures are checked by whoever wants to use it. */
function cardOf(value: CborValue): EpochCard {
  if (!Array.isArray(value)) throw new TypeError("not a card");
  const [epochPub, notAfter, signingPub, certificate, signature] = value as readonly (CborValue | undefined)[];
  return {
    epochPub: keyOf(epochPub),
    notAfter: integerOf(notAfter, 1),
    signingPub: keyOf(signingPub),
    certificate: hexOf(certificate, SIGNATURE_BYTES),
    signature: hexOf(signature, SIGNATURE_BYTES),
  };
}

function placeOf(value: CborValue): StreamPosition {
  if (!Array.isArray(value)) throw new TypeError("not a place");
  const [stream, position] = value as readonly (CborValue | undefined)[];
  return { stream: hexOf(stream, STREAM_BYTES), position: integerOf(position, 1) };
}
