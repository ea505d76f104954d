// Reading mailboxes whose mail other nodes keep: these are asked first, for a moment, and a list says where too few have responded.
import { type Awaitable, whenThere } from "#node/queries/awaitable.ts";
import type { MailService } from "#node/relay/intake/mail-service.ts";
import type { MailboxQuery, MailboxText } from "#node/storage/mailbox/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { RequestContext } from "../../handler-types.ts";

/** Mailboxes that other nodes are asked for without a proof, which count as one request. docs/limits.md lists it. */
export const ASKED_A_REQUEST = 4;

/** Positions from which on they are of lists of other nodes' mail, and of no mailbox. */
const FIRST_OF_OTHERS = 2 ** 50;
const NONE: ReadonlySet<X25519KeyHex> = new Set();

type Mail = Pick<MailService, "boxes" | "elsewhere" | "listText" | "count">;

/** A list, and whether enough nodes have said what they have. */
export interface ReadText extends MailboxText {
  readonly isComplete?: boolean;
}

/** Asks other nodes, where they have mail; gives the mailboxes of which too few have said what they have. @throws CodedError RATE_LIMITED */
export function askOthers(
  { elsewhere }: Pick<MailService, "elsewhere">,
  boxes: readonly X25519KeyHex[],
  { isOwner, context }: { readonly isOwner: boolean; readonly context: Pick<RequestContext, "spend"> },
): Awaitable<ReadonlySet<X25519KeyHex>> {
  if (elsewhere === undefined) return NONE;
  if (isOwner) return elsewhere.readServed(boxes);
  context.spend(Math.ceil(boxes.filter((box) => !elsewhere.isAtHand(box)).length / ASKED_A_REQUEST));
  return elsewhere.read(boxes);
}

/** A page of a mailbox; without owner's rights of all that was read. @throws CodedError FORBIDDEN for a box that its owner alone reads */
export function listMailbox(mail: Mail, query: MailboxQuery, isOwner: boolean): Awaitable<ReadText> {
  const { elsewhere } = mail;
  if (isOwner) return mail.listText((query.afterSeq ?? 0) >= FIRST_OF_OTHERS ? { ...query, afterSeq: 0 } : query);
  return whenThere(assertMayRead(mail, query.recipientPub), (): Awaitable<ReadText> => (elsewhere ?? mail).listText(query));
}

/** Envelopes of a mailbox, likewise. @throws CodedError FORBIDDEN for a box that its owner alone reads */
export function countMailbox(mail: Mail, mailbox: X25519KeyHex, isOwner: boolean): Awaitable<number> {
  const { elsewhere } = mail;
  if (isOwner) return mail.count(mailbox);
  return whenThere(assertMayRead(mail, mailbox), (): Awaitable<number> => elsewhere?.count(mailbox) ?? mail.count(mailbox, true));
}

function assertMayRead({ boxes, elsewhere }: Pick<Mail, "boxes" | "elsewhere">, mailbox: X25519KeyHex): Awaitable<void> {
  return whenThere(boxes.find(mailbox), (box) => {
    if (box?.opening.read !== "owner" && elsewhere?.openingOf(mailbox)?.read !== "owner") return;
    throw new CodedError("FORBIDDEN", "The owner alone reads this box: the header X-Inbox-Proof of its key is missing, wrong or used");
  });
}
