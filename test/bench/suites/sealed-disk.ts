// Disk space and reads of the long chain once its blocks are in files and the rows that the files replace are gone.
import { spawnSync } from "node:child_process";
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
/** Each reads places that nothing has read before. */
const COLD_READS = 200;
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
  const cold = coldReadsOf(bench, folder);
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
      ["what", "µs", "µs, nothing of the files in memory"],
      [
        ["a transaction by its id", round(reads.transactionUs), round(cold.transactionUs)],
        [`a deep page of ${PAGE}`, round(reads.pageUs), round(cold.pageUs)],
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

interface Reads {
  readonly transactionUs: number;
  readonly pageUs: number;
}

/** After as many reads that do not count. */
function readsOf(bench: Bench, { explorer }: ChainDatabase): Reads {
  const { transactionIds, treasury, recipe } = bench.chain();
  const ids = transactionIds.slice(0, READS);
  const deep = Math.floor(recipe.accounts / 2);
  const transaction = (at: number): unknown => explorer.transaction(ids[at] ?? "");
  const page = (at: number): unknown => explorer.historyPage(treasury, PAGE, deep - at);
  microseconds(ids.length, transaction);
  const transactionUs = microseconds(ids.length, transaction);
  microseconds(READS / 10, page);
  return { transactionUs, pageUs: microseconds(READS / 10, page) };
}

/** Once each, by connections that have read nothing, from files of which the system has nothing in memory. */
function coldReadsOf(bench: Bench, folder: string): Reads {
  const { transactionIds, treasury, recipe } = bench.chain();
  const history = join(folder, HISTORY_FOLDER);
  const files = [join(folder, CHAIN_FILE), ...readdirSync(history).map((name) => join(history, name))];
  const measured = (count: number, read: (explorer: ChainDatabase["explorer"], at: number) => unknown): number => {
    for (const file of files) spawnSync("dd", [`if=${file}`, "iflag=nocache", "count=0"]);
    const { database } = openChain(folder);
    const us = microseconds(count, (at) => read(database.explorer, at));
    database.close();
    return us;
  };
  const ids = transactionIds.slice(READS, READS + COLD_READS);
  return {
    transactionUs: measured(ids.length, (explorer, at) => explorer.transaction(ids[at] ?? "")),
    pageUs: measured(COLD_READS / 10, (explorer, at) =>
      explorer.historyPage(treasury, PAGE, Math.floor((recipe.accounts * (at + 1)) / COLD_READS)),
    ),
  };
}

/** Mean time of a call. */
function microseconds(count: number, call: (at: number) => unknown): number {
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
