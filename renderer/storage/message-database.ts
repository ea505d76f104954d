// The messenger's database over IndexedDB.
import type { IDBPDatabase } from "idb";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageSearch } from "#shared/messenger/store/search/search-index.ts";
import { openSearch } from "#shared/messenger/store/search/search-port.ts";
import type {
  ExpectedRow,
  MessageRow,
  OpenDatabase,
  ReadRange,
  RowKey,
  SealedRow,
  StoreChange,
  StoreDatabase,
  StoreRows,
  StoreTable,
} from "#shared/messenger/store/store-database.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { databaseName, type IndexedDatabase, openIndexedDatabase } from "./store-schema.ts";

/** Opens the database of a store in this browser. */
export const openMessageDatabase: OpenDatabase = async (storeName, onLost) =>
  messageDatabase(await openIndexedDatabase(databaseName(storeName), onLost));

/** Opens the search over a store in this thread. */
export function openMessageSearch(keys: StoreKeys<CryptoKey>): Promise<MessageSearch> {
  return openSearch(keys, openMessageDatabase);
}

/** Names of tables and types of rows are checked by the interface; `idb` cannot follow them through generic calls. */
type Untyped = IDBPDatabase;

/** What newer browsers have: a page backwards at once, without a step of the event loop for each row. */
interface BackwardIndex {
  getAllRecords?(options: {
    readonly query: IDBKeyRange;
    readonly count: number;
    readonly direction: "prev";
  }): Promise<readonly { readonly value: MessageRow }[]>;
}

function messageDatabase(database: IndexedDatabase): StoreDatabase {
  const untyped = database as unknown as Untyped;
  return {
    get: (table, key) => untyped.get(table, key),
    getMany: async <Table extends StoreTable>(table: Table, keys: readonly RowKey<Table>[]): Promise<readonly StoreRows[Table][]> => {
      if (keys.length === 0) return [];
      const { store } = untyped.transaction(table);
      return Promise.all(keys.map((key) => store.get(key)));
    },
    has: async (table, key) => (await database.getKey(table, key)) !== undefined,
    list: (table, range = {}) => untyped.getAll(table, rangeAfter(range), range.limit),
    count: (table) => untyped.count(table),
    lastSeq: async (table) => (await untyped.transaction(table).store.openKeyCursor(null, "prev"))?.key as number | undefined,
    lastArrival: async (atMs) =>
      (await database.transaction("arrivals").store.index("by-time").openKeyCursor(IDBKeyRange.upperBound(atMs), "prev"))?.primaryKey,
    messagesBefore: async (conversation, before, limit): Promise<readonly MessageRow[]> => {
      const end: [string, number, string] | [string, []] =
        before === undefined ? [conversation, []] : [conversation, before.at, before.key];
      const range = IDBKeyRange.bound([conversation], end, false, true);
      const index = database.transaction("messages").store.index("by-conversation");
      const records = await (index as unknown as BackwardIndex).getAllRecords?.({ query: range, count: limit, direction: "prev" });
      if (records !== undefined) return records.map(({ value }) => value);
      const rows = [];
      let cursor = await index.openCursor(range, "prev");
      while (cursor !== null && rows.length < limit) {
        rows.push(cursor.value);
        cursor = await cursor.continue();
      }
      return rows;
    },
    messagesAfter: (conversation, after, limit): Promise<readonly MessageRow[]> => {
      const begin: [string, number, string] | [string] = after === undefined ? [conversation] : [conversation, after.at, after.key];
      const range = IDBKeyRange.bound(begin, [conversation, []], after !== undefined, true);
      return database.getAllFromIndex("messages", "by-conversation", range, limit);
    },
    messageKeysOf: (conversation) =>
      database.getAllKeysFromIndex("messages", "by-conversation", IDBKeyRange.bound([conversation], [conversation, []])),
    unreadMessages: (conversation) => database.getAllFromIndex("messages", "by-unread", [conversation, 1]),
    expiredMessages: (atMs, limit) => database.getAllKeysFromIndex("messages", "by-expiry", IDBKeyRange.upperBound(atMs), limit),
    expiringMessages: (afterMs, upToMs, limit) =>
      database.getAllKeysFromIndex("messages", "by-expiry", IDBKeyRange.bound(afterMs, upToMs, true, false), limit),
    nextExpiry: async () => (await database.transaction("messages").store.index("by-expiry").openKeyCursor())?.key,
    answersTo: (name, limit) => database.getAllKeysFromIndex("messages", "by-answered", name, limit),
    chunksOf: (file) => database.getAllFromIndex("chunks", "by-file", file),
    agedKeys: (table, atMs) => database.getAllKeysFromIndex(table, "by-time", IDBKeyRange.upperBound(atMs)),
    orphanedChunks: (atMs) => database.getAllKeysFromIndex("chunks", "by-orphan", IDBKeyRange.upperBound(atMs)),
    write: (changes, expected) => write(untyped, changes, expected),
    close: () => database.close(),
  };
}

function rangeAfter({ after }: ReadRange<IDBValidKey>): IDBKeyRange | null {
  return after === undefined ? null : IDBKeyRange.lowerBound(after, true);
}

/** A change that is refused takes all others with it. */
async function write(database: Untyped, changes: readonly StoreChange[], expected?: ExpectedRow): Promise<boolean> {
  if (changes.length === 0) return true;
  const tables = [...new Set<string>([...changes.map(({ table }) => table), ...(expected === undefined ? [] : ["meta"])])];
  const transaction = database.transaction(tables, "readwrite", { durability: "strict" });
  if (expected !== undefined && !holds((await transaction.objectStore("meta").get(expected.key)) as SealedRow | undefined, expected)) {
    await transaction.done;
    return false;
  }
  const writes: Promise<unknown>[] = [transaction.done];
  try {
    for (const change of changes) {
      const store = transaction.objectStore(change.table);
      if ("put" in change) writes.push(store.put(change.put));
      else if ("delete" in change) writes.push(store.delete(change.delete));
      else if ("add" in change) writes.push(store.add(change.add));
      else writes.push(store.delete(IDBKeyRange.upperBound(change.deleteUpTo)));
    }
  } catch (error) {
    transaction.abort();
    await Promise.allSettled(writes);
    throw error;
  }
  await Promise.all(writes);
  return true;
}

function holds(row: SealedRow | undefined, { sealed }: ExpectedRow): boolean {
  return row === undefined || sealed === undefined ? row?.sealed === sealed : equalBytes(row.sealed, sealed);
}
