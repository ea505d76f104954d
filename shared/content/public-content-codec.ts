// Between a content that is sealed to a public card and its bytes: what a content of version 1 has, but for the keys of both sides and the
// chain, which are in the key that seals it. It is not framed: the form of the envelope pads it.
import { decode, encode } from "#shared/codec/codec.ts";
import { keyed, map, omissible } from "#shared/codec/maps.ts";
import { encoded, integer } from "#shared/codec/scalars.ts";
import { decodeBody, encodeBody, encodedFallback, kindName } from "./body-codecs.ts";
import { groupHeads, groupReference } from "./codecs/group-codecs.ts";
import { type IncomingContent, MAX_EXPIRY_S, type OutgoingContent } from "./content.ts";
import { card, pairCard, position } from "./content-codec.ts";
import { block, id, SHAPE } from "./content-fields.ts";

/** What the key binds. */
type BoundFields = "from" | "fromDevice" | "to" | "chainId";

const content = map({
  id,
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

/** Bytes of a content, to be sealed to a public card. @throws RangeError when a limit is exceeded. */
export function encodePublicContent({ body, ...frame }: Omit<OutgoingContent, BoundFields>): Uint8Array {
  const fallback = encodedFallback(body);
  return encode(content, { ...frame, kind: body.kind, body: encodeBody(body), ...(fallback && { fallback }) });
}

/** The content of bytes that were sealed to a public card, by anyone; undefined for what is none. Fields and kinds of later versions as in version 1. */
export function decodePublicContent(bytes: Uint8Array): Omit<IncomingContent, BoundFields> | undefined {
  try {
    const { kind, body, fallback, ...frame } = decode(content, bytes, SHAPE);
    return { ...frame, body: decodeBody(kind, body, fallback) };
  } catch {
    return undefined;
  }
}
