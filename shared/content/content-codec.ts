// Between content and plaintext: deterministic CBOR of a map with text keys, framed and padded. Plaintexts come from strangers: their
// shape and limits are checked before anything is built from them, and reading never throws.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { fields, openArray } from "#shared/codec/composites.ts";
import { keyed, map, omissible } from "#shared/codec/maps.ts";
import { encoded, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import { fromUtf8 } from "#shared/util/bytes.ts";
import { decodeBody, encodeBody, encodedFallback, kindName } from "./body-codecs.ts";
import { groupHeads, groupReference } from "./codecs/group-codecs.ts";
import { type DecodedPlaintext, type InstanceCard, MAX_EXPIRY_S, type OutgoingContent, type StreamPosition } from "./content.ts";
import { block, id, key, SHAPE, stream } from "./content-fields.ts";
import { frameContent, MAX_PLAINTEXT_BYTES, readFrame } from "./content-frame.ts";
import { shownCard } from "./pairs/pair-content-codec.ts";

const MAX_CHAIN_ID_BYTES = 128;

/** A place in a sender chain of version 1. */
export const position: Codec<StreamPosition> = openArray(fields({ stream, position: integer(1) }));

/** Its signatures are checked by those who want to use it. */
export const card: Codec<SignedPrekey> = openArray(
  fields({ epochPub: key, notAfter: integer(1), signingPub: key, certificate: hex(64), signature: hex(64) }),
);

/** A card for the recipient alone, and the instance that drew it. */
export const pairCard: Codec<InstanceCard> = openArray(fields({ instance: stream, card: shownCard }));

/** The fallback is the text to show where the kind is not known. */
const content = map({
  id,
  from: key,
  fromDevice: keyed("dev", key),
  to: key,
  chainId: keyed("chain", textUpTo(MAX_CHAIN_ID_BYTES, 1)),
  at: integer(),
  expiresInS: keyed("exp", omissible(integer(1, MAX_EXPIRY_S))),
  group: omissible(groupReference),
  heads: keyed("log", omissible(groupHeads)),
  place: omissible(position),
  card: omissible(card),
  pairCard: keyed("pair", omissible(pairCard)),
  block: omissible(block),
  kind: kindName,
  body: encoded,
  fallback: omissible(encoded),
});

/**
 * Plaintext of a content.
 * @throws RangeError when a limit is exceeded.
 */
export function encodeContent({ body, ...frame }: OutgoingContent): Uint8Array {
  const fallback = encodedFallback(body);
  const encodedContent = encode(content, { ...frame, kind: body.kind, body: encodeBody(body), ...(fallback && { fallback }) });
  return frameContent(encodedContent);
}

/** What a plaintext is. Fields and body fields of later versions are ignored, kinds of later versions are read as `unknown`. */
export function decodePlaintext(plaintext: Uint8Array): DecodedPlaintext {
  const frame = readFrame(plaintext);
  if (frame.form === "newer") return frame;
  try {
    if (frame.form === "framed") return decodeContent(frame.content);
    if (frame.form === "unframed" && plaintext.length > 0 && plaintext.length <= MAX_PLAINTEXT_BYTES)
      return { form: "plain", text: fromUtf8(plaintext) };
  } catch {
    // Neither a content nor a text.
  }
  return { form: "invalid" };
}

function decodeContent(bytes: Uint8Array): DecodedPlaintext {
  const { kind, body, fallback, ...frame } = decode(content, bytes, SHAPE);
  return { form: "content", content: { ...frame, body: decodeBody(kind, body, fallback) } };
}
