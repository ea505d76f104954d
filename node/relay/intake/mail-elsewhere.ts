// Mail that other nodes have, where this one does not have all: lists and counts rest on more than its own mailbox then.
import type { Awaitable } from "#node/queries/awaitable.ts";
import type { MailboxQuery, MailboxText } from "#node/storage/mailbox/mailbox-repository.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** A list, and whether enough nodes have said what they have. */
export interface UnprovenText extends MailboxText {
  readonly isComplete: boolean;
}

/** Mailboxes as other nodes have them. */
export interface MailElsewhere {
  /** True where reading a box without a proof costs no other node anything. */
  isAtHand(box: X25519KeyHex): boolean;
  /** Asks for these boxes; resolves after 2 s at most, with those of which too few nodes have said what they have. Never rejects. */
  read(boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>>;
  /** The same of boxes that their owners read here: once their mail is in this node's mailbox. */
  readServed(boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>>;
  /** How the owner of a box that was read has opened it. */
  openingOf(box: X25519KeyHex): Pick<BoxOpening, "read"> | undefined;
  /** A page of a box that was read, for a caller who proved nothing: of this node's mailbox and of others. Nothing is stored. */
  listText(query: MailboxQuery): Promise<UnprovenText>;
  /** Leaves an envelope out of such lists, for as long as this node remembers them. */
  hide(box: X25519KeyHex, id: string): void;
  /** Envelopes of a box that was read, likewise. */
  count(box: X25519KeyHex): Awaitable<number>;
}

/** The same for gateways of this node's operator, whose mailboxes have what this node's has. */
export interface MailForGateways extends MailElsewhere {
  /** Ids of a box that was read which others list and this node's mailbox has not, without what was deleted here. */
  missing(box: X25519KeyHex): readonly string[];
  /** A page of these. */
  listMissing(query: MailboxQuery): Promise<UnprovenText>;
}
