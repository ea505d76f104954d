// Object stores of the local database. Plain: random-looking keys, times needed for order, flags. Everything else is sealed.
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from "idb";
import type { MessageKey } from "../model/message.ts";

/** A sealed record under its key. */
export interface SealedRow {
  readonly key: string;
  readonly sealed: Uint8Array;
}

/** A message; `unread` and `expiresAt` are there only while they mean something, so that their indexes hold nothing else. */
export interface MessageRow extends SealedRow {
  readonly conversation: string;
  readonly at: number;
  readonly unread?: 1;
  /** When it disappears, milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** A chunk; `orphanAt` is there while its message has not come. */
export interface ChunkRow {
  readonly key: string;
  readonly file: string;
  readonly data: Uint8Array;
  readonly orphanAt?: number;
}

/** A sealed record that is forgotten after a time. */
export interface AgingRow extends SealedRow {
  readonly at: number;
}

/** A receipt or read mark that arrived before its message. */
export interface EarlyRow {
  readonly key: string;
  readonly at: number;
  readonly state: "delivered" | "read";
}

export interface StoreSchema extends DBSchema {
  messages: {
    key: MessageKey;
    value: MessageRow;
    indexes: { "by-conversation": [string, number, string]; "by-unread": [string, number]; "by-expiry": number };
  };
  conversations: { key: string; value: SealedRow };
  outbox: { key: number; value: { readonly seq: number; readonly sealed: Uint8Array } };
  /** Keys of messages that have been here, kept when the message is deleted: no envelope shows a message twice. */
  seen: { key: MessageKey; value: { readonly key: MessageKey } };
  early: { key: string; value: EarlyRow; indexes: { "by-time": number } };
  /** Changes of messages that arrived before their message. */
  amendments: { key: string; value: AgingRow; indexes: { "by-time": number } };
  /** What was sent at which position of which sender chain. */
  sent: { key: string; value: AgingRow; indexes: { "by-time": number } };
  /** What has come in the sender chains of other devices. */
  streams: { key: string; value: SealedRow };
  /** What messages are found by, in rows of any number of messages. */
  search: { key: number; value: { readonly seq?: number; readonly sealed: Uint8Array } };
  /** Chunks of files, encrypted under the key of their file. */
  chunks: { key: string; value: ChunkRow; indexes: { "by-file": string; "by-orphan": number } };
  meta: { key: string; value: SealedRow };
}

/** Every object store. */
export const STORE_NAMES = [
  "messages",
  "conversations",
  "outbox",
  "seen",
  "early",
  "amendments",
  "sent",
  "streams",
  "search",
  "chunks",
  "meta",
] as const satisfies readonly StoreName[];

/** Object stores whose rows are forgotten after a time. */
export const AGING_STORES = ["early", "amendments", "sent"] as const satisfies readonly StoreName[];

type StoreName =
  | "messages"
  | "conversations"
  | "outbox"
  | "seen"
  | "early"
  | "amendments"
  | "sent"
  | "streams"
  | "search"
  | "chunks"
  | "meta";

export type StoreDatabase = IDBPDatabase<StoreSchema>;

type UpgradedMessages = IDBPObjectStore<StoreSchema, readonly StoreName[], "messages", "versionchange">;

const VERSION = 3;

export function databaseName(storeName: string): string {
  return `parley-messages-${storeName}`;
}

/** Opens or creates the database. `onLost` is called when the browser ends the connection. */
export function openStoreDatabase(name: string, onLost: () => void): Promise<StoreDatabase> {
  return openDB<StoreSchema>(name, VERSION, {
    upgrade: (database, from, _, transaction): void => {
      if (from < 1) createFirstStores(database);
      if (from < 3) addThirdStores(database);
      if (from < 2) addSecondStores(database, transaction.objectStore("messages"));
    },
    terminated: onLost,
  });
}

function createFirstStores(database: StoreDatabase): void {
  const messages = database.createObjectStore("messages", { keyPath: "key" });
  messages.createIndex("by-conversation", ["conversation", "at", "key"]);
  messages.createIndex("by-unread", ["conversation", "unread"]);
  database.createObjectStore("conversations", { keyPath: "key" });
  database.createObjectStore("outbox", { keyPath: "seq" });
  database.createObjectStore("seen", { keyPath: "key" });
  database.createObjectStore("early", { keyPath: "key" }).createIndex("by-time", "at");
  database.createObjectStore("meta", { keyPath: "key" });
}

function addSecondStores(database: StoreDatabase, messages: UpgradedMessages): void {
  messages.createIndex("by-expiry", "expiresAt");
  database.createObjectStore("amendments", { keyPath: "key" }).createIndex("by-time", "at");
  database.createObjectStore("sent", { keyPath: "key" }).createIndex("by-time", "at");
  database.createObjectStore("streams", { keyPath: "key" });
  database.createObjectStore("search", { keyPath: "seq", autoIncrement: true });
}

function addThirdStores(database: StoreDatabase): void {
  const chunks = database.createObjectStore("chunks", { keyPath: "key" });
  chunks.createIndex("by-file", "file");
  chunks.createIndex("by-orphan", "orphanAt");
}
