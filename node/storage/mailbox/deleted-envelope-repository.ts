// Envelopes that their recipients deleted, in mailbox.db: other nodes still hold them, and must not bring them back.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { HiddenEnvelopeRepository } from "./hidden-envelope-repository.ts";
import { FairTrim } from "./largest-first.ts";
import { SignedDeletionRepository } from "./signed-deletion-repository.ts";

/** Most deletions that are remembered. Beyond that those who had brought most of what was deleted lose their oldest. */
export const MAX_DELETED_ENVELOPES = 200_000;
/** As many more may come until the next look at them. */
const UNLOOKED_SHARE = 100;

/** Marks of deleted envelopes. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class DeletedEnvelopeRepository {
  /** What callers deleted who did not prove the key. */
  readonly hidden: HiddenEnvelopeRepository;
  /** What mailbox keys have signed. */
  readonly signed: SignedDeletionRepository;
  readonly #trim: FairTrim;
  readonly #add;
  readonly #has;
  readonly #remove;
  readonly #prune;

  constructor(database: SqliteDatabase, maxEntries = MAX_DELETED_ENVELOPES) {
    this.hidden = new HiddenEnvelopeRepository(database);
    this.signed = new SignedDeletionRepository(database);
    const unlooked = Math.floor(maxEntries / UNLOOKED_SHARE);
    this.#trim = new FairTrim(database, { name: "deleted_envelopes", weight: "1", most: maxEntries, unlooked });
    this.#add = database.prepare<[string, string, number, string]>(
      "INSERT OR IGNORE INTO deleted_envelopes (recipient_pub, id, deleted_at, party) VALUES (?, ?, ?, ?)",
    );
    this.#has = database.prepare<[string, string], number>("SELECT 1 FROM deleted_envelopes WHERE recipient_pub = ? AND id = ?").pluck();
    this.#remove = database.prepare<[string, string]>("DELETE FROM deleted_envelopes WHERE recipient_pub = ? AND id = ?");
    this.#prune = database.prepare<[number]>("DELETE FROM deleted_envelopes WHERE deleted_at < ?");
  }

  /** `party`: who had brought the envelope; empty where that is not known, as of one that is not here. */
  add(recipientPub: X25519KeyHex, id: string, atSec: number, party = ""): void {
    if (this.#add.run(recipientPub, id, atSec, party).changes > 0) this.#trim.note();
  }

  has(recipientPub: X25519KeyHex, id: string): boolean {
    return this.#has.get(recipientPub, id) === 1;
  }

  /** The envelope was sent again. */
  remove(recipientPub: X25519KeyHex, id: string): void {
    this.#remove.run(recipientPub, id);
  }

  /** Forgets what was deleted before a time, unix seconds. */
  prune(beforeSec: number): void {
    this.#prune.run(beforeSec);
    this.signed.prune(beforeSec);
  }
}
