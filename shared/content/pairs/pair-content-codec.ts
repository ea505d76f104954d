// Between the content of a pair and its bytes: deterministic CBOR of a map with text keys. Only who was shown a card can write one, but that
// may be anyone: shape and limits are checked before anything is built, and reading never throws.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { fields, list, openArray, refined } from "#shared/codec/composites.ts";
import { keyed, map, omissible } from "#shared/codec/maps.ts";
import { bytes, bytesUpTo, encoded, hex, integer } from "#shared/codec/scalars.ts";
import { CARD_ID_BYTES, CARD_KEY_BYTES, X_WING_PUBLIC_BYTES } from "#shared/protocol/pairs/pair-bytes.ts";
import type { ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import { decodeBody, encodeBody, encodedFallback, kindName } from "../body-codecs.ts";
import { groupHeads, groupReference } from "../codecs/group-codecs.ts";
import { MAX_EXPIRY_S } from "../content.ts";
import { block, id, SHAPE, stream } from "../content-fields.ts";
import {
  type IncomingPairContent,
  MAX_ACK_RANGES,
  MAX_BOX_GENERATION,
  MAX_LOST_CARDS,
  MAX_PAD_BYTES,
  type OutgoingPairContent,
  type PairAck,
  type PairStream,
  type PositionRange,
  type ShownBox,
} from "./pair-content.ts";

const DIGEST_BYTES = 8;
const SIGNATURE_BYTES = 64;

const pairStream: Codec<PairStream> = refined(
  openArray(fields({ instance: stream, last: integer(), base: integer() })),
  ({ last, base }) => base <= last,
  "a chain whose base it has given",
);

const range: Codec<PositionRange> = openArray(fields({ from: integer(1), to: integer(1) }));

const pairAck: Codec<PairAck> = refined(
  openArray(fields({ instance: stream, upTo: integer(), digest: hex(DIGEST_BYTES), ranges: list(range, MAX_ACK_RANGES) })),
  isInOrder,
  "an acknowledgement with ranges in order",
);

/** A card as it is shown. Its signature is checked by those who want to use it. */
export const shownCard: Codec<ShownCard> = openArray(
  fields({
    id: hex(CARD_ID_BYTES),
    kem: bytes(X_WING_PUBLIC_BYTES),
    x: bytes(CARD_KEY_BYTES),
    psk: bytes(CARD_KEY_BYTES),
    signature: bytes(SIGNATURE_BYTES),
  }),
);

const shownBox: Codec<ShownBox> = openArray(
  fields({ mailbox: hex(CARD_KEY_BYTES), writeSeed: hex(CARD_KEY_BYTES), generation: integer(0, MAX_BOX_GENERATION) }),
);

const content = map({
  id,
  at: integer(),
  expiresInS: keyed("exp", omissible(integer(1, MAX_EXPIRY_S))),
  group: omissible(groupReference),
  heads: keyed("log", omissible(groupHeads)),
  block: omissible(block),
  stream: pairStream,
  place: omissible(integer(1)),
  ack: omissible(pairAck),
  card: omissible(shownCard),
  box: omissible(shownBox),
  files: omissible(integer(1)),
  boxes: omissible(integer(1)),
  form: omissible(integer(1)),
  logs: omissible(integer(1)),
  after: omissible(stream),
  lost: omissible(list(hex(CARD_ID_BYTES), MAX_LOST_CARDS, 1)),
  pad: omissible(bytesUpTo(MAX_PAD_BYTES)),
  kind: kindName,
  body: encoded,
  fallback: omissible(encoded),
});

/** Bytes of a content, to be sealed to a card. @throws RangeError when a limit is exceeded. */
export function encodePairContent({ body, ...frame }: OutgoingPairContent): Uint8Array {
  const fallback = encodedFallback(body);
  return encode(content, { ...frame, kind: body.kind, body: encodeBody(body), ...(fallback && { fallback }) });
}

/** Bytes of a body beside which everything is around it, as much for each body. @throws RangeError when a limit is exceeded. */
export function bodyLength(body: OutgoingPairContent["body"]): number {
  return body.kind.length + encodeBody(body).length + (encodedFallback(body)?.length ?? 0);
}

/** The content of bytes that were sealed to a card; undefined for what is none. Fields and kinds of later versions as in version 1. */
export function decodePairContent(contentBytes: Uint8Array): IncomingPairContent | undefined {
  try {
    const { kind, body, fallback, pad: _, ...frame } = decode(content, contentBytes, SHAPE);
    if (frame.place !== undefined && frame.place > frame.stream.last) return undefined;
    return { ...frame, body: decodeBody(kind, body, fallback) };
  } catch {
    return undefined;
  }
}

/** Ranges ascend, with a gap before each. */
function isInOrder({ upTo, ranges }: PairAck): boolean {
  return ranges.every(({ from, to }, index) => from > (ranges[index - 1]?.to ?? upTo) + 1 && to >= from);
}
