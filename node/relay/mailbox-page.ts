// Envelopes for another node that asks for those of its recipients, and what these opened and deleted, page by page.
import type { MailboxRequest, MailboxResponse } from "#node/network/peer-network.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import { type Envelope, envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** One page holds this much, and one envelope or one mailbox's deletions more: a turn must be short, as those of all peers come between two pages of one. */
const PAGE_BYTES = 1_048_576;
/** Envelopes that are read at once. */
const READ_ENVELOPES = 64;
/** Recipients that one page covers. */
const PAGE_RECIPIENTS = 256;
/** Number of the recipient, and the last envelope of it that was served, or that its deletions were. */
const CURSOR = /^(\d{1,6})\.(?:(\d{1,15})|d)$/;

type Store = Pick<MailboxRepository, "list" | "deleted" | "boxes" | "open">;

/** What an opening takes of a page, about. */
const OPENING_BYTES = 256;

/** Where a page begins; a recipient's opening and deletions come before its first envelope. */
interface Position {
  readonly recipient: number;
  readonly seq: number;
  readonly hasDeletions: boolean;
}

/** The page that follows the cursor; an empty last page for an unknown cursor. */
export function readMailboxPage(store: Store, { recipients, since, cursor }: MailboxRequest): MailboxResponse {
  const first = positionOf(cursor);
  const page = new Page(store, since);
  for (let index = first.recipient; index < recipients.length; index += 1) {
    const recipientPub = recipients[index] ?? "";
    const isFirst = index === first.recipient;
    if (index - first.recipient >= PAGE_RECIPIENTS) return page.end(`${index}.0`);
    if (!(isFirst && first.hasDeletions) && page.addProofs(recipientPub)) return page.end(`${index}.d`);
    const lastSeq = page.addEnvelopes(recipientPub, isFirst ? first.seq : 0);
    if (lastSeq !== undefined) return page.end(`${index}.${lastSeq}`);
  }
  return page.end(null);
}

class Page {
  readonly #store: Store;
  readonly #since: number;
  readonly #envelopes: Envelope[] = [];
  readonly #admits: (string | null)[] = [];
  readonly #openings: BoxOpening[] = [];
  readonly #deletions: BoxDeletion[] = [];
  #bytes = 0;

  constructor(store: Store, since: number) {
    this.#store = store;
    this.#since = since;
  }

  /** What the owner has signed. True when the page is full. */
  addProofs(recipientPub: X25519KeyHex): boolean {
    const opening = this.#store.boxes.find(recipientPub);
    if (opening !== undefined) this.#openings.push(opening);
    this.#bytes += opening === undefined ? 0 : OPENING_BYTES;
    const added = this.#store.deleted.signed.list(recipientPub, PAGE_BYTES);
    this.#deletions.push(...added);
    for (const { ids, signature } of added) this.#bytes += signature.length + ids.reduce((sum, id) => sum + id.length, 0);
    return this.#bytes >= PAGE_BYTES;
  }

  /** Position of the last envelope when the page is full. */
  addEnvelopes(recipientPub: X25519KeyHex, afterSeq: number): number | undefined {
    let seq = afterSeq;
    for (let hasMore = true; hasMore; ) {
      const query = { recipientPub, limit: READ_ENVELOPES, sinceSec: this.#since - 1, afterSeq: seq, maxBytes: PAGE_BYTES - this.#bytes };
      const page = this.#store.list(query);
      for (const item of page.items) {
        const admit = this.#store.open.admitOf(item.seq) ?? null;
        this.#envelopes.push(item.envelope);
        this.#admits.push(admit);
        this.#bytes += envelopeBytes(item.envelope) + (admit?.length ?? 0);
        seq = item.seq;
        if (this.#bytes >= PAGE_BYTES) return seq;
      }
      hasMore = page.hasMore;
    }
    return undefined;
  }

  end(cursor: string | null): MailboxResponse {
    return { envelopes: this.#envelopes, admits: this.#admits, openings: this.#openings, deletions: this.#deletions, cursor };
  }
}

function positionOf(cursor: string | null): Position {
  if (cursor === null) return { recipient: 0, seq: 0, hasDeletions: false };
  const match = CURSOR.exec(cursor);
  if (match === null) return { recipient: Number.MAX_SAFE_INTEGER, seq: 0, hasDeletions: true };
  const seq = Number(match[2] ?? 0);
  return { recipient: Number(match[1]), seq, hasDeletions: match[2] === undefined || seq > 0 };
}
