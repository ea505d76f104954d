// Mailboxes as the interface serves them, whatever they lie in. What is at hand is given at once, the rest later.
import type { Awaitable } from "#node/queries/awaitable.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { MailboxQuery, MailboxText } from "#node/storage/mailbox/mailbox-repository.ts";
import type { UsedProofRepository } from "#node/storage/mailbox/used-proof-repository.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { OpenedBox } from "../owners/opened-boxes.ts";
import type { MailElsewhere } from "./mail-elsewhere.ts";
import type { RefusalCode } from "./mail-intake.ts";
import type { ExchangeFigures, QueueFigures } from "./outgoing-mail.ts";

/** Who hands an envelope to this node. */
export interface MailClient extends MailSource {
  /** True for one that may hand in so much a day. */
  readonly isLimited: boolean;
}

/** What listeners learn of an envelope that arrived. */
export type ArrivedEnvelope = Pick<Envelope, "id" | "recipient_pub" | "sender_pub" | "sender_ed25519_pub" | "fee_ut" | "sent_at">;

/** Mailboxes. */
export interface MailService {
  /** X25519 key with which /relay/send seals. */
  readonly publicKey: X25519KeyHex;
  readonly envelopeCount: number;
  /** Envelopes that were refused for want of room since the start, by the code of the refusal. */
  readonly refused: Readonly<Record<RefusalCode, number>>;
  /** Mail on its way to keepers; undefined where there are none. */
  readonly outgoing?: QueueFigures | undefined;
  /** What keepers do for each other; undefined likewise. */
  readonly exchange?: ExchangeFigures | undefined;
  /**
   * Stores a sealed envelope; resolves once it is durable. `admit` is the base64 signature of an opened box's write key.
   * @throws CodedError ENVELOPE_INVALID, MAILBOX_FULL, RELAY_FULL or RATE_LIMITED; of opened boxes FORBIDDEN, or NOT_FOUND for one not known.
   */
  broadcast(value: unknown, client?: MailClient, admit?: string): Promise<Envelope>;
  /** Seals a plaintext with the node's own key and stores it. @throws CodedError as {@link MailService.broadcast} */
  send(recipientPub: X25519KeyHex, plaintext: Uint8Array, client?: MailClient): Promise<Envelope>;
  /** A page of a mailbox in order of arrival, as JSON text. */
  listText(query: MailboxQuery): Awaitable<MailboxText>;
  /** Envelopes of a recipient, without the hidden ones when asked for that. */
  count(recipientPub: X25519KeyHex, hidesDeleted?: boolean): Awaitable<number>;
  /** Deletions that owners have signed, and what was read. */
  readonly deletions: {
    take(deletion: BoxDeletion): Promise<number>;
    announceRead(mailbox: X25519KeyHex, ids: readonly string[]): void;
  };
  /** Mailboxes that their owners have opened. */
  readonly boxes: {
    find(mailbox: X25519KeyHex): Awaitable<OpenedBox | undefined>;
    take(opening: BoxOpening, source: MailSource): Promise<BoxOpening>;
  };
  /** Proofs of mailbox keys that something was deleted by. */
  readonly proofs: Pick<UsedProofRepository, "since" | "add">;
  /** Deletes where a judgement allows it, which may use proofs up: both become durable together, or neither. */
  deleteIf(recipientPub: X25519KeyHex, id: string, isAllowed: () => boolean): Awaitable<void>;
  /** Deletes for callers who do not prove the mailbox's key: they see the envelope no more, and it is the first that goes for want of room. */
  hide(recipientPub: X25519KeyHex, id: string): Awaitable<void>;
  /** Raw X25519 secret between a mailbox key and the node, 32 bytes; undefined for a key of small order. */
  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined;
  /** A recipient reads here. Where too many do, networks share the room, by the `party` that its caller counts as. */
  serve(recipientPub: X25519KeyHex, party?: string): void;
  /** Someone listens to what arrives for a recipient, without having proven its key; returns the way to end that. Nothing is stored. */
  watch(recipientPub: X25519KeyHex): () => void;
  /** Mail that other nodes have; undefined while these mailboxes have all that there is. */
  readonly elsewhere?: MailElsewhere | undefined;
  /**
   * Calls back for envelopes that became durable and were not there before, at least for those of recipients that someone listens to;
   * returns the way to stop that.
   */
  onArrival(listener: (envelope: ArrivedEnvelope) => void, isWanted: (recipientPub: X25519KeyHex) => boolean): () => void;
}
