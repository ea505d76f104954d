// Envelopes as a node sees them: what it checks of every one, by the portable rule, and some without content.
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";

/** True when the id is the hash of nonce and ciphertext. */
export function isEnvelopeIdAuthentic({ id, nonce, ciphertext }: Envelope): boolean {
  return id === envelopeId(fromBase64(nonce), fromBase64(ciphertext));
}

/** An envelope as it comes from outside. */
export interface EmptyEnvelope {
  readonly recipientPub: string;
  /** 24 bytes: makes it another one than those with other nonces. */
  readonly nonce: Uint8Array;
  /** Of the content. */
  readonly bytes: number;
  /** Unix seconds. */
  readonly sentAt: number;
}

/** An envelope whose content is none: nodes see of a box that it is one, and sealing thousands takes long. */
export function emptyEnvelope({ recipientPub, nonce, bytes, sentAt }: EmptyEnvelope): Envelope {
  const ciphertext = new Uint8Array(bytes);
  return {
    id: envelopeId(nonce, ciphertext),
    recipient_pub: recipientPub,
    sender_pub: "cc".repeat(32),
    sender_ed25519_pub: "",
    fee_ut: 0,
    fee_sig: null,
    nonce: toBase64(nonce),
    ciphertext: toBase64(ciphertext),
    sent_at: sentAt,
  };
}
