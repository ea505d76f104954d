// Bytes of what the relay sends: envelopes and typing notices over gossip, mailbox sync between two peers. Decoders are total.
import { bytesOf, countOf, listOf } from "#node/engine/message-encoding.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { type Envelope, parseEnvelope, type X25519KeyHex } from "#shared/protocol/envelope.ts";
import { fromBase64, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { MailboxAnswer, MailboxQuestion, TypingNotice } from "../peer-network.ts";
import { decodeMessage, nonEmptyList, textOf, WIRE_VERSION } from "./wire-codec.ts";

/** A typing notice with its time, which tells one from the next. */
export interface TimedNotice extends TypingNotice {
  /** Unix seconds. */
  readonly atSec: number;
}

/** A message of relay/v1. */
export type RelayMessage =
  | { readonly type: "envelopes"; readonly envelopes: readonly Envelope[] }
  | { readonly type: "typing"; readonly notice: TimedNotice };

const KINDS = ["envelopes", "typing"] as const;
const CURSOR_MAX_CHARS = 128;

/** [1, 0, [envelope …]] or [1, 1, to, from, unix seconds] */
export function encodeRelayMessage(message: RelayMessage): Uint8Array {
  const kind = KINDS.indexOf(message.type);
  if (message.type === "envelopes") return encodeCbor([WIRE_VERSION, kind, message.envelopes.map(envelopeToCbor)]);
  const { to, from, atSec } = message.notice;
  return encodeCbor([WIRE_VERSION, kind, fromHex(to), fromHex(from), atSec]);
}

/** Message of {@link encodeRelayMessage}; its envelopes have the shape of those that clients send. */
export function decodeRelayMessage(bytes: Uint8Array): RelayMessage | undefined {
  return decodeMessage(bytes, undefined, ([, kind, ...content]) => {
    const type = KINDS[countOf(kind)];
    if (type === "envelopes") {
      const [envelopes] = listOf(content, 1);
      return { type, envelopes: nonEmptyList(envelopes).map(envelopeFromCbor) };
    }
    if (type !== "typing") throw new TypeError("Expected a kind of message");
    const [to, from, atSec] = listOf(content, 3);
    return { type, notice: { to: keyOf(to), from: keyOf(from), atSec: countOf(atSec) } };
  });
}

/** [1, [recipient …], since, cursor or null] */
export function encodeMailboxQuestion({ recipients, since, cursor }: MailboxQuestion): Uint8Array {
  return encodeCbor([WIRE_VERSION, recipients.map(fromHex), since, cursor]);
}

/** Question of {@link encodeMailboxQuestion}. */
export function decodeMailboxQuestion(bytes: Uint8Array): MailboxQuestion | undefined {
  return decodeMessage(bytes, 4, ([, recipients, since, cursor]) => {
    const keys = nonEmptyList(recipients);
    if (keys.length > NETWORK_LIMITS.recipientsPerQuestion) throw new TypeError("Expected fewer recipients");
    return { recipients: keys.map(keyOf), since: countOf(since), cursor: cursorOf(cursor) };
  });
}

/** [1, [envelope …], cursor or null] */
export function encodeMailboxAnswer({ envelopes, cursor }: MailboxAnswer): Uint8Array {
  return encodeCbor([WIRE_VERSION, envelopes.map(envelopeToCbor), cursor]);
}

/** Answer of {@link encodeMailboxAnswer}. */
export function decodeMailboxAnswer(bytes: Uint8Array): MailboxAnswer | undefined {
  return decodeMessage(bytes, 3, ([, envelopes, cursor]) => {
    if (!Array.isArray(envelopes)) throw new TypeError("Expected a list");
    return { envelopes: envelopes.map(envelopeFromCbor), cursor: cursorOf(cursor) };
  });
}

/** Bytes of an envelope in a message, about. */
export function envelopeWireBytes({ id, ciphertext }: Envelope): number {
  return (ciphertext.length * 3) / 4 + id.length + 160;
}

function envelopeToCbor(envelope: Envelope): CborValue {
  const { id, recipient_pub, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext, sent_at } = envelope;
  return [
    id,
    fromHex(recipient_pub),
    fromHex(sender_pub),
    fromHex(sender_ed25519_pub),
    fee_ut,
    fee_sig === null ? null : fromBase64(fee_sig),
    fromBase64(nonce),
    fromBase64(ciphertext),
    sent_at,
  ];
}

function envelopeFromCbor(value: CborValue): Envelope {
  const [id, recipient, sender, master, fee, feeSignature, nonce, ciphertext, sentAt] = listOf(value, 9);
  return parseEnvelope({
    id,
    recipient_pub: keyOf(recipient),
    sender_pub: keyOf(sender),
    sender_ed25519_pub: toHex(bytesOf(master)),
    fee_ut: fee,
    fee_sig: feeSignature === null ? null : toBase64(bytesOf(feeSignature)),
    nonce: toBase64(bytesOf(nonce)),
    ciphertext: toBase64(bytesOf(ciphertext)),
    sent_at: sentAt,
  });
}

function keyOf(value: CborValue | undefined): X25519KeyHex {
  return toHex(bytesOf(value, 32));
}

function cursorOf(value: CborValue | undefined): string | null {
  if (value === null) return null;
  const cursor = textOf(value);
  if (cursor.length > CURSOR_MAX_CHARS) throw new TypeError("Expected a shorter cursor");
  return cursor;
}
