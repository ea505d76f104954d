// Object stores of the local database. Plain: random-looking keys, times needed for order, flags. Everything else is sealed.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { MessageKey } from "./messenger.ts";

/** A sealed record under its key. */
export interface SealedRow {
  readonly key: string;
  readonly sealed: Uint8Array;
}

/** A message; `unread` is there only while it is, so that the index holds nothing else. */
export interface MessageRow extends SealedRow {
  readonly conversation: string;
  readonly at: number;
  readonly unread?: 1;
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
    indexes: { "by-conversation": [string, number, string]; "by-unread": [string, number] };
  };
  conversations: { key: string; value: SealedRow };
  outbox: { key: number; value: { readonly seq: number; readonly sealed: Uint8Array } };
  /** Keys of messages that have been here, kept when the message is deleted: no envelope shows a message twice. */
  seen: { key: MessageKey; value: { readonly key: MessageKey } };
  early: { key: string; value: EarlyRow; indexes: { "by-time": number } };
  meta: { key: string; value: SealedRow };
}

/** Every object store. */
export const STORE_NAMES = ["messages", "conversations", "outbox", "seen", "early", "meta"] as const;

export type StoreDatabase = IDBPDatabase<StoreSchema>;

const VERSION = 1;

/** Opens or creates the database. `onLost` is called when the browser ends the connection. */
export function openStoreDatabase(name: string, onLost: () => void): Promise<StoreDatabase> {
  return openDB<StoreSchema>(name, VERSION, {
    upgrade: (database): void => {
      const messages = database.createObjectStore("messages", { keyPath: "key" });
      messages.createIndex("by-conversation", ["conversation", "at", "key"]);
      messages.createIndex("by-unread", ["conversation", "unread"]);
      database.createObjectStore("conversations", { keyPath: "key" });
      database.createObjectStore("outbox", { keyPath: "seq" });
      database.createObjectStore("seen", { keyPath: "key" });
      database.createObjectStore("early", { keyPath: "key" }).createIndex("by-time", "at");
      database.createObjectStore("meta", { keyPath: "key" });
    },
    terminated: onLost,
  });
}
