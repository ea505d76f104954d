// What the local store needs of a database. The browser has one over IndexedDB, a program without a window one over SQLite; the same tests
// hold both. Plain: random-looking keys, times needed for order, flags. Everything else is sealed before it comes here.
import type { MessageKey } from "../model/message.ts";
import type { MessagePosition } from "../model/records.ts";

/** A sealed record under its key. */
export interface SealedRow {
  readonly key: string;
  readonly sealed: Uint8Array;
}

/** A message; `unread`, `expiresAt` and `answers` are there only while they mean something, so that their indexes hold nothing else. */
export interface MessageRow extends SealedRow {
  readonly conversation: string;
  readonly at: number;
  readonly unread?: 1;
  /** When it disappears, milliseconds since 1970; {@link NOT_BEGUN} until its time begins. */
  readonly expiresAt?: number;
  /** Name of the message that it answers and with which words of it go: a keyed hash that is no key of a row. */
  readonly answers?: string;
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

/** What is to be sent, by its number. */
export interface OutboxRow {
  readonly seq: number;
  readonly sealed: Uint8Array;
}

/** What some messages are found by; numbers grow with each row that is added. */
export interface SearchRow {
  readonly seq: number;
  readonly sealed: Uint8Array;
}

/** A message of another person, in the order in which messages came. */
export interface ArrivalRow {
  readonly seq: number;
  /** Key of the message. */
  readonly key: MessageKey;
  readonly conversation: string;
  /** When it came, milliseconds since 1970. */
  readonly at: number;
}

/** Every table and its rows. */
export interface StoreRows {
  readonly messages: MessageRow;
  readonly conversations: SealedRow;
  readonly outbox: OutboxRow;
  /** Keys of messages that have been here, kept when the message is deleted: no envelope shows a message twice. */
  readonly seen: { readonly key: MessageKey };
  readonly early: EarlyRow;
  /** Changes of messages that arrived before their message. */
  readonly amendments: AgingRow;
  /** What was sent at which position of which sender chain. */
  readonly sent: AgingRow;
  /** What has come in the sender chains of other devices. */
  readonly streams: SealedRow;
  /** What messages are found by, in rows of any number of messages. */
  readonly search: SearchRow;
  /** Chunks of files, encrypted under the key of their file. */
  readonly chunks: ChunkRow;
  /** Pairs of this device with other ones. */
  readonly pairs: SealedRow;
  readonly meta: SealedRow;
  readonly arrivals: ArrivalRow;
}

/** Name of a table. */
export type StoreTable = keyof StoreRows;
/** Key of a row: its `seq` or `key`. */
export type RowKey<Table extends StoreTable> = StoreRows[Table] extends { readonly seq: number } ? number : string;

/** Every table. */
export const STORE_TABLES = [
  "messages",
  "conversations",
  "outbox",
  "seen",
  "early",
  "amendments",
  "sent",
  "streams",
  "pairs",
  "search",
  "chunks",
  "meta",
  "arrivals",
] as const satisfies readonly StoreTable[];

/** Tables whose rows are forgotten after a time. */
export const AGING_TABLES = ["early", "amendments", "sent"] as const satisfies readonly StoreTable[];
export type AgingTable = (typeof AGING_TABLES)[number];

/** One change. `put` replaces the row of the same key; deleting a row that is not there changes nothing. */
export type StoreChange =
  | { [Table in StoreTable]: { readonly table: Table; readonly put: StoreRows[Table] } }[StoreTable]
  | { [Table in StoreTable]: { readonly table: Table; readonly delete: RowKey<Table> } }[StoreTable]
  /** A row behind all that were ever there. */
  | { readonly table: "search"; readonly add: Omit<SearchRow, "seq"> }
  | { readonly table: "arrivals"; readonly add: Omit<ArrivalRow, "seq"> }
  /** All rows up to this number. */
  | { readonly table: "search" | "arrivals"; readonly deleteUpTo: number };

/** Where reading begins, and how much is read. */
export interface ReadRange<Key> {
  /** Behind this key. */
  readonly after?: Key;
  readonly limit?: number;
}

/** What a row of `meta` holds. */
export interface ExpectedRow {
  readonly key: string;
  readonly sealed: Uint8Array | undefined;
}

/** An open database with one writer. Calls reject with whatever the database throws. */
export interface StoreDatabase {
  get<Table extends StoreTable>(table: Table, key: RowKey<Table>): Promise<StoreRows[Table] | undefined>;
  /** Rows of these keys, in their order, by one access; undefined for what is not there. */
  getMany<Table extends StoreTable>(table: Table, keys: readonly RowKey<Table>[]): Promise<readonly (StoreRows[Table] | undefined)[]>;
  has(table: "seen" | "chunks", key: string): Promise<boolean>;
  /** Rows in order of their keys. */
  list<Table extends StoreTable>(table: Table, range?: ReadRange<RowKey<Table>>): Promise<readonly StoreRows[Table][]>;
  count(table: StoreTable): Promise<number>;
  /** Number of the newest row; undefined when there is none. */
  lastSeq(table: "outbox" | "arrivals"): Promise<number | undefined>;
  /** Number of the newest arrival of this time or before. */
  lastArrival(atMs: number): Promise<number | undefined>;
  /** Messages of a conversation before a position, newest first. */
  messagesBefore(conversation: string, before: MessagePosition | undefined, limit: number): Promise<readonly MessageRow[]>;
  /** Messages of a conversation after a position (from the oldest when none is given), oldest first. */
  messagesAfter(conversation: string, after: MessagePosition | undefined, limit: number): Promise<readonly MessageRow[]>;
  messageKeysOf(conversation: string): Promise<readonly MessageKey[]>;
  unreadMessages(conversation: string): Promise<readonly MessageRow[]>;
  /** Messages that disappear at this time or before, the earliest first. */
  expiredMessages(atMs: number, limit: number): Promise<readonly MessageKey[]>;
  /** Messages that disappear after a time and up to another one, the earliest first. */
  expiringMessages(afterMs: number, upToMs: number, limit?: number): Promise<readonly MessageKey[]>;
  /** When the next message disappears. */
  nextExpiry(): Promise<number | undefined>;
  /** Answers to the message of this name, in order of their keys. */
  answersTo(name: string, limit: number): Promise<readonly MessageKey[]>;
  chunksOf(file: string): Promise<readonly ChunkRow[]>;
  /** Keys of rows of this time or before. */
  agedKeys(table: AgingTable, atMs: number): Promise<readonly string[]>;
  /** Keys of chunks whose message had not come at this time or before. */
  orphanedChunks(atMs: number): Promise<readonly string[]>;
  /**
   * Makes all changes in their order, durably, or none: false, and none, where `expected` is given and the row of that key in `meta` holds
   * something else, or is there at all where nothing is expected.
   */
  write(changes: readonly StoreChange[], expected?: ExpectedRow): Promise<boolean>;
  close(): void;
}

/** Opens or creates the database of a store. `onLost` is called when the host ends the connection to it. */
export type OpenDatabase = (storeName: string, onLost: () => void) => Promise<StoreDatabase>;
