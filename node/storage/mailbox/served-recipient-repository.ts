// Whose mailboxes are read at this node, in mailbox.db, and until when their envelopes were asked for at other nodes.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { inImmediateTransaction, type SqliteDatabase } from "../sqlite-database.ts";
import { OWN_PARTY } from "./mail-sources.ts";

/** A recipient that reads here. */
export interface ServedRecipient {
  readonly recipientPub: X25519KeyHex;
  /** True once other nodes were asked for what arrived before this one served the recipient. */
  readonly isSynced: boolean;
}

/** Most recipients that are remembered; of the network that has most of them the one that read longest ago goes. */
export const MAX_SERVED_RECIPIENTS = 10_000;

/** Recipients and the mark of the last time that this node received gossip. Synchronous; durable on return. */
export class ServedRecipientRepository {
  readonly #database: SqliteDatabase;
  readonly #maxRecipients: number;
  readonly #see;
  readonly #count;
  readonly #trim;
  readonly #list;
  readonly #has;
  readonly #synced;
  readonly #forget;
  readonly #onlineAt;
  readonly #setOnlineAt;

  constructor(database: SqliteDatabase, maxRecipients = MAX_SERVED_RECIPIENTS) {
    this.#database = database;
    this.#maxRecipients = maxRecipients;
    this.#see = database.prepare<[string, number, string]>(
      `INSERT INTO served_recipients (recipient_pub, last_seen, is_synced, party) VALUES (?, ?, 0, ?)
        ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen), party = excluded.party`,
    );
    this.#count = database.prepare<[], number>("SELECT count(*) FROM served_recipients").pluck();
    // What the node's own programs read goes last.
    this.#trim = database.prepare<[]>(
      `DELETE FROM served_recipients WHERE recipient_pub = (SELECT recipient_pub FROM served_recipients WHERE party =
        (SELECT party FROM served_recipients GROUP BY party ORDER BY party = '${OWN_PARTY}', count(*) DESC, party LIMIT 1)
        ORDER BY last_seen, recipient_pub DESC LIMIT 1)`,
    );
    this.#list = database.prepare<[], { readonly recipientPub: string; readonly isSynced: number }>(
      "SELECT recipient_pub AS recipientPub, is_synced AS isSynced FROM served_recipients ORDER BY last_seen DESC, recipient_pub",
    );
    this.#has = database.prepare<[string], number>("SELECT 1 FROM served_recipients WHERE recipient_pub = ?").pluck();
    this.#synced = database.prepare<[string]>("UPDATE served_recipients SET is_synced = 1 WHERE recipient_pub = ?");
    this.#forget = database.prepare<[number]>("DELETE FROM served_recipients WHERE last_seen < ?");
    this.#onlineAt = database.prepare<[], number>("SELECT online_at FROM mailbox_sync").pluck();
    this.#setOnlineAt = database.prepare<[number]>("UPDATE mailbox_sync SET online_at = ?");
  }

  /** The last time at which this node received all gossip, unix seconds; 0 when it never did. */
  get onlineAtSec(): number {
    return this.#onlineAt.get() ?? 0;
  }

  /** Most lately seen first. */
  list(): readonly ServedRecipient[] {
    return this.#list.all().map(({ recipientPub, isSynced }) => ({ recipientPub, isSynced: isSynced === 1 }));
  }

  has(recipientPub: X25519KeyHex): boolean {
    return this.#has.get(recipientPub) === 1;
  }

  /** A recipient read its mailbox, from a network. */
  see(recipientPub: X25519KeyHex, atSec: number, party = ""): void {
    inImmediateTransaction(this.#database, () => {
      this.#see.run(recipientPub, atSec, party);
      for (let count = this.#count.get() ?? 0; count > this.#maxRecipients; count -= 1) this.#trim.run();
    });
  }

  /** Other nodes were asked for everything of these recipients that arrived before a time. */
  markSynced(recipients: readonly X25519KeyHex[], onlineAtSec: number): void {
    inImmediateTransaction(this.#database, () => {
      for (const recipientPub of recipients) this.#synced.run(recipientPub);
      this.#setOnlineAt.run(onlineAtSec);
    });
  }

  /** Forgets who has not read since a time, unix seconds. */
  prune(beforeSec: number): void {
    this.#forget.run(beforeSec);
  }
}
