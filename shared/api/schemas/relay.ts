// Schemas of the mailbox and of contact requests.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MAX_ENVELOPES } from "../batch-limits.ts";
import { AmountUt, BoxKey, Count, DateTime, nullable, oneOf, PublicKey, UnixSeconds, WalletAddress } from "./primitives.ts";

/** Mailboxes of one request. */
const MAX_BOXES = 512;

export const InboxItem = Type.Object(
  {
    id: Type.String(),
    seq: Type.Integer({ minimum: 1, description: "Position in this node's order of arrival, for `after`" }),
    sender_pub: BoxKey,
    sender_ed25519_pub: Type.String({
      description: "Sender's master key, or an empty text; a claim until checked against the sender's devices",
    }),
    recipient_pub: BoxKey,
    fee_ut: AmountUt,
    sent_at: UnixSeconds,
    sent_at_human: DateTime,
    nonce: Type.String({ description: "Base64 of 24 bytes" }),
    ciphertext: Type.String({ description: "Base64 of the NaCl box" }),
  },
  { title: "InboxItem" },
);

const complete = Type.Optional(
  Type.Boolean({
    description: "false: too few of the nodes that keep this mail have responded, so that some may be missing: ask again in a few seconds",
  }),
);
export const Inbox = Type.Object(
  { pub: BoxKey, count: Count, has_more: Type.Boolean(), complete, items: Type.Array(InboxItem) },
  { title: "Inbox" },
);

export const BoxList = Type.Object(
  {
    boxes: Type.Array(
      Type.Object({
        pub: Type.String({ description: "X25519 public key, hex" }),
        after: Type.Optional(
          Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Only envelopes that arrived after this seq" }),
        ),
      }),
      { minItems: 1, maxItems: MAX_BOXES },
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Envelopes of one mailbox; 50 by default" })),
  },
  { title: "BoxList" },
);
export const BoxesListed = Type.Object(
  {
    boxes: Type.Array(Type.Object({ pub: BoxKey, has_more: Type.Boolean(), items: Type.Array(InboxItem) }), {
      description: "Mailboxes with something in them, in the order of the request",
    }),
    listed: Type.Integer({
      minimum: 1,
      description: "So many mailboxes of the request, from its first one on, are listed: ask again for the others",
    }),
    complete,
    watchable: Type.Integer({
      minimum: 0,
      description: "So many topics inbox: of open boxes a connection may have beside its others",
    }),
  },
  { title: "BoxesListed" },
);
export const InboxCount = Type.Object({ pub: BoxKey, count: Count, complete }, { title: "InboxCount" });
export const InboxDeleted = Type.Object({ id: Type.String(), status: oneOf(["deleted"]) }, { title: "InboxDeleted" });

export const SignedDeletion = Type.Object(
  {
    pub: Type.String({ description: "X25519 public key of the mailbox, hex" }),
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: 256 }),
    height: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Height of the chain when signed; at most 600 blocks from the node's",
    }),
    signature: Type.String({ description: 'Base64 of the XEdDSA signature, domain parley-box over ["delete", pub, ids, height]' }),
  },
  { title: "SignedDeletion" },
);
export const EnvelopesDeleted = Type.Object(
  { pub: BoxKey, count: Type.Integer({ minimum: 0, description: "How many of them the node had" }), status: oneOf(["deleted"]) },
  { title: "EnvelopesDeleted" },
);

const readRule = oneOf(["anyone", "owner"], { description: "Who may list the box: anyone who knows its key, or its owner alone" });
export const SignedOpening = Type.Object(
  {
    pub: Type.String({ description: "X25519 public key of the mailbox, hex" }),
    write_pub: Type.String({ description: "Ed25519 public key that signs envelopes, hex" }),
    read: readRule,
    until: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Unix seconds; at most 30 days from now" }),
    height: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Height of the chain when signed; at most 600 blocks from the node's",
    }),
    signature: Type.String({
      description: 'Base64 of the XEdDSA signature, domain parley-box over ["open", pub, write_pub, read, until, height]',
    }),
  },
  { title: "SignedOpening" },
);
export const BoxInfo = Type.Object(
  {
    pub: BoxKey,
    status: oneOf(["open", "lapsed", "none"], {
      description: "open: with room of its own; lapsed: takes what is admitted, for 90 days; none: a mailbox like any other",
    }),
    write_pub: Type.Optional(PublicKey),
    read: Type.Optional(readRule),
    until: Type.Optional(UnixSeconds),
    height: Type.Optional(Count),
  },
  { title: "BoxInfo" },
);

const encodedCard = Type.String({
  maxLength: 2_048,
  description: "Base64 of [1, number, height, instance, X-Wing key, X25519 key, master key, signing key, certificate, signature] in CBOR",
});
export const PublishedCard = Type.Object({ card: encodedCard }, { title: "PublishedCard" });
export const CardPublished = Type.Object({ pub: BoxKey, status: oneOf(["published"]) }, { title: "CardPublished" });
export const PublicCardOf = Type.Object({ pub: BoxKey, card: encodedCard }, { title: "PublicCard" });

export const SendRequest = Type.Object(
  {
    recipient_pub: Type.String({ description: "X25519 public key, hex" }),
    msg_b64: Type.String({ description: "Base64 of the plaintext" }),
  },
  { title: "SendRequest" },
);
export const SendResult = Type.Object({ id: Type.String(), recipient_pub: BoxKey, status: oneOf(["sent"]) }, { title: "SendResult" });
/** Types only: keys, sizes and the fee's signature are checked by the protocol's own code, which names the field. */
export const SealedEnvelope = Type.Object(
  {
    id: Type.String({ description: "Hex of the first 16 bytes of SHA-256 over nonce and ciphertext" }),
    recipient_pub: Type.String({ description: "X25519 public key, hex" }),
    sender_pub: Type.String({ description: "X25519 public key, hex" }),
    sender_ed25519_pub: nullable(Type.String({ description: "Sender's master key, hex, or empty" })),
    fee_ut: nullable(Type.Integer({ minimum: 0, description: "µT; 0 is free" })),
    fee_sig: nullable(Type.String({ description: "Base64 of the sender's signature over id and fee_ut; none when fee_ut is 0" })),
    nonce: Type.String({ description: "Base64 of 24 bytes" }),
    ciphertext: Type.String({ description: "Base64 of the NaCl box" }),
    sent_at: nullable(Type.Integer({ description: "Unix seconds" })),
  },
  { title: "SealedEnvelope" },
);
export const BroadcastRequest = Type.Object(
  {
    envelope: SealedEnvelope,
    admit: nullable(
      Type.String({
        description:
          'Base64 of the Ed25519 signature of an opened box\'s write key, domain parley-box over ["admit", recipient_pub, id, sender_pub, sender_ed25519_pub, fee_ut, sent_at]; none for other mailboxes',
      }),
    ),
  },
  { title: "BroadcastRequest" },
);
export const BroadcastResult = Type.Object({ id: Type.String(), status: oneOf(["broadcast"]) }, { title: "BroadcastResult" });

export const BroadcastBatch = Type.Object(
  {
    envelopes: Type.Array(BroadcastRequest, {
      minItems: 1,
      maxItems: MAX_ENVELOPES,
      description: "For different mailboxes: no order among them",
    }),
  },
  { title: "BroadcastBatch" },
);
export const BroadcastBatchResult = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          status: oneOf(["broadcast", "refused"]),
          id: Type.Optional(Type.String({ description: "Of an envelope that is stored" })),
          code: Type.Optional(Type.Integer({ description: "Status with which a request of its own would have been refused" })),
          error: Type.Optional(Type.String({ description: "Why it was refused" })),
          retry_after_s: Type.Optional(Type.Integer({ minimum: 0, description: "Seconds until it may be tried again" })),
        },
        { title: "BroadcastOutcome" },
      ),
      { description: "In the order of the request" },
    ),
  },
  { title: "BroadcastBatchResult" },
);

export const ClientNoticeResult = Type.Object(
  {
    status: oneOf(["taken", "refused"]),
    code: Type.Optional(Type.Integer({ description: "Status with which the client itself would have been refused" })),
    error: Type.Optional(Type.String({ description: "Why it was refused" })),
    retry_after_s: Type.Optional(Type.Integer({ minimum: 0, description: "Seconds until it may be tried again" })),
  },
  { title: "ClientNoticeResult" },
);
export type ClientNoticeResult = Static<typeof ClientNoticeResult>;

const heldName = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "32 random bytes in hex, a secret of the program: a caller that knows them replaces the envelopes or takes them back",
});
const holder = { name: Type.String(), relay_pub: BoxKey };
export const HoldRequest = Type.Object(
  {
    name: heldName,
    not_before: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Unix seconds; at most 31 days from now" }),
    envelopes: Type.Array(SealedEnvelope, {
      minItems: 1,
      maxItems: 64,
      description: "Of mailboxes that need no admit. They take the place of those of the same name",
    }),
  },
  { title: "HoldRequest" },
);
export const HoldResult = Type.Object(
  { ...holder, status: oneOf(["held", "left"], { description: "left: envelopes of this name were sent before; nothing was taken" }) },
  { title: "HoldResult" },
);
export const WithdrawRequest = Type.Object({ name: heldName }, { title: "WithdrawRequest" });
export const WithdrawResult = Type.Object(
  {
    ...holder,
    status: oneOf(["withdrawn", "left", "unknown"], {
      description: "withdrawn: they are not sent any more; left: they were sent; unknown: this node has none of that name",
    }),
  },
  { title: "WithdrawResult" },
);

export const ContactInfo = Type.Object(
  {
    requester_pub: PublicKey,
    requester_addr: WalletAddress,
    status: oneOf(["pending", "accepted", "blocked"]),
    intro: Type.Optional(Type.String({ description: "Public text, at most 280 characters" })),
    fee_ut: AmountUt,
    tx_id: Type.String(),
    created_at: UnixSeconds,
  },
  { title: "ContactInfo" },
);
const pageFields = {
  has_more: Type.Boolean({ description: "The list continues after next_after" }),
  next_after: Type.Optional(Type.String({ description: "`after` of the next page" })),
};
export const ContactList = Type.Object(
  { pub: PublicKey, count: Count, contacts: Type.Array(ContactInfo), ...pageFields },
  { title: "ContactList" },
);

export const SentContactInfo = Type.Object(
  {
    recipient_pub: PublicKey,
    recipient_addr: WalletAddress,
    status: oneOf(["pending", "accepted", "blocked"]),
    intro: Type.Optional(Type.String()),
    fee_ut: AmountUt,
    tx_id: Type.String(),
    created_at: UnixSeconds,
  },
  { title: "SentContactInfo" },
);
export const SentContactList = Type.Object(
  { pub: PublicKey, count: Count, contacts: Type.Array(SentContactInfo), ...pageFields },
  { title: "SentContactList" },
);

export type BoxInfo = Static<typeof BoxInfo>;
export type InboxItem = Static<typeof InboxItem>;
export type Inbox = Static<typeof Inbox>;
export type ContactInfo = Static<typeof ContactInfo>;
export type SentContactInfo = Static<typeof SentContactInfo>;
