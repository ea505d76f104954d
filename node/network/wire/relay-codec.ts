// Bytes of what the relay sends: envelopes and typing notices over gossip, mailbox sync between two peers. Decoders are total.
import { type Codec, encode, tryDecode } from "#shared/codec/codec.ts";
import { fields, list, mapped, nullable, record } from "#shared/codec/composites.ts";
import { ascii, base64UpTo, hex, hexUpTo, integer, unitsUpTo } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import { type Envelope, ID_MAX_CHARS, parseEnvelope } from "#shared/protocol/mail/envelope.ts";
import { MAX_ENVELOPE_BYTES, NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { MailboxRequest, MailboxResponse, TypingNotice } from "../peer-network.ts";
import { WIRE_VERSION } from "./wire-codec.ts";

/** A typing notice with its time, which makes it differ from the next. */
export interface TimedNotice extends TypingNotice {
  /** Unix seconds. */
  readonly atSec: number;
}

/** A message of relay/v1. */
export type RelayMessage =
  | { readonly type: "envelopes"; readonly envelopes: readonly Envelope[] }
  | { readonly type: "typing"; readonly notice: TimedNotice };

const CURSOR_MAX_CHARS = 128;

const key = hex(32);
const cursor = nullable(unitsUpTo(CURSOR_MAX_CHARS));

/** [id, recipient, sender, master key or nothing, fee, fee signature or null, nonce, ciphertext, unix seconds] */
const envelopeCodec: Codec<Envelope> = mapped(
  record({
    id: ascii(ID_MAX_CHARS),
    recipient_pub: key,
    sender_pub: key,
    sender_ed25519_pub: hexUpTo(32),
    fee_ut: integer(),
    fee_sig: nullable(base64UpTo(64)),
    nonce: base64UpTo(NONCE_BYTES),
    ciphertext: base64UpTo(MAX_ENVELOPE_BYTES),
    sent_at: integer(),
  }),
  parseEnvelope,
  (envelope) => envelope,
);

/** [1, 0, [envelope …]] or [1, 1, to, from, unix seconds] */
const messageCodec: Codec<RelayMessage> = unionRecord(
  "type",
  "numbers",
  {
    envelopes: fields({ envelopes: list(envelopeCodec, undefined, 1) }),
    typing: fields({ notice: fields({ to: key, from: key, atSec: integer() }) }),
  },
  WIRE_VERSION,
);

/** [1, [recipient …], since, cursor or null] */
const requestCodec: Codec<MailboxRequest> = record(
  { recipients: list(key, NETWORK_LIMITS.recipientsPerRequest, 1), since: integer(), cursor },
  WIRE_VERSION,
);

/** [1, [envelope …], cursor or null] */
const responseCodec: Codec<MailboxResponse> = record({ envelopes: list(envelopeCodec), cursor }, WIRE_VERSION);

/** Bytes of a message of relay/v1. */
export function encodeRelayMessage(message: RelayMessage): Uint8Array {
  return encode(messageCodec, message);
}

/** Message of {@link encodeRelayMessage}; its envelopes have the shape of those that clients send. */
export function decodeRelayMessage(bytes: Uint8Array): RelayMessage | undefined {
  return tryDecode(messageCodec, bytes);
}

/** Bytes of a request. */
export function encodeMailboxRequest(request: MailboxRequest): Uint8Array {
  return encode(requestCodec, request);
}

/** Request of {@link encodeMailboxRequest}. */
export function decodeMailboxRequest(bytes: Uint8Array): MailboxRequest | undefined {
  return tryDecode(requestCodec, bytes);
}

/** Bytes of a response. */
export function encodeMailboxResponse(response: MailboxResponse): Uint8Array {
  return encode(responseCodec, response);
}

/** Response of {@link encodeMailboxResponse}. */
export function decodeMailboxResponse(bytes: Uint8Array): MailboxResponse | undefined {
  return tryDecode(responseCodec, bytes);
}

/** Bytes of an envelope in a message, about. */
export function envelopeWireBytes({ id, ciphertext }: Envelope): number {
  return (ciphertext.length * 3) / 4 + id.length + 160;
}
