// The messaging engine's database over SQLite: one file a store. Every write is durable when its promise resolves.
import { join } from "node:path";
import type Database from "better-sqlite3";
import type {
  AgingTable,
  ExpectedRow,
  OpenDatabase,
  ReadRange,
  RowKey,
  StoreChange,
  StoreDatabase,
  StoreRows,
  StoreTable,
} from "#shared/messenger/store/store-database.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { closeSqliteDatabase, inImmediateTransaction, openSqliteDatabase, type SqliteDatabase } from "../sqlite-database.ts";
import { lowestKey, type SqlRow, type SqlValue, TABLE_FORMATS } from "./message-rows.ts";
import { MESSAGES_DATABASE } from "./messages-schema.ts";

/** Path of the file of a store in a folder. */
export function messagesFile(folder: string, storeName: string): string {
  return join(folder, `messages-${storeName}.db`);
}

/** Opens stores in a folder. @throws CodedError STORAGE_FOREIGN, STORAGE_NEWER, STORAGE_CORRUPT, STORAGE_LOCKED, STORAGE_FULL, STORAGE_FAILED. */
export function openMessagesIn(folder: string): OpenDatabase {
  return async (storeName) => {
    const database = openSqliteDatabase(messagesFile(folder, storeName), MESSAGES_DATABASE);
    // What was deleted, or sealed again under another key, is overwritten in the file.
    database.pragma("secure_delete = ON");
    return new MessageDatabase(database);
  };
}

type Statement = Database.Statement<SqlValue[]>;

/** An open file. */
class MessageDatabase implements StoreDatabase {
  readonly #database: SqliteDatabase;
  /** Prepared once each. */
  readonly #statements = new Map<string, Statement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get<Table extends StoreTable>(table: Table, key: RowKey<Table>): Promise<StoreRows[Table] | undefined> {
    const [row] = this.#rows(table, `SELECT * FROM ${table} WHERE ${TABLE_FORMATS[table].key} = ?`, [key]);
    return row;
  }

  async getMany<Table extends StoreTable>(
    table: Table,
    keys: readonly RowKey<Table>[],
  ): Promise<readonly (StoreRows[Table] | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(table, key)));
  }

  async has(table: "seen" | "chunks", key: string): Promise<boolean> {
    return this.#prepared(`SELECT 1 FROM ${table} WHERE key = ?`).get(key) !== undefined;
  }

  async list<Table extends StoreTable>(table: Table, range: ReadRange<RowKey<Table>> = {}): Promise<readonly StoreRows[Table][]> {
    const { after = lowestKey(table), limit = -1 } = range;
    const { key } = TABLE_FORMATS[table];
    return this.#rows(table, `SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`, [after, limit]);
  }

  async count(table: StoreTable): Promise<number> {
    return Number(this.#value(`SELECT count(*) AS value FROM ${table}`, []));
  }

  async lastSeq(table: "outbox" | "arrivals"): Promise<number | undefined> {
    return this.#number(`SELECT max(seq) AS value FROM ${table}`, []);
  }

  async lastArrival(atMs: number): Promise<number | undefined> {
    return this.#number("SELECT seq AS value FROM arrivals WHERE at <= ? ORDER BY at DESC, seq DESC LIMIT 1", [atMs]);
  }

  async messagesBefore(
    conversation: string,
    before: { readonly at: number; readonly key: string } | undefined,
    limit: number,
  ): Promise<readonly StoreRows["messages"][]> {
    const end = before === undefined ? "" : "AND (at, key) < (?, ?)";
    const values = before === undefined ? [conversation, limit] : [conversation, before.at, before.key, limit];
    return this.#rows("messages", `SELECT * FROM messages WHERE conversation = ? ${end} ORDER BY at DESC, key DESC LIMIT ?`, values);
  }

  async messagesAfter(
    conversation: string,
    after: { readonly at: number; readonly key: string } | undefined,
    limit: number,
  ): Promise<readonly StoreRows["messages"][]> {
    const begin = after === undefined ? "" : "AND (at, key) > (?, ?)";
    const values = after === undefined ? [conversation, limit] : [conversation, after.at, after.key, limit];
    return this.#rows("messages", `SELECT * FROM messages WHERE conversation = ? ${begin} ORDER BY at, key LIMIT ?`, values);
  }

  async messageKeysOf(conversation: string): Promise<readonly string[]> {
    return this.#keys("SELECT key FROM messages WHERE conversation = ? ORDER BY at, key", [conversation]);
  }

  async unreadMessages(conversation: string): Promise<readonly StoreRows["messages"][]> {
    return this.#rows("messages", "SELECT * FROM messages WHERE conversation = ? AND unread IS NOT NULL ORDER BY key", [conversation]);
  }

  async expiredMessages(atMs: number, limit: number): Promise<readonly string[]> {
    return this.#keys("SELECT key FROM messages WHERE expires_at <= ? ORDER BY expires_at, key LIMIT ?", [atMs, limit]);
  }

  async expiringMessages(afterMs: number, upToMs: number, limit = -1): Promise<readonly string[]> {
    const sql = "SELECT key FROM messages WHERE expires_at > ? AND expires_at <= ? ORDER BY expires_at, key LIMIT ?";
    return this.#keys(sql, [afterMs, upToMs, limit]);
  }

  async nextExpiry(): Promise<number | undefined> {
    return this.#number("SELECT min(expires_at) AS value FROM messages WHERE expires_at IS NOT NULL", []);
  }

  async answersTo(name: string, limit: number): Promise<readonly string[]> {
    return this.#keys("SELECT key FROM messages WHERE answers = ? ORDER BY key LIMIT ?", [name, limit]);
  }

  async chunksOf(file: string): Promise<readonly StoreRows["chunks"][]> {
    return this.#rows("chunks", "SELECT * FROM chunks WHERE file = ? ORDER BY key", [file]);
  }

  async agedKeys(table: AgingTable, atMs: number): Promise<readonly string[]> {
    return this.#keys(`SELECT key FROM ${table} WHERE at <= ? ORDER BY at, key`, [atMs]);
  }

  async orphanedChunks(atMs: number): Promise<readonly string[]> {
    return this.#keys("SELECT key FROM chunks WHERE orphan_at <= ? ORDER BY orphan_at, key", [atMs]);
  }

  async write(changes: readonly StoreChange[], expected?: ExpectedRow): Promise<boolean> {
    if (changes.length === 0) return true;
    return inImmediateTransaction(this.#database, () => {
      if (expected !== undefined && !this.#holds(expected)) return false;
      for (const change of changes) this.#apply(change);
      return true;
    });
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }

  #holds({ key, sealed }: ExpectedRow): boolean {
    const [row] = this.#rows("meta", "SELECT * FROM meta WHERE key = ?", [key]);
    return row === undefined || sealed === undefined ? row?.sealed === sealed : equalBytes(row.sealed, sealed);
  }

  #apply(change: StoreChange): void {
    const { table } = change;
    const { key, columns } = TABLE_FORMATS[table];
    if ("put" in change) {
      const toSql = TABLE_FORMATS[table].toSql as (row: StoreRows[StoreTable]) => readonly SqlValue[];
      const places = columns.map(() => "?").join(", ");
      this.#prepared(`INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${places})`).run(...toSql(change.put));
    } else if ("delete" in change) this.#prepared(`DELETE FROM ${table} WHERE ${key} = ?`).run(change.delete);
    else if ("deleteUpTo" in change) this.#prepared(`DELETE FROM ${table} WHERE seq <= ?`).run(change.deleteUpTo);
    else if (change.table === "search") this.#prepared("INSERT INTO search (sealed) VALUES (?)").run(change.add.sealed);
    else {
      const { key: message, conversation, at } = change.add;
      this.#prepared("INSERT INTO arrivals (key, conversation, at) VALUES (?, ?, ?)").run(message, conversation, at);
    }
  }

  #rows<Table extends StoreTable>(table: Table, sql: string, values: readonly SqlValue[]): readonly StoreRows[Table][] {
    const { fromSql } = TABLE_FORMATS[table];
    return (this.#prepared(sql).all(...values) as SqlRow[]).map(fromSql);
  }

  #keys(sql: string, values: readonly SqlValue[]): readonly string[] {
    return (this.#prepared(sql).all(...values) as { readonly key: string }[]).map(({ key }) => key);
  }

  #number(sql: string, values: readonly SqlValue[]): number | undefined {
    const value = this.#value(sql, values);
    return typeof value === "number" ? value : undefined;
  }

  #value(sql: string, values: readonly SqlValue[]): SqlValue | undefined {
    return (this.#prepared(sql).get(...values) as SqlRow | undefined)?.value;
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare<SqlValue[]>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
