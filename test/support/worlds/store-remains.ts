// All that a disk may still hold of a message store: every row that was ever written to it, as in write-ahead logs, free pages, snapshots of a
// file system and images of the disk.
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import type { OpenDatabase, StoreChange, StoreDatabase, StoreTable } from "#shared/messenger/store/store-database.ts";

/** Names of tables in the locations of their rows. */
const LOCATIONS: Partial<Record<StoreTable, string>> = {
  messages: "message",
  conversations: "conversation",
  amendments: "amendment",
  streams: "stream",
  pairs: "pair",
};

interface RemainingRow {
  readonly table: StoreTable;
  readonly key?: string | number;
  readonly sealed: Uint8Array;
}

/** Rows that were written, in their order. */
export class StoreRemains {
  readonly rows: RemainingRow[] = [];

  /** A database whose writes leave remains. */
  under(open: OpenDatabase): OpenDatabase {
    return async (...args): Promise<StoreDatabase> => {
      const database = await open(...args);
      return withWrite(database, async (changes, expected): Promise<boolean> => {
        const isWritten = await database.write(changes, expected);
        if (isWritten) for (const change of changes) this.#take(change);
        return isWritten;
      });
    };
  }

  /** Tables in whose remains someone with these keys reads a text. */
  async tablesWith(keys: StoreKeys<CryptoKey>, text: string): Promise<readonly StoreTable[]> {
    const cipher = createRecordCipher(keys);
    const found = new Set<StoreTable>();
    for (const { table, key, sealed } of this.rows) {
      const location = table === "search" ? "search" : `${LOCATIONS[table] ?? table} ${key}`;
      if (JSON.stringify((await cipher.open(location, sealed)) ?? "").includes(text)) found.add(table);
    }
    return [...found];
  }

  #take(change: StoreChange): void {
    const { table } = change;
    const row = "put" in change ? change.put : "add" in change ? change.add : {};
    const { sealed, seq, key = seq } = row as { readonly sealed?: Uint8Array; readonly seq?: number; readonly key?: string | number };
    if (sealed !== undefined) this.rows.push({ table, sealed, ...(key !== undefined && { key }) });
  }
}

/** A database that writes in another way. */
export function withWrite(database: StoreDatabase, write: StoreDatabase["write"]): StoreDatabase {
  return new Proxy(database, {
    get: (target, name): unknown => {
      if (name === "write") return write;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}
