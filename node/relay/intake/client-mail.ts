// Mail of clients before it is stored: its checks, and sealing for those that cannot.
import { CodedError } from "#shared/errors/coded-error.ts";
import {
  type BoxKeyPair,
  type Envelope,
  feeSignBytes,
  parseEnvelope,
  sealEnvelope,
  type X25519KeyHex,
} from "#shared/protocol/mail/envelope.ts";
import { BOX_OVERHEAD_BYTES, MAX_ENVELOPE_BYTES, NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";

/** The consensus rule for signatures; may resolve later, from a worker. */
export type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean | Promise<boolean>;

/** The sender's time, or the time of arrival where there is none. */
export function withSentAt(envelope: Envelope, nowMs: number): Envelope {
  return envelope.sent_at > 0 ? envelope : { ...envelope, sent_at: Math.floor(nowMs / 1000) };
}

/** @throws CodedError ENVELOPE_INVALID for a fee that its sender has not signed */
export async function checkFee(envelope: Envelope, chainId: string, verify: Verify): Promise<void> {
  if (envelope.fee_ut === 0) return;
  if (envelope.sender_ed25519_pub === "")
    throw new CodedError("ENVELOPE_INVALID", "sender_ed25519_pub is required when fee_ut is above 0: it pays the fee");
  const message = feeSignBytes(chainId, envelope.id, envelope.fee_ut);
  const isSigned = await verify(fromBase64(envelope.fee_sig ?? ""), message, fromHex(envelope.sender_ed25519_pub));
  if (!isSigned) throw new CodedError("ENVELOPE_INVALID", "fee_sig is not the sender's signature over id and fee_ut");
}

/** What sealing for a client takes. */
export interface SealingContext {
  readonly keys: BoxKeyPair;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** An envelope of the service's own key. @throws CodedError ENVELOPE_INVALID for what is too large */
export function sealForClient(recipientPub: X25519KeyHex, plaintext: Uint8Array, { keys, clock, random }: SealingContext): Envelope {
  if (plaintext.length + BOX_OVERHEAD_BYTES > MAX_ENVELOPE_BYTES)
    throw new CodedError("ENVELOPE_INVALID", `msg_b64 is larger than an envelope of ${MAX_ENVELOPE_BYTES} bytes can hold`);
  const sentAt = Math.floor(clock.nowMs() / 1000);
  return parseEnvelope(sealEnvelope({ plaintext, recipientPub, sender: keys, senderMasterPub: "", nonce: random(NONCE_BYTES), sentAt }));
}
