// Entries of own accounts whose blocks were dropped, by account and number, and by the id of the transaction.
import { hash } from "node:crypto";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import type { KeptEntry } from "../sealing/drop-segments.ts";
import { type KeptRecord, readKept } from "./kept-record.ts";

/** Which numbers there are of an account. */
export interface KeptRange {
  readonly first: number;
  readonly last: number;
}

/** Hex characters of 16 bytes of SHA-256. */
const KEY_CHARS = 32;

/** What finds a transaction by its id. */
export function keptKey(id: string): string {
  return hash("sha256", id).slice(0, KEY_CHARS);
}

/** Reads them. */
export class KeptRepository {
  readonly #range;
  readonly #places;
  readonly #place;
  readonly #at;
  readonly #byKey;
  readonly #any;
  readonly #above;
  readonly #insert;
  readonly #extend;

  constructor(database: SqliteDatabase) {
    this.#range = database.prepare<[string], KeptRange>("SELECT first, last FROM kept_ranges WHERE pub = unhex(?)");
    this.#places = database
      .prepare<[string, number, number], number>(
        "SELECT seq FROM kept WHERE pub = unhex(?) AND number >= ? AND number <= ? ORDER BY number",
      )
      .pluck();
    this.#place = database.prepare<[string, number], number>("SELECT seq FROM kept WHERE pub = unhex(?) AND number = ?").pluck();
    this.#at = database.prepare<[number], Uint8Array>("SELECT entry FROM kept WHERE seq = ? LIMIT 1").pluck();
    this.#byKey = database
      .prepare<[string], Uint8Array>("SELECT entry FROM kept WHERE id_key = unhex(?) ORDER BY seq DESC LIMIT 1")
      .pluck();
    this.#above = database.prepare<[number], Uint8Array>("SELECT entry FROM kept WHERE seq >= ? ORDER BY seq LIMIT 1").pluck();
    this.#insert = database.prepare<[string, number, number, string | null, Uint8Array]>(
      "INSERT INTO kept (pub, number, seq, id_key, entry) VALUES (unhex(?), ?, ?, unhex(?), ?) ON CONFLICT DO NOTHING",
    );
    this.#extend = database.prepare<{ readonly publicKey: string; readonly number: number }>(
      `INSERT INTO kept_ranges (pub, first, last) VALUES (unhex(@publicKey), @number, @number) ON CONFLICT DO UPDATE SET
        last = CASE WHEN first = @number + 1 THEN last ELSE @number END, first = @number`,
    );
    this.#any = database.prepare<[], number>("SELECT EXISTS (SELECT 1 FROM kept)").pluck();
  }

  /** True where nothing is kept. */
  isEmpty(): boolean {
    return this.#any.get() === 0;
  }

  /** The newest kept numbers of an account between which none is missing; undefined where there are none. */
  range(publicKey: string): KeptRange | undefined {
    return this.#range.get(publicKey);
  }

  /** Places of the entries from one number up to another one, ascending. */
  places(publicKey: string, first: number, last: number): readonly number[] {
    return this.#places.all(publicKey, first, last);
  }

  /** The place of one entry. */
  place(publicKey: string, number: number): number | undefined {
    return this.#place.get(publicKey, number);
  }

  /** What is at a place. */
  at(seq: number): KeptRecord | undefined {
    const bytes = this.#at.get(seq);
    return bytes === undefined ? undefined : readKept(bytes);
  }

  /** The first one at a place or above it, of any account. */
  above(seq: number): KeptRecord | undefined {
    const bytes = this.#above.get(seq);
    return bytes === undefined ? undefined : readKept(bytes);
  }

  /** Adds the entry below the range of its account, which begins with it then. In a transaction of the caller. */
  insertBelow({ publicKey, number, seq, key, entry }: KeptEntry): void {
    this.#insert.run(publicKey, number, seq, key, entry);
    this.#extend.run({ publicKey, number });
  }

  /** The newest transaction with an id. */
  transaction(id: string): KeptRecord | undefined {
    const bytes = this.#byKey.get(keptKey(id));
    return bytes === undefined ? undefined : readKept(bytes);
  }
}
