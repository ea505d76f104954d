// How much each mailbox of mailbox.db holds. A batch counts in memory, and its commit writes each mailbox that it changed once.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** How much of a mailbox is in use. */
export interface Usage {
  readonly count: number;
  readonly bytes: number;
}

/** A mailbox with envelopes, by the number that they know it by. */
export interface NumberedMailbox extends Usage {
  readonly number: number;
}

interface Counted {
  readonly number: number;
  readonly recipientPub: X25519KeyHex;
  count: number;
  bytes: number;
}

/** Mailboxes whose figures are at hand; then all are forgotten, and read again when they are asked for. */
const MAX_KNOWN = 16_384;

/** Figures of all mailboxes. Whatever changes them runs in a transaction that ends with {@link MailboxUsage.write}. */
export class MailboxUsage {
  readonly #known = new Map<X25519KeyHex, Counted>();
  readonly #changed = new Set<Counted>();
  #total: { count: number; bytes: number } | undefined;
  readonly #find;
  readonly #create;
  readonly #update;
  readonly #remove;
  readonly #sum;

  constructor(database: SqliteDatabase) {
    this.#find = database.prepare<[string], Counted>(
      "SELECT number, recipient_pub AS recipientPub, envelope_count AS count, bytes FROM mailboxes WHERE recipient_pub = ?",
    );
    this.#create = database.prepare<[string]>("INSERT INTO mailboxes (recipient_pub, envelope_count, bytes) VALUES (?, 0, 0)");
    this.#update = database.prepare<[number, number, number]>("UPDATE mailboxes SET envelope_count = ?, bytes = ? WHERE number = ?");
    this.#remove = database.prepare<[number]>("DELETE FROM mailboxes WHERE number = ?");
    this.#sum = database.prepare<[], Usage>(
      "SELECT coalesce(sum(envelope_count), 0) AS count, coalesce(sum(bytes), 0) AS bytes FROM mailboxes",
    );
  }

  /** Of all mailboxes together. */
  get total(): Usage {
    return this.#totals();
  }

  /** The mailbox of a recipient; undefined when it is empty. */
  find(recipientPub: X25519KeyHex): NumberedMailbox | undefined {
    return this.#lookUp(recipientPub);
  }

  /** Counts what came into a mailbox, which is made when there is none, or with negative figures what left it. Gives its number. */
  add(recipientPub: X25519KeyHex, { count, bytes }: Usage): number {
    const total = this.#totals();
    const mailbox = this.#lookUp(recipientPub) ?? this.#open(recipientPub);
    mailbox.count += count;
    mailbox.bytes += bytes;
    total.count += count;
    total.bytes += bytes;
    this.#changed.add(mailbox);
    return mailbox.number;
  }

  /** Writes what has changed: the last step of a transaction. */
  write(): void {
    for (const { number, recipientPub, count, bytes } of this.#changed) {
      if (count > 0) {
        this.#update.run(count, bytes, number);
      } else {
        this.#remove.run(number);
        this.#known.delete(recipientPub);
      }
    }
    this.#changed.clear();
  }

  /** The file says something else: a transaction failed, or changed it in another way. */
  forget(): void {
    this.#changed.clear();
    this.#known.clear();
    this.#total = undefined;
  }

  #lookUp(recipientPub: X25519KeyHex): Counted | undefined {
    const known = this.#known.get(recipientPub);
    if (known !== undefined) return known;
    const found = this.#find.get(recipientPub);
    return found && this.#remember(found);
  }

  #open(recipientPub: X25519KeyHex): Counted {
    const { lastInsertRowid } = this.#create.run(recipientPub);
    return this.#remember({ number: Number(lastInsertRowid), recipientPub, count: 0, bytes: 0 });
  }

  #remember(mailbox: Counted): Counted {
    if (this.#known.size >= MAX_KNOWN && this.#changed.size === 0) this.#known.clear();
    this.#known.set(mailbox.recipientPub, mailbox);
    return mailbox;
  }

  #totals(): { count: number; bytes: number } {
    this.#total ??= { ...(this.#sum.get() ?? { count: 0, bytes: 0 }) };
    return this.#total;
  }
}
