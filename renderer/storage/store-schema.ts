// Object stores of the messages' database in a browser.
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from "idb";
import type { ArrivalRow, RowKey, StoreRows, StoreTable } from "#shared/messenger/store/store-database.ts";

/** Tables without indexes. */
type Plain = { [Table in StoreTable]: { readonly key: RowKey<Table>; readonly value: StoreRows[Table] } };

export interface StoreSchema extends DBSchema {
  messages: Plain["messages"] & {
    indexes: { "by-conversation": [string, number, string]; "by-unread": [string, number]; "by-expiry": number; "by-answered": string };
  };
  conversations: Plain["conversations"];
  outbox: Plain["outbox"];
  seen: Plain["seen"];
  early: Plain["early"] & { indexes: { "by-time": number } };
  amendments: Plain["amendments"] & { indexes: { "by-time": number } };
  sent: Plain["sent"] & { indexes: { "by-time": number } };
  streams: Plain["streams"];
  pairs: Plain["pairs"];
  /** The browser numbers rows that are added. */
  search: { key: number; value: { readonly seq?: number; readonly sealed: Uint8Array } };
  chunks: Plain["chunks"] & { indexes: { "by-file": string; "by-orphan": number } };
  meta: Plain["meta"];
  arrivals: { key: number; value: Omit<ArrivalRow, "seq"> & { readonly seq?: number }; indexes: { "by-time": number } };
}

export type IndexedDatabase = IDBPDatabase<StoreSchema>;

type UpgradedMessages = IDBPObjectStore<StoreSchema, readonly StoreTable[], "messages", "versionchange">;

/** 7: which messages answer another one, so that its words go from them: who does not know that must not write. */
const VERSION = 7;

/** Name of the database of a store. */
export function databaseName(storeName: string): string {
  return `parley-messages-${storeName}`;
}

/** Opens or creates the database. `onLost` is called when the browser ends the connection. */
export function openIndexedDatabase(name: string, onLost: () => void): Promise<IndexedDatabase> {
  return openDB<StoreSchema>(name, VERSION, {
    upgrade: (database, from, _, transaction): void => {
      if (from < 1) createFirstStores(database);
      if (from < 3) addThirdStores(database);
      if (from < 4) addFourthStores(database);
      if (from < 6) database.createObjectStore("pairs", { keyPath: "key" });
      if (from < 2) addSecondStores(database, transaction.objectStore("messages"));
      if (from < 7) transaction.objectStore("messages").createIndex("by-answered", "answers");
    },
    terminated: onLost,
  });
}

function createFirstStores(database: IndexedDatabase): void {
  const messages = database.createObjectStore("messages", { keyPath: "key" });
  messages.createIndex("by-conversation", ["conversation", "at", "key"]);
  messages.createIndex("by-unread", ["conversation", "unread"]);
  database.createObjectStore("conversations", { keyPath: "key" });
  database.createObjectStore("outbox", { keyPath: "seq" });
  database.createObjectStore("seen", { keyPath: "key" });
  database.createObjectStore("early", { keyPath: "key" }).createIndex("by-time", "at");
  database.createObjectStore("meta", { keyPath: "key" });
}

function addSecondStores(database: IndexedDatabase, messages: UpgradedMessages): void {
  messages.createIndex("by-expiry", "expiresAt");
  database.createObjectStore("amendments", { keyPath: "key" }).createIndex("by-time", "at");
  database.createObjectStore("sent", { keyPath: "key" }).createIndex("by-time", "at");
  database.createObjectStore("streams", { keyPath: "key" });
  database.createObjectStore("search", { keyPath: "seq", autoIncrement: true });
}

function addThirdStores(database: IndexedDatabase): void {
  const chunks = database.createObjectStore("chunks", { keyPath: "key" });
  chunks.createIndex("by-file", "file");
  chunks.createIndex("by-orphan", "orphanAt");
}

function addFourthStores(database: IndexedDatabase): void {
  database.createObjectStore("arrivals", { keyPath: "seq", autoIncrement: true }).createIndex("by-time", "at");
}
