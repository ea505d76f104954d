// Files of old blocks that no table names: nothing goes that is nowhere else.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { openHistoryFolder, removeUnnamed } from "#node/storage/history/sealing/seal-segment.ts";
import { RUN_KIND_NAMES, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { GENESIS } from "#test/support/worlds/ledger-world.ts";

const LIMITS = { depth: 5, maxBlocks: 5, maxBytes: 1_000_000 };
const OLD_TIP = 20;
const TIP = 40;

let folder: TemporaryFolder;
let chain: TestChain;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  chain = openTestChain(folder.path);
});
afterEach(async () => {
  chain.close();
  await folder.remove();
});

/** Blocks without transactions, so that they are the same ones again; later ones are others. */
function grow(to: number, laterMs = 0): void {
  for (let { height } = chain.executor.tip(); height < to; height += 1)
    chain.commit([], chain.executor.tip().timeMs + GENESIS.params.heartbeat_interval_ms + laterMs);
}

const names = (): readonly string[] => readdirSync(join(folder.path, "history")).toSorted();

/** What a start says of files that stay. */
function start(): readonly string[] {
  const { history } = chain.database;
  let others: readonly string[] = [];
  openHistoryFolder(history.files, history, {
    runs: history.runs,
    onOthers: (found): void => {
      others = found;
    },
  });
  return others.toSorted();
}

/** Names that the tables have. */
function named(): readonly string[] {
  const { history } = chain.database;
  return [...history.all().map(segmentName), ...RUN_KIND_NAMES.flatMap((kind) => history.runs.runs(kind).map(storedRunName))];
}

/** Seals up to the newest block, then puts the database of an earlier one back. */
async function putOlderBack(): Promise<void> {
  grow(OLD_TIP);
  await sealTestChain(chain, LIMITS);
  chain.close();
  const [file, old] = ["chain.db", "old.db"].map((name) => join(folder.path, name)) as [string, string];
  const raw = new Database(file);
  raw.prepare("VACUUM INTO ?").run(old);
  raw.close();
  chain = openTestChain(folder.path);
  grow(TIP);
  await sealTestChain(chain, LIMITS);
  chain.close();
  for (const part of ["", "-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  copyFileSync(old, file);
  chain = openTestChain(folder.path);
}

it("stay where their blocks are nowhere else, and files of others always: the start names them, and so does a check", async () => {
  await putOlderBack();
  writeFileSync(join(folder.path, "history", "notes of mine.txt"), "mine");
  writeFileSync(join(folder.path, "history", "0-4.seg.tmp"), "what a crash left");
  const others = start();
  expect(others).toContain("notes of mine.txt");
  expect(others.filter((name) => name.endsWith(".seg"))).toEqual(["20-24.seg", "25-29.seg", "30-34.seg"]);
  // What holds nothing else goes: the blocks of 15-19 are in rows.
  expect(names()).toEqual([...named(), ...others].toSorted());
  chain.close();
  writeFileSync(join(folder.path, "genesis.json"), JSON.stringify(GENESIS));
  const report = checkFolder(folder.path, { isFull: true, onProgress: () => undefined });
  expect(report).toMatchObject({ count: 0, others: others.map((name) => `history/${name}`) });
});

it("are replaced, or go, once their blocks are here again", async () => {
  await putOlderBack();
  const sealed = readFileSync(join(folder.path, "history", "30-34.seg"));
  grow(TIP);
  expect(start()).toEqual([]);
  await sealTestChain(chain, LIMITS);
  expect(start()).toEqual([]);
  expect(names().filter((name) => name.includes("other"))).toEqual([]);
  expect(chain.database.history.lastHeight()).toBe(34);
  expect(readFileSync(join(folder.path, "history", "30-34.seg")).length).toBe(sealed.length);
});

it("get another name where other blocks take theirs", async () => {
  await putOlderBack();
  const sealed = readFileSync(join(folder.path, "history", "30-34.seg"));
  grow(TIP, 1);
  await sealTestChain(chain, LIMITS);
  const { history } = chain.database;
  removeUnnamed(history.files, history, history.runs);
  const others = ["20-24", "25-29", "30-34"].map((range) => `${range}.seg.other-1`);
  expect(start()).toEqual(others);
  expect(readFileSync(join(folder.path, "history", "30-34.seg.other-1"))).toEqual(sealed);
});
