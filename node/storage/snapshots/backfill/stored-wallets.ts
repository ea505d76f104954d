// To which wallets the earnings of nodes went below the lowest block that is here, as far as it was proven: it changes with each segment, in
// its transaction. A node that is not named may have had any.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

/** Wallets by the keys of nodes. */
export type Wallets = Readonly<Record<PublicKeyHex, PublicKeyHex>>;

/** Nodes whose wallets are remembered: those of a network that changes all its validators hundreds of times. */
export const MOST_WALLETS = 4_096;

const NAME = "wallets_below";

/** Reads and writes them through a connection. */
export class StoredWallets {
  readonly #read;
  readonly #write;
  readonly #remove;

  constructor(database: SqliteDatabase) {
    this.#read = database.prepare<[], string>(`SELECT value FROM meta WHERE name = '${NAME}'`).pluck();
    this.#write = database.prepare<[string]>(
      `INSERT INTO meta (name, value) VALUES ('${NAME}', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
    );
    this.#remove = database.prepare<[]>(`DELETE FROM meta WHERE name = '${NAME}'`);
  }

  read(): Wallets {
    return JSON.parse(this.#read.get() ?? "{}") as Wallets;
  }

  /** The last ones, where they are too many: others are proven again. None removes the entry. */
  write(wallets: Wallets): void {
    const entries = Object.entries(wallets).slice(-MOST_WALLETS);
    if (entries.length === 0) this.#remove.run();
    else this.#write.run(JSON.stringify(Object.fromEntries(entries)));
  }
}
