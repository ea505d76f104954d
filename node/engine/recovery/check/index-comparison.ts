// Tables of the index beside those that the blocks give, which are filled into a file of their own.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import type { SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openSqliteDatabase, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import { countOf } from "./check-state.ts";
import type { Findings } from "./findings.ts";

/** File beside the chain while the check runs. */
export const CHECK_FILE = "check.db";

/** A row, by columns. */
export type Row = readonly unknown[];

/** A table whose rows go once a run has what they say; `sql` reads it from a place of the chain on. */
export interface SweptTable {
  readonly table: string;
  readonly sql: (fromSeq: number) => string;
  readonly isInRun: (history: SealedHistory, row: Row) => boolean;
}

export const SWEPT: readonly SweptTable[] = [
  {
    table: "ids",
    // Which part holds an id depends on which are left.
    sql: (fromSeq) => `SELECT hex(key), seq FROM ids WHERE seq >= ${fromSeq} ORDER BY key, seq`,
    isInRun: ({ runs }, [key, seq]) => runs.keyPlaces(Number.parseInt(String(key).slice(0, 12), 16)).includes(Number(seq)),
  },
  {
    table: "account_entries",
    sql: (fromSeq) =>
      `SELECT lower(hex(pub)), number, seq FROM account_entries JOIN accounts USING (account_id) WHERE seq >= ${fromSeq} ORDER BY pub, number`,
    isInRun: ({ runs }, [publicKey, number, seq]) =>
      runs.entryPlaces(String(publicKey), Number(number), Number(number)).get(Number(number)) === seq,
  },
];

/** Both databases, and where differences go. */
export interface Compared {
  readonly database: SqliteDatabase;
  readonly fresh: SqliteDatabase;
  readonly findings: Findings;
}

/** How a table is compared. */
export interface TableComparison {
  /** True for a row that the stored table may lack. */
  readonly isElsewhere?: (row: Row) => boolean;
  /** What a row of the fresh table is in the stored one; it keeps the order. */
  readonly wanted?: (row: Row) => Row;
}

/** Compares a table in the order of its SQL. */
export type Compare = (table: string, sql: string, options?: TableComparison) => void;

/** Calls with an empty database beside the chain, and removes it. */
export function withFreshDatabase(path: string, work: (fresh: SqliteDatabase) => void): void {
  const file = join(path, CHECK_FILE);
  removeDatabase(file);
  const fresh = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    work(fresh);
  } finally {
    fresh.close();
    removeDatabase(file);
  }
}

/** Both in one order, to the first difference: what comes after it is moved by it. Rows that are missing may be elsewhere. */
export function comparison(database: SqliteDatabase, fresh: SqliteDatabase, findings: Findings): Compare {
  const differs = (table: string, row: number): void => {
    const [has, wants] = [countOf(database, table), countOf(fresh, table)];
    findings.add(CHAIN_FILE, `table ${table}`, `row ${row} is not what the blocks give (${has} rows, ${wants} expected)`);
  };
  return (table, sql, { isElsewhere = (): boolean => false, wanted = (row: Row): Row => row } = {}) => {
    const stored = database.prepare<[], Row>(sql).raw().iterate();
    const rows = fresh.prepare<[], Row>(sql).raw().iterate();
    try {
      let next = stored.next();
      let row = 1;
      for (const freshRow of rows) {
        const wantedRow = wanted(freshRow);
        if (next.done !== true && JSON.stringify(next.value) === JSON.stringify(wantedRow)) {
          next = stored.next();
          row += 1;
        } else if (!isElsewhere(wantedRow)) {
          differs(table, row);
          return;
        }
      }
      if (next.done !== true) differs(table, row);
    } finally {
      stored.return?.();
      rows.return?.();
    }
  };
}

/** Events from a place of the chain on. */
export function compareEvents(compare: Compare, { database, fresh, findings }: Compared, fromSeq: number): void {
  const unindexed = `SELECT COUNT(*) FROM contract_logs WHERE is_indexed = 0 AND seq >= ${fromSeq}`;
  findings.attempt(CHAIN_FILE, "table contract_events", () => {
    // Lines that an older program wrote are in none of its rows.
    if (Number(database.prepare(unindexed).pluck().get()) === Number(fresh.prepare(unindexed).pluck().get()))
      compare(
        "contract_events",
        `SELECT contract_num, key, seq, line FROM contract_events WHERE seq >= ${fromSeq} ORDER BY contract_num, key, seq, line`,
      );
  });
}

/** Contact pairs of the fresh database are all stored; those of blocks that were taken back stay. */
export function comparePairs({ database, fresh, findings }: Compared): void {
  findings.attempt(CHAIN_FILE, "table contact_pairs", () => {
    const has = database.prepare<[string, string]>("SELECT 1 FROM contact_pairs WHERE requester = unhex(?) AND recipient = unhex(?)");
    const pairs = fresh.prepare<[], [string, string]>(
      "SELECT lower(hex(requester)), lower(hex(recipient)) FROM contact_pairs ORDER BY requester, recipient",
    );
    for (const [requester, recipient] of pairs.raw().iterate())
      if (has.get(requester, recipient) === undefined)
        findings.add(CHAIN_FILE, "table contact_pairs", `the request of ${requester} to ${recipient} is missing`);
  });
}

function removeDatabase(file: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
}
