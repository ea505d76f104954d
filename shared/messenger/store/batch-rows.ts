// Rows that a batch of changes writes, and the changes that write them.
import type {
  AgingRow,
  ArrivalRow,
  MessageRow,
  OutboxRow,
  RowKey,
  SealedRow,
  StoreChange,
  StoreRows,
  StoreTable,
} from "./store-database.ts";

/** What a batch writes, sealed. */
export interface SealedRows {
  readonly amendments: readonly AgingRow[];
  readonly sent: readonly AgingRow[];
  readonly streams: readonly SealedRow[];
  readonly pairs: readonly SealedRow[];
  readonly search: readonly Uint8Array[];
  readonly arrivals: readonly Omit<ArrivalRow, "seq">[];
  readonly messages: readonly MessageRow[];
  readonly conversations: readonly SealedRow[];
  readonly removedConversations: readonly string[];
  readonly outbox: readonly OutboxRow[];
  readonly meta: readonly SealedRow[];
}

/** Changes that put rows. */
export function putting<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): readonly StoreChange[] {
  return rows.map((put) => ({ table, put }) as unknown as StoreChange);
}

/** Changes that delete rows. */
export function deleting<Table extends StoreTable>(table: Table, keys: readonly RowKey<Table>[]): readonly StoreChange[] {
  return keys.map((key) => ({ table, delete: key }) as unknown as StoreChange);
}

/** Entries of what is there. */
export function present<Key, Value>(entries: ReadonlyMap<Key, Value | undefined>): [Key, Value][] {
  return [...entries].filter((entry): entry is [Key, Value] => entry[1] !== undefined);
}

/** Keys of what is not there any more. */
export function absent<Key>(entries: ReadonlyMap<Key, unknown>): Key[] {
  return [...entries].filter(([, value]) => value === undefined).map(([key]) => key);
}
