// The explorer's index, and every block, against their execution: all blocks are executed again from the first one on, what the index must
// be is written into a file of its own, and the tables are read side by side.
import { indexBlock } from "#node/engine/execution/block-index.ts";
import { type ReplayOptions, replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { CHAIN_FILE, type ChainReader } from "#node/storage/chain/chain-database.ts";
import { ExplorerRepository } from "#node/storage/explorer/explorer-repository.ts";
import { sealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { inImmediateTransaction, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Findings } from "./findings.ts";
import { compareEvents, comparePairs, comparison, SWEPT, withFreshDatabase } from "./index-comparison.ts";

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
  ["contract_logs", "SELECT contract_num, seq, line FROM contract_logs ORDER BY contract_num, seq, line"],
];

/** Executes every block, and compares the index with what it gives. */
export function checkIndex(check: IndexCheck): void {
  withFreshDatabase(check.path, (fresh) => {
    if (fillIndex(check, fresh)) compareTables(check, fresh);
  });
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
  const compare = comparison(database, fresh, findings);
  for (const { table, sql, isInRun } of SWEPT)
    findings.attempt(CHAIN_FILE, `table ${table}`, () => compare(table, sql(0), { isElsewhere: (row) => isInRun(history, row) }));
  for (const [table, sql] of COMPARED) findings.attempt(CHAIN_FILE, `table ${table}`, () => compare(table, sql));
  compareEvents(compare, { database, fresh, findings }, 0);
  comparePairs({ database, fresh, findings });
}
