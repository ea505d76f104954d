// Disk space and reads of the long chain once its blocks are in files and the rows that the files replace are gone.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { removeUnnamed } from "#node/storage/history/sealing/seal-segment.ts";
import { HISTORY_FOLDER, REMOVED_ROWS } from "#node/storage/history/sealing/sealed-history.ts";
import { copyChain, openChain } from "../chain/chain-cache.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const SEGMENTS = 20;
const READS = 2_000;
const PAGE = 50;
/** Rounds of removing rows: far more than it takes. */
const ROUNDS = 1_000;
const BYTES_GOAL = 280;
const READ_GOAL_US = 60;
const PAGE_GOAL_US = 1_000;
const EXTENSIONS = ["seg", "ids", "acc"] as const;

/** Seals a copy of the chain, and measures it. */
export async function sealedDisk(bench: Bench): Promise<void> {
  const chain = bench.chain();
  const { transactions } = chain.recipe;
  const folder = copyChain(chain, join(bench.folder, "sealed"));
  const { database } = openChain(folder);
  const reads = await sealed(database, () => readsOf(bench, database));
  const file = join(folder, CHAIN_FILE);
  const parts = tables(file);
  const history = join(folder, HISTORY_FOLDER);
  const files = EXTENSIONS.map((extension) => {
    const names = readdirSync(history).filter((name) => name.endsWith(`.${extension}`));
    return { name: `files *.${extension}`, bytes: names.reduce((sum, name) => sum + statSync(join(history, name)).size, 0) };
  });
  const all = [...files, ...parts];
  const bytes = all.reduce((sum, part) => sum + part.bytes, 0) / transactions;
  const row = (name: string, size: number): readonly string[] => [name, round(size / 1_048_576), round(size / transactions)];
  bench.print(
    table(
      `Disk: the same chain with its blocks in files, two hours later`,
      ["files, table or index", "MiB", "bytes per transaction"],
      [row("all", bytes * transactions), ...all.map((part) => row(part.name, part.bytes))],
    ),
  );
  bench.print(
    table(
      "Reads of blocks in files, by the storage alone",
      ["what", "µs"],
      [
        ["a transaction by its id", round(reads.transactionUs)],
        [`a deep page of ${PAGE}`, round(reads.pageUs)],
      ],
    ),
  );
  const common = { isNoisy: false };
  bench.goals.push(
    { what: "disk, everything in files", value: bytes, unit: "bytes a transaction", bound: { atMost: BYTES_GOAL }, ...common },
    { what: "a transaction by its id, in a file", value: reads.transactionUs, unit: "µs", bound: { atMost: READ_GOAL_US }, ...common },
    { what: `a deep page of ${PAGE}, in a file`, value: reads.pageUs, unit: "µs", bound: { atMost: PAGE_GOAL_US }, ...common },
  );
}

/** Moves all that can be moved, then reads, and closes the database without free pages. */
async function sealed<T>(database: ChainDatabase, read: () => T): Promise<T> {
  const { file, history, blocks } = database;
  const tipHeight = blocks.tipHeight() ?? 0;
  const limits = { depth: 1, maxBlocks: Math.ceil(tipHeight / SEGMENTS), maxBytes: Number.MAX_SAFE_INTEGER };
  const failures: unknown[] = [];
  const sealer = startHistorySealer({ file, history, tipHeight, limits, onFailure: (error) => failures.push(error) });
  await sealer.settled();
  for (const failure of failures) throw failure;
  removeUnnamed(history.files, history, history.runs);
  for (let left = ROUNDS; left > 0; left -= 1) database.inTransaction(() => history.removeRows(REMOVED_ROWS));
  const result = withoutIds(file, read);
  database.close();
  const raw = new Database(file);
  raw.exec("VACUUM");
  raw.close();
  return result;
}

/** As two hours and 128 blocks later: then the ids of all these blocks have no rows. */
function withoutIds<T>(file: string, work: () => T): T {
  const raw = new Database(file);
  raw.exec("DELETE FROM ids");
  raw.close();
  return work();
}

function readsOf(bench: Bench, { explorer }: ChainDatabase): { readonly transactionUs: number; readonly pageUs: number } {
  const { transactionIds, treasury, recipe } = bench.chain();
  const ids = transactionIds.slice(0, READS);
  const deep = Math.floor(recipe.accounts / 2);
  return {
    transactionUs: microseconds(ids.length, (at) => explorer.transaction(ids[at] ?? "")),
    pageUs: microseconds(READS / 10, (at) => explorer.historyPage(treasury, PAGE, deep - at)),
  };
}

/** Mean time of a call, after as many that do not count. */
function microseconds(count: number, call: (at: number) => unknown): number {
  for (let at = 0; at < count; at += 1) call(at);
  const started = performance.now();
  for (let at = 0; at < count; at += 1) call(at);
  return ((performance.now() - started) * 1_000) / count;
}

function tables(file: string): readonly { readonly name: string; readonly bytes: number }[] {
  const database = new Database(file, { readonly: true });
  const parts = database
    .prepare<[], { name: string; bytes: number }>("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC")
    .all();
  database.close();
  const shown = parts.slice(0, 8);
  return [...shown, { name: "other tables", bytes: parts.slice(8).reduce((sum, { bytes }) => sum + bytes, 0) }];
}
