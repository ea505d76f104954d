// A mark in the database that blocks of this chain were taken back: files of old blocks, which stay, do not give them again.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

const NAME = "taken_back_to";

/** The mark; it is part of the transaction that is open. */
export class TakenBack {
  readonly #read;
  readonly #write;
  readonly #remove;

  constructor(database: SqliteDatabase) {
    this.#read = database.prepare<[], number>(`SELECT CAST(value AS INTEGER) FROM meta WHERE name = '${NAME}'`).pluck();
    this.#write = database.prepare<[string]>(
      `INSERT INTO meta (name, value) VALUES ('${NAME}', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
    );
    this.#remove = database.prepare<[]>(`DELETE FROM meta WHERE name = '${NAME}'`);
  }

  /** The block to which the chain went back; undefined where it did not, or files have none of the blocks above any more. */
  to(): Height | undefined {
    return this.#read.get();
  }

  set(height: Height): void {
    this.#write.run(String(height));
  }

  clear(): void {
    this.#remove.run();
  }
}
