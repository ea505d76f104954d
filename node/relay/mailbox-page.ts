// Envelopes for another node that asks for those of its recipients, page by page.
import type { MailboxRequest, MailboxResponse } from "#node/network/peer-network.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { type Envelope, envelopeBytes } from "#shared/protocol/mail/envelope.ts";

/** One page holds this much, and one envelope more: a turn must be short, as those of all peers come between two pages of one. */
const PAGE_BYTES = 1_048_576;
/** Envelopes that are read at once. */
const READ_ENVELOPES = 64;
/** Recipients that one page covers. */
const PAGE_RECIPIENTS = 256;
/** Number of the recipient, and the last envelope of it that was served. */
const CURSOR = /^(\d{1,6})\.(\d{1,15})$/;

/** The page that follows the cursor; an empty last page for an unknown cursor. */
export function readMailboxPage(store: Pick<MailboxRepository, "list">, { recipients, since, cursor }: MailboxRequest): MailboxResponse {
  const [first, afterSeq] = positionOf(cursor);
  const envelopes: Envelope[] = [];
  let bytes = 0;
  for (let index = first; index < recipients.length; index += 1) {
    const recipientPub = recipients[index] ?? "";
    let seq = index === first ? afterSeq : 0;
    if (index - first >= PAGE_RECIPIENTS) return { envelopes, cursor: `${index}.0` };
    for (let hasMore = true; hasMore; ) {
      const page = store.list({ recipientPub, limit: READ_ENVELOPES, sinceSec: since - 1, afterSeq: seq, maxBytes: PAGE_BYTES - bytes });
      for (const item of page.items) {
        envelopes.push(item.envelope);
        bytes += envelopeBytes(item.envelope);
        seq = item.seq;
        if (bytes >= PAGE_BYTES) return { envelopes, cursor: `${index}.${seq}` };
      }
      hasMore = page.hasMore;
    }
  }
  return { envelopes, cursor: null };
}

function positionOf(cursor: string | null): readonly [number, number] {
  if (cursor === null) return [0, 0];
  const match = CURSOR.exec(cursor);
  return match === null ? [Number.MAX_SAFE_INTEGER, 0] : [Number(match[1]), Number(match[2])];
}
