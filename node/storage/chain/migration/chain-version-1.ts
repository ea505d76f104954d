// chain.db of version 1 → version 2. Version 1 had hex text in three tables, and lines of contracts beside the receipts that hold them.
import { CHAIN_DATABASE, SEQ_PER_BLOCK } from "../../chain-schema.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import { PAGE_KEY } from "../state-repository.ts";
import { GOES_ON, type Rewrite, type RewriteProgress } from "./rewrite-database.ts";

/** Blocks that one statement copies. */
const BLOCKS_AT_ONCE = 256;

/** Tables that are otherwise since version 1. Those of version 0 are the same. */
export const TEXT_COPIES: readonly string[] = [
  // Their order is another one. Keys alone are sorted in memory: all pages of a large state would not fit there.
  `WITH keys AS MATERIALIZED (SELECT prefix, ${PAGE_KEY} AS key FROM old.tree_pages WHERE ${GOES_ON} ORDER BY key)
    INSERT INTO tree_pages SELECT key, (SELECT page FROM old.tree_pages WHERE prefix = keys.prefix) FROM keys WHERE ${GOES_ON}`,
  `INSERT INTO proposer_totals SELECT unhex(proposer), total FROM old.proposer_totals WHERE ${GOES_ON} ORDER BY 1`,
  `INSERT INTO contracts SELECT contract_num, unhex(contract_id), name, version, height FROM old.contracts WHERE ${GOES_ON} ORDER BY 1`,
  `INSERT INTO contract_logs (contract_num, seq, line, is_indexed)
    SELECT contract_num, seq, line, is_indexed FROM old.contract_logs WHERE ${GOES_ON} ORDER BY 1, 2, 3`,
];
const OTHERWISE = ["tree_pages", "proposer_totals", "contracts", "contract_logs"];
/** Copied by blocks, so that it is known how far that is. */
const BODIES = ["block_bodies", "block_records"];

/** The way from version 1. */
export const CHAIN_VERSION_1: Rewrite = {
  from: { ...CHAIN_DATABASE, initialVersion: 1, initialSchema: "" },
  to: CHAIN_DATABASE,
  purpose: "for this version",
  share: 1,
  copy: (database, onProgress) => {
    const bodies = bodiesOf(database);
    // Where most blocks are in files, the tables are most of the work.
    if (bodies.total > 0) onProgress(0, bodies.total);
    for (const sql of TEXT_COPIES) database.exec(sql);
    for (const table of otherTables(database)) database.exec(copyOf(database, table));
    copyBodies(database, bodies, onProgress);
  },
};

/** Heights of blocks that are in rows: there is none between without a row. */
interface Bodies {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

function bodiesOf(database: SqliteDatabase): Bodies {
  const [first = 0, last = -1] =
    database.prepare<[], number[]>("SELECT COALESCE(MIN(height), 0), COALESCE(MAX(height), -1) FROM old.block_bodies").raw().get() ?? [];
  return { first, last, total: last - first + 1 };
}

function otherTables(database: SqliteDatabase): readonly string[] {
  return database
    .prepare<[string], string>(
      `SELECT name FROM main.sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN (SELECT value FROM json_each(?)) ORDER BY name`,
    )
    .pluck()
    .all(JSON.stringify([...OTHERWISE, ...BODIES]));
}

/** Columns by name: tables that were added later may have theirs in another order. */
function copyOf(database: SqliteDatabase, table: string, where = ""): string {
  const columns = database.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table).join(", ");
  return `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM old.${table} WHERE ${GOES_ON}${where}`;
}

function copyBodies(database: SqliteDatabase, { first, last, total }: Bodies, onProgress: RewriteProgress): void {
  const bodies = database.prepare<[number, number]>(copyOf(database, "block_bodies", " AND height >= ? AND height < ?"));
  const records = database.prepare<[number, number]>(copyOf(database, "block_records", " AND seq >= ? AND seq < ?"));
  // Records of blocks that are in files may be left for a while after their bodies are gone.
  records.run(0, first * SEQ_PER_BLOCK);
  for (let from = first; from <= last; from += BLOCKS_AT_ONCE) {
    const to = Math.min(from + BLOCKS_AT_ONCE, last + 1);
    bodies.run(from, to);
    records.run(from * SEQ_PER_BLOCK, to * SEQ_PER_BLOCK);
    onProgress(to - first, total);
  }
}
