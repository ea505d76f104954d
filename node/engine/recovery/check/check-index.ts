// The explorer's index, and every block, against their execution: all blocks are executed again from the first one on, what the index must
// be is written into a file of its own, and the tables are read side by side.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { indexBlock } from "#node/engine/execution/block-index.ts";
import { type ReplayOptions, replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { CHAIN_FILE, type ChainReader } from "#node/storage/chain/chain-database.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { ExplorerRepository } from "#node/storage/explorer/explorer-repository.ts";
import { type SealedHistory, sealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { inImmediateTransaction, openSqliteDatabase, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { countOf } from "./check-state.ts";
import type { Findings } from "./findings.ts";

/** What is looked at. */
export interface IndexCheck {
  readonly path: string;
  readonly database: SqliteDatabase;
  readonly chain: ChainReader;
  readonly genesis: Genesis;
  /** State file of a chain that continues another one. */
  readonly stateFile: string;
  readonly findings: Findings;
  readonly onProgress: (height: Height) => void;
}

/** File beside the chain while the check runs. */
export const CHECK_FILE = "check.db";

/** Rows of these tables go once a run has what they say. */
const SWEPT: readonly SweptTable[] = [
  {
    table: "ids",
    // Which part holds an id depends on which are left.
    sql: "SELECT hex(key), seq FROM ids ORDER BY key, seq",
    isInRun: ({ runs }, [key, seq]) => runs.keyPlaces(Number.parseInt(String(key).slice(0, 12), 16)).includes(Number(seq)),
  },
  {
    table: "account_entries",
    sql: "SELECT lower(hex(pub)), number, seq FROM account_entries JOIN accounts USING (account_id) ORDER BY pub, number",
    isInRun: ({ runs }, [publicKey, number, seq]) =>
      runs.entryPlaces(String(publicKey), Number(number), Number(number)).get(Number(number)) === seq,
  },
];

type Row = readonly unknown[];

interface SweptTable {
  readonly table: string;
  readonly sql: string;
  readonly isInRun: (history: SealedHistory, row: Row) => boolean;
}

/**
 * Tables by name, with what is compared in the order of it. Numbers of accounts depend on what was taken back once; rows of zero are left
 * behind then. Lines outside of the index of events are read one by one, and contact pairs of blocks that were taken back stay.
 */
const COMPARED: readonly (readonly [table: string, sql: string])[] = [
  ["rewards", "SELECT height, hex(pub), amount_ut FROM rewards JOIN accounts USING (account_id) ORDER BY height"],
  ["channels", "SELECT * FROM channels ORDER BY seq"],
  ["type_totals", "SELECT * FROM type_totals WHERE total <> 0 ORDER BY type"],
  ["proposer_totals", "SELECT * FROM proposer_totals WHERE total <> 0 ORDER BY proposer"],
  ["chart_hours", "SELECT * FROM chart_hours ORDER BY hour"],
  ["contracts", "SELECT * FROM contracts ORDER BY contract_num"],
  ["contract_logs", "SELECT contract_num, seq, line, message FROM contract_logs ORDER BY contract_num, seq, line"],
];
const EVENTS = "SELECT contract_num, key, seq, line FROM contract_events ORDER BY contract_num, key, seq, line";
const UNINDEXED = "SELECT COUNT(*) FROM contract_logs WHERE is_indexed = 0";
const PAIRS = "SELECT lower(hex(requester)), lower(hex(recipient)) FROM contact_pairs ORDER BY requester, recipient";
const HAS_PAIR = "SELECT 1 FROM contact_pairs WHERE requester = unhex(?) AND recipient = unhex(?)";

/** Executes every block, and compares the index with what it gives. */
export function checkIndex(check: IndexCheck): void {
  const file = join(check.path, CHECK_FILE);
  removeDatabase(file);
  const fresh = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    if (fillIndex(check, fresh)) compareTables(check, fresh);
  } finally {
    fresh.close();
    removeDatabase(file);
  }
}

/** True when every block gave what is stored: only then is there an index to compare. */
function fillIndex({ chain, genesis, stateFile, findings, onProgress }: IndexCheck, fresh: SqliteDatabase): boolean {
  const [blocks, explorer] = [new BlockRepository(fresh), new ExplorerRepository(fresh)];
  const take: ReplayOptions["take"] = (lists) => explorer.insertCarried(lists);
  return inImmediateTransaction(fresh, () => {
    const replay = replayFromGenesis(chain, genesis, { stateFile, take });
    for (let height = 0; ; height += 1) {
      const place = `block ${height}`;
      const step = findings.attempt(CHAIN_FILE, place, () => replay.next());
      if (step === undefined || step.done === true) return step !== undefined;
      const { executed, isSame } = step.value;
      const summary = chain.blocks.summary(height);
      if (!isSame || summary === undefined) {
        findings.add(CHAIN_FILE, place, "executing it does not give its header");
        return false;
      }
      // Charts count from the time of the block before.
      blocks.insertSummary(summary);
      explorer.insert(indexBlock(executed));
      onProgress(height);
    }
  });
}

function compareTables({ database, findings }: IndexCheck, fresh: SqliteDatabase): void {
  const history = sealedHistory(database);
  for (const { table, sql, isInRun } of SWEPT)
    findings.attempt(CHAIN_FILE, `table ${table}`, () => compare(table, sql, (row) => isInRun(history, row)));
  for (const [table, sql] of COMPARED) findings.attempt(CHAIN_FILE, `table ${table}`, () => compare(table, sql));
  findings.attempt(CHAIN_FILE, "table contract_events", () => {
    // Lines that an older program wrote are in none of its rows.
    if (Number(database.prepare(UNINDEXED).pluck().get()) === Number(fresh.prepare(UNINDEXED).pluck().get()))
      compare("contract_events", EVENTS);
  });
  findings.attempt(CHAIN_FILE, "table contact_pairs", () => {
    const has = database.prepare<[string, string]>(HAS_PAIR);
    for (const [requester, recipient] of fresh.prepare<[], [string, string]>(PAIRS).raw().iterate())
      if (has.get(requester, recipient) === undefined)
        findings.add(CHAIN_FILE, "table contact_pairs", `the request of ${requester} to ${recipient} is missing`);
  });

  /** Both in one order, to the first difference: what comes after it is moved by it. Rows that are missing may be elsewhere. */
  function compare(table: string, sql: string, isElsewhere: (row: Row) => boolean = (): boolean => false): void {
    const stored = database.prepare<[], Row>(sql).raw().iterate();
    const wanted = fresh.prepare<[], Row>(sql).raw().iterate();
    try {
      let next = stored.next();
      let row = 1;
      for (const wantedRow of wanted) {
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
      wanted.return?.();
    }
  }

  function differs(table: string, row: number): void {
    const [has, wants] = [countOf(database, table), countOf(fresh, table)];
    findings.add(CHAIN_FILE, `table ${table}`, `row ${row} is not what the blocks give (${has} rows, ${wants} expected)`);
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
}
