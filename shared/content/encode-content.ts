// From content to plaintext: deterministic CBOR of a map with text keys, framed and padded.

import type { EpochCard } from "#shared/protocol/mail/device-certificate.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { encodeBody } from "./body-codecs.ts";
import { MAX_EXPIRY_S, type OutgoingContent } from "./content.ts";
import { checkedInteger } from "./content-fields.ts";
import { frameContent } from "./content-frame.ts";
import { encodeGroupReference } from "./group-codecs.ts";

/**
 * Plaintext of a content.
 * @throws RangeError when a limit is exceeded.
 */
export function encodeContent(content: OutgoingContent): Uint8Array {
  return frameContent(
    encodeCbor({
      id: fromHex(content.id),
      from: fromHex(content.from),
      dev: fromHex(content.fromDevice),
      to: fromHex(content.to),
      chain: content.chainId,
      at: content.at,
      kind: content.body.kind,
      body: encodeBody(content.body),
      ...optionalFields(content),
    }),
  );
}

function encodeCard({ epochPub, notAfter, signingPub, certificate, signature }: EpochCard): CborValue {
  const proofs = [signingPub, certificate, signature].map((hex) => fromHex(hex));
  return [fromHex(epochPub), checkedInteger(notAfter, 1), ...proofs];
}

function optionalFields({ expiresInS, group, place, card }: OutgoingContent): Readonly<Record<string, CborValue>> {
  return {
    ...(expiresInS === undefined ? {} : { exp: checkedInteger(expiresInS, 1, MAX_EXPIRY_S) }),
    ...(group === undefined ? {} : { group: encodeGroupReference(group) }),
    ...(place === undefined ? {} : { place: [fromHex(place.stream), checkedInteger(place.position, 1)] }),
    ...(card === undefined ? {} : { card: encodeCard(card) }),
  };
}
