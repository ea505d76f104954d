// Accounts whose entries outlive their blocks, as programs of the node's user named them: they stay named, whoever starts the node next.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { inImmediateTransaction, type SqliteDatabase } from "../../sqlite-database.ts";
import { FIRST_HEIGHT } from "../sealing/drop-marks.ts";

/** Most own accounts that are named so. */
export const MOST_NAMED_ACCOUNTS = 64;

/** An account and from which block on each of its entries stays. */
export interface NamedAccount {
  readonly publicKey: string;
  readonly fromHeight: Height;
  /** Time of that block. */
  readonly fromMs: number;
}

/** Reads and names them. */
export class OwnRepository {
  readonly #database: SqliteDatabase;
  readonly #all;
  readonly #count;
  readonly #insert;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#all = database.prepare<[], NamedAccount>(
      "SELECT lower(hex(pub)) AS publicKey, from_height AS fromHeight, from_ms AS fromMs FROM own ORDER BY pub",
    );
    this.#count = database.prepare<[], number>("SELECT COUNT(*) FROM own").pluck();
    this.#insert = database.prepare<[string]>(
      `INSERT INTO own (pub, from_height, from_ms)
      SELECT unhex(?), first, COALESCE((SELECT time_ms FROM blocks WHERE height = first), 0) FROM (SELECT COALESCE((${FIRST_HEIGHT}), 0) AS first)
      WHERE true ON CONFLICT DO NOTHING`,
    );
  }

  /** All that were named. */
  all(): readonly NamedAccount[] {
    return this.#all.all();
  }

  /** Names accounts; durable on return, and no block that is dropped later takes an entry of them along. @throws CodedError of the storage, CONFIG_INVALID */
  add(publicKeys: readonly string[]): void {
    const known = new Set(this.all().map(({ publicKey }) => publicKey));
    const fresh = publicKeys.filter((publicKey) => !known.has(publicKey));
    if (fresh.length === 0) return;
    inImmediateTransaction(this.#database, () => {
      for (const publicKey of fresh) this.#insert.run(publicKey);
      if ((this.#count.get() ?? 0) > MOST_NAMED_ACCOUNTS)
        throw new CodedError("CONFIG_INVALID", `${MOST_NAMED_ACCOUNTS} accounts were named to this data folder already`);
    });
  }
}
