// Bytes of what the relay sends: envelopes and typing notices over gossip, mailbox sync between two peers.
import type { Codec } from "#shared/codec/codec.ts";
import { fields, list, mapped, nullable, record } from "#shared/codec/composites.ts";
import { ascii, base64UpTo, hex, hexUpTo, integer, unitsUpTo, word } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import { type BoxOpening, READ_RULES } from "#shared/protocol/mail/box-opening.ts";
import { type BoxDeletion, MAX_DELETED_IDS } from "#shared/protocol/mail/box-proof.ts";
import { type Envelope, ID_MAX_CHARS, parseEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice } from "#shared/protocol/mail/mail-messages.ts";
import { MAX_ENVELOPE_BYTES, NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { AdmittedEnvelope, MailboxRequest, MailboxResponse } from "../peer-network.ts";
import { WIRE_VERSION } from "./wire-codec.ts";

const CURSOR_MAX_CHARS = 128;

const base64Of = (length: number): Codec<string> => base64UpTo(length, length);

const key = hex(32);
const cursor = nullable(unitsUpTo(CURSOR_MAX_CHARS));

/** [id, recipient, sender, master key or nothing, fee, fee signature or null, nonce, ciphertext, unix seconds] */
export const envelopeCodec: Codec<Envelope> = mapped(
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

const ids = list(ascii(ID_MAX_CHARS), MAX_DELETED_IDS, 1);

/** [mailbox, [id …], height, signature] */
export const deletionCodec: Codec<BoxDeletion> = record({ mailbox: key, ids, height: integer(), signature: base64Of(64) });

/** [mailbox, write key, read rule, until, height, signature] */
export const openingCodec: Codec<BoxOpening> = record({
  mailbox: key,
  writeKey: key,
  read: word(READ_RULES, "read rule"),
  untilSec: integer(),
  height: integer(),
  signature: base64Of(64),
});

/** [opening, envelope, signature of the write key] */
const admittedCodec: Codec<AdmittedEnvelope> = record({ opening: openingCodec, envelope: envelopeCodec, admit: base64Of(64) });

/** [1, 0, opening] or [1, 1, [[opening, envelope, admit] …]] */
export const boxMessageCodec = unionRecord(
  "type",
  "numbers",
  {
    opening: fields({ opening: openingCodec }),
    mail: fields({ items: list(admittedCodec, NETWORK_LIMITS.envelopeItems, 1) }),
  },
  WIRE_VERSION,
);

/** [1, 0, [envelope …]] or [1, 1, to, from, unix seconds]; envelopes have the shape of those that clients send. */
export const relayMessageCodec = unionRecord(
  "type",
  "numbers",
  {
    envelopes: fields({ envelopes: list(envelopeCodec, NETWORK_LIMITS.envelopeItems, 1) }),
    /** The time makes a notice differ from the next. */
    typing: fields({ notice: fields({ to: key, from: key, atSec: integer() }) }),
  },
  WIRE_VERSION,
);

const NOTICE_FIELDS = { mailbox: key, ids, proof: nullable(record({ height: integer(), signature: base64Of(64) })) };

/** [1, mailbox, [id …], [height, signature] or null]: deleted by their owner, or where nothing proves that, read at another node. */
export const deletionNoticeCodec: Codec<DeletionNotice> = record(NOTICE_FIELDS, WIRE_VERSION);

/** The same inside of another message, without the version. */
export const noticeCodec: Codec<DeletionNotice> = record(NOTICE_FIELDS);

/** [1, [recipient …], since, cursor or null] */
export const mailboxRequestCodec: Codec<MailboxRequest> = record(
  { recipients: list(key, NETWORK_LIMITS.recipientsPerRequest, 1), since: integer(), cursor },
  WIRE_VERSION,
);

/** [1, [envelope …], cursor or null]: what nodes of earlier versions send and take. */
export const firstMailboxResponseCodec: Codec<Pick<MailboxResponse, "envelopes" | "cursor">> = record(
  { envelopes: list(envelopeCodec), cursor },
  WIRE_VERSION,
);

/** [1, [envelope …], cursor or null, [deletion …]]: the same of the versions after these. */
export const secondMailboxResponseCodec: Codec<Pick<MailboxResponse, "envelopes" | "cursor" | "deletions">> = record(
  { envelopes: list(envelopeCodec), cursor, deletions: list(deletionCodec) },
  WIRE_VERSION,
);

/** [1, [[envelope, admit or null] …], cursor or null, [deletion …], [opening …]] */
export const mailboxResponseCodec: Codec<MailboxResponse> = mapped(
  record(
    {
      items: list(record({ envelope: envelopeCodec, admit: nullable(base64Of(64)) })),
      cursor,
      deletions: list(deletionCodec),
      openings: list(openingCodec),
    },
    WIRE_VERSION,
  ),
  ({ items, ...rest }): MailboxResponse => ({
    ...rest,
    envelopes: items.map(({ envelope }) => envelope),
    admits: items.map(({ admit }) => admit),
  }),
  ({ envelopes, admits, ...rest }) => ({ ...rest, items: envelopes.map((envelope, n) => ({ envelope, admit: admits[n] ?? null })) }),
);

/** Bytes of an envelope to an opened box in a message, about: the opening and the signature come on top. */
export function admittedWireBytes({ envelope }: AdmittedEnvelope): number {
  return envelopeWireBytes(envelope) + 240;
}

/** Bytes of an envelope in a message, about. */
export function envelopeWireBytes({ id, ciphertext }: Envelope): number {
  return (ciphertext.length * 3) / 4 + id.length + 160;
}
