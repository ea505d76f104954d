// Proofs of mailbox keys that something was deleted by, in mailbox.db: a proof that was seen must not count again after a restart.
import type { SqliteDatabase } from "../sqlite-database.ts";

/** Most proofs that are written down. Beyond that those with the oldest times are forgotten. */
export const MAX_STORED_PROOFS = 65_536;

/** A proof that counted. */
export interface StoredProof {
  /** What is remembered of its code. */
  readonly mac: number;
  /** When it was made, as it says. */
  readonly unixSeconds: number;
  /** Who showed it. */
  readonly address: string;
}

/** Proofs of the last minutes. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class UsedProofRepository {
  readonly #maxEntries: number;
  readonly #all;
  readonly #add;
  readonly #prune;
  readonly #count;
  readonly #trim;

  constructor(database: SqliteDatabase, maxEntries = MAX_STORED_PROOFS) {
    this.#maxEntries = maxEntries;
    this.#all = database.prepare<[number], StoredProof>(
      "SELECT mac, unix_seconds AS unixSeconds, address FROM used_proofs WHERE unix_seconds >= ? ORDER BY unix_seconds DESC",
    );
    this.#add = database.prepare<[number, number, string]>(
      "INSERT OR IGNORE INTO used_proofs (mac, unix_seconds, address) VALUES (?, ?, ?)",
    );
    this.#prune = database.prepare<[number]>("DELETE FROM used_proofs WHERE unix_seconds < ?");
    this.#count = database.prepare<[], number>("SELECT count(*) FROM used_proofs").pluck();
    this.#trim = database.prepare<[number]>(
      "DELETE FROM used_proofs WHERE mac IN (SELECT mac FROM used_proofs ORDER BY unix_seconds LIMIT ?)",
    );
  }

  /** Those of a time or later, unix seconds; the latest first. */
  since(unixSeconds: number): readonly StoredProof[] {
    return this.#all.all(unixSeconds);
  }

  /** Writes a proof down, and forgets those of before a time, which no longer count. */
  add({ mac, unixSeconds, address }: StoredProof, beforeSec: number): void {
    this.#prune.run(beforeSec);
    if (this.#add.run(mac, unixSeconds, address).changes === 0) return;
    const count = this.#count.get() ?? 0;
    if (count > this.#maxEntries) this.#trim.run(Math.ceil(this.#maxEntries / 8));
  }
}
