// What a node holds against keepers, and which of their receipts it is going to check, in mail-queue.db.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { inImmediateTransaction, type SqliteDatabase } from "../sqlite-database.ts";

/** What is held against a keeper. */
export interface StoredDoubt {
  readonly keeper: PublicKeyHex;
  readonly score: number;
  /** When the newest of it was found, ms since 1970. */
  readonly atMs: number;
}

/** An envelope for which a keeper has signed to this node. */
export interface StoredReceipt {
  readonly keeper: PublicKeyHex;
  readonly box: X25519KeyHex;
  readonly id: string;
  /** What the receipt names it by. */
  readonly mark: string;
  /** True for mail that an open box admits: nothing else displaces it. */
  readonly isAdmitted: boolean;
  /** When the keeper signed, ms since 1970. */
  readonly atMs: number;
}

export const DOUBT_SCHEMA = `
CREATE TABLE doubts (keeper TEXT PRIMARY KEY, score INTEGER NOT NULL, at_ms INTEGER NOT NULL) STRICT;
CREATE TABLE receipts (
  keeper TEXT PRIMARY KEY,
  box TEXT NOT NULL,
  id TEXT NOT NULL,
  mark TEXT NOT NULL,
  is_admitted INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
`;

interface ReceiptRow extends Omit<StoredReceipt, "isAdmitted"> {
  readonly isAdmitted: number;
}

/** Both lists, each read and written as a whole. Synchronous; durable on return. */
export class DoubtStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Those with the oldest findings first. */
  get doubts(): readonly StoredDoubt[] {
    return this.#database.prepare<[], StoredDoubt>("SELECT keeper, score, at_ms AS atMs FROM doubts ORDER BY at_ms, rowid").all();
  }

  set doubts(doubts: readonly StoredDoubt[]) {
    const insert = this.#database.prepare<[string, number, number]>("INSERT INTO doubts (keeper, score, at_ms) VALUES (?, ?, ?)");
    inImmediateTransaction(this.#database, () => {
      this.#database.exec("DELETE FROM doubts");
      for (const { keeper, score, atMs } of doubts) insert.run(keeper, score, atMs);
    });
  }

  /** One of a keeper at most. */
  get receipts(): readonly StoredReceipt[] {
    return this.#database
      .prepare<[], ReceiptRow>("SELECT keeper, box, id, mark, is_admitted AS isAdmitted, at_ms AS atMs FROM receipts ORDER BY at_ms, rowid")
      .all()
      .map((row) => ({ ...row, isAdmitted: row.isAdmitted === 1 }));
  }

  set receipts(receipts: readonly StoredReceipt[]) {
    const insert = this.#database.prepare<[string, string, string, string, number, number]>(
      "INSERT INTO receipts (keeper, box, id, mark, is_admitted, at_ms) VALUES (?, ?, ?, ?, ?, ?)",
    );
    inImmediateTransaction(this.#database, () => {
      this.#database.exec("DELETE FROM receipts");
      for (const { keeper, box, id, mark, isAdmitted, atMs } of receipts) insert.run(keeper, box, id, mark, isAdmitted ? 1 : 0, atMs);
    });
  }
}
