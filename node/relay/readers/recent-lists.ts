// Lists of mailboxes that were asked for lately: most inboxes are asked for again before anything in them has changed.
import type { MailboxQuery, MailboxText } from "#node/storage/mailbox/mailbox-repository.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** Characters of all lists that are remembered; then all are forgotten. */
const MAX_CHARS = 8_388_608;

/** Lists by recipient, each until its mailbox changes. */
export class RecentLists {
  readonly #lists = new Map<X25519KeyHex, Map<string, MailboxText>>();
  #chars = 0;

  /** The list as it was asked for before, or as it is read now. */
  get(query: MailboxQuery, read: (query: MailboxQuery) => MailboxText): MailboxText {
    const { recipientPub, limit, sinceSec, afterSeq, hidesDeleted, maxBytes } = query;
    const key = `${limit} ${sinceSec} ${afterSeq} ${hidesDeleted} ${maxBytes}`;
    const known = this.#lists.get(recipientPub)?.get(key);
    if (known !== undefined) return known;
    const list = read(query);
    if (this.#chars > MAX_CHARS) this.clear();
    this.#chars += list.items.length + key.length;
    const lists = this.#lists.get(recipientPub) ?? new Map<string, MailboxText>();
    this.#lists.set(recipientPub, lists.set(key, list));
    return list;
  }

  /** The mailbox has changed. */
  forget(recipientPub: X25519KeyHex): void {
    for (const [key, list] of this.#lists.get(recipientPub) ?? []) this.#chars -= list.items.length + key.length;
    this.#lists.delete(recipientPub);
  }

  /** Any mailbox may have changed. */
  clear(): void {
    this.#lists.clear();
    this.#chars = 0;
  }
}
