// What a node checks of every envelope, by the portable rule.
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import { fromBase64 } from "#shared/util/bytes.ts";

/** True when the id is the hash of nonce and ciphertext. */
export function isEnvelopeIdAuthentic({ id, nonce, ciphertext }: Envelope): boolean {
  return id === envelopeId(fromBase64(nonce), fromBase64(ciphertext));
}
