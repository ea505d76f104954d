// Rows of messages.db as SQL has them, and as the messaging engine has them.
import type { AgingRow, RowKey, SealedRow, SearchRow, StoreRows, StoreTable } from "#shared/messenger/store/store-database.ts";

/** A value of SQLite. */
export type SqlValue = string | number | Uint8Array | null;
/** A row as it is read. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** How a table is written and read. */
export interface TableFormat<Row> {
  readonly key: "key" | "seq";
  /** All columns, the key first. */
  readonly columns: readonly string[];
  readonly toSql: (row: Row) => readonly SqlValue[];
  readonly fromSql: (row: SqlRow) => Row;
}

const SEALED: TableFormat<SealedRow> = {
  key: "key",
  columns: ["key", "sealed"],
  toSql: ({ key, sealed }) => [key, sealed],
  fromSql: ({ key, sealed }) => ({ key: String(key), sealed: bytesOf(sealed) }),
};

const AGING: TableFormat<AgingRow> = {
  key: "key",
  columns: ["key", "at", "sealed"],
  toSql: ({ key, at, sealed }) => [key, at, sealed],
  fromSql: ({ key, at, sealed }) => ({ key: String(key), at: Number(at), sealed: bytesOf(sealed) }),
};

const NUMBERED: TableFormat<SearchRow> = {
  key: "seq",
  columns: ["seq", "sealed"],
  toSql: ({ seq, sealed }) => [seq, sealed],
  fromSql: ({ seq, sealed }) => ({ seq: Number(seq), sealed: bytesOf(sealed) }),
};

/** Every table. */
export const TABLE_FORMATS: { readonly [Table in StoreTable]: TableFormat<StoreRows[Table]> } = {
  messages: {
    key: "key",
    columns: ["key", "conversation", "at", "unread", "expires_at", "answers", "sealed"],
    toSql: ({ key, conversation, at, unread = null, expiresAt = null, answers = null, sealed }) => [
      ...[key, conversation, at, unread, expiresAt],
      ...[answers, sealed],
    ],
    fromSql: ({ key, conversation, at, unread, expires_at: expiresAt, answers, sealed }) => ({
      ...{ key: String(key), conversation: String(conversation), at: Number(at), sealed: bytesOf(sealed) },
      ...(unread === null ? {} : { unread: 1 }),
      ...(expiresAt === null ? {} : { expiresAt: Number(expiresAt) }),
      ...(answers === null ? {} : { answers: String(answers) }),
    }),
  },
  conversations: SEALED,
  outbox: NUMBERED,
  seen: { key: "key", columns: ["key"], toSql: ({ key }) => [key], fromSql: ({ key }) => ({ key: String(key) }) },
  early: {
    key: "key",
    columns: ["key", "at", "state"],
    toSql: ({ key, at, state }) => [key, at, state],
    fromSql: ({ key, at, state }) => ({ key: String(key), at: Number(at), state: state === "read" ? "read" : "delivered" }),
  },
  amendments: AGING,
  sent: AGING,
  streams: SEALED,
  pairs: SEALED,
  search: NUMBERED,
  chunks: {
    key: "key",
    columns: ["key", "file", "orphan_at", "data"],
    toSql: ({ key, file, orphanAt = null, data }) => [key, file, orphanAt, data],
    fromSql: ({ key, file, orphan_at: orphanAt, data }) => ({
      ...{ key: String(key), file: String(file), data: bytesOf(data) },
      ...(orphanAt === null ? {} : { orphanAt: Number(orphanAt) }),
    }),
  },
  meta: SEALED,
  arrivals: {
    key: "seq",
    columns: ["seq", "key", "conversation", "at"],
    toSql: ({ seq, key, conversation, at }) => [seq, key, conversation, at],
    fromSql: ({ seq, key, conversation, at }) => ({
      ...{ seq: Number(seq), key: String(key), conversation: String(conversation), at: Number(at) },
    }),
  },
};

/** A key in the order of its table, before all others. */
export function lowestKey<Table extends StoreTable>(table: Table): RowKey<Table> {
  return (TABLE_FORMATS[table].key === "seq" ? -1 : "") as RowKey<Table>;
}

/** Plain bytes over the same memory: SQLite's are a Buffer. */
function bytesOf(value: SqlValue | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) return new Uint8Array();
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}
