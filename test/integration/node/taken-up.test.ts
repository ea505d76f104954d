// An older chain.db was put back: at its start a node takes up the blocks of the files that it does not know, and says so in its log. It can be
// ended in the middle, in order or not; the next start continues, and the chain is the same.
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { readChainTip } from "#node/storage/folder-readers.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { endWithTests } from "#test/support/host/end-with-tests.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { type AgedNetwork, createAgedNetwork, type PastBlock, writePast } from "#test/support/nodes/aged-network.ts";
import { endChild } from "#test/support/nodes/end-child.ts";
import { cleanEnvironment, projectRoot } from "#test/support/nodes/run-program.ts";
import { startNode } from "#test/support/nodes/start-node.ts";

const SLOW = new URL("../../support/nodes/slow-take-up.ts", import.meta.url).href;
const SEED = Number(process.env.PARLEY_TEST_SEED ?? 20_261_130);
/** Five batches and more. */
const [OLD, NEW] = [30, 1_200];
const SEALED = { depth: 12, maxBlocks: 100, maxBytes: 67_108_864 };
const BLOCK_MS = 60_000;
const KILLS = 5;
const LONGEST_LIFE_MS = 1_500;
/** A stop waits for one batch. */
const LONGEST_STOP_MS = 15_000;
const WORDS = "Taking up blocks of files that the chain does not know";

let folder: TemporaryFolder;
let network: AgedNetwork;
/** Folder of a node that is no validator, with the older chain.db. */
let old = "";
let before: unknown;
/** The block before the last one in a file: nothing here proves that the last one was decided. */
let last = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (NEW + 2) * BLOCK_MS;
  network = await createAgedNetwork(join(folder.path, "net"), { validators: 1, nodes: 1 }, { startMs, heartbeatMs: 10 });
  const past = Array.from({ length: NEW }, (_, index): PastBlock => ({ timeMs: startMs + (index + 1) * BLOCK_MS, transactions: [] }));
  const [{ dataDir } = { dataDir: "" }] = network.nodes.slice(1);
  const alone = { ...network, nodes: network.nodes.slice(1) };
  await writePast(alone, past.slice(0, OLD));
  const older = join(folder.path, "older.db");
  copyFileSync(join(dataDir, CHAIN_FILE), older);
  await writePast(alone, past.slice(OLD));
  {
    using chain = openTestChain(dataDir, { genesis: network.genesis });
    await sealTestChain(chain, SEALED);
    last = chain.database.blocks.sealedTo() - 1;
  }
  // What the validator signed is no matter of this folder.
  rmSync(dataFolderPaths(dataDir).consensus, { recursive: true, force: true });
  before = await answersOf(dataDir);
  for (const suffix of ["-wal", "-shm"]) rmSync(join(dataDir, `${CHAIN_FILE}${suffix}`), { force: true });
  copyFileSync(older, join(dataDir, CHAIN_FILE));
  old = dataDir;
}, 180_000);
afterAll(() => folder?.remove());

const heights = (): readonly number[] => [0, 1, OLD, OLD + 1, 500, last];

/** What a node says of the chain, as far as it is in the files. */
async function answersOf(dataDir: string): Promise<unknown> {
  await using node = await startNode({ dataDir, args: [] });
  const blocks = await Promise.all(heights().map((index) => node.client.getBlock({ index })));
  const page = await node.client.listBlocks({ before: last + 1, limit: 50 });
  expect(await node.stop()).toBe(0);
  return [blocks, page];
}

function copyOf(name: string): string {
  const dataDir = join(folder.path, name);
  cpSync(old, dataDir, { recursive: true });
  expect(tipOf(dataDir)).toBe(OLD);
  return dataDir;
}

const tipOf = (dataDir: string): number => readChainTip(dataDir)?.height ?? -1;

/** A node that is taking up blocks when this resolves. */
async function beginNode(dataDir: string): Promise<{ readonly child: ChildProcess; readonly log: () => string }> {
  const args = ["--import", SLOW, join(projectRoot, "node/main.ts"), "node", "--data-dir", dataDir, "--stats-addr", "127.0.0.1:0"];
  const child = spawn(process.execPath, args, { cwd: projectRoot, env: cleanEnvironment(), stdio: ["ignore", "ignore", "pipe"] });
  endWithTests(child);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const hasBegun = (): boolean => child.exitCode !== null || log.includes(WORDS) || log.includes("Ready at");
  await pollUntil(hasBegun, { what: "blocks that are taken up", timeoutMs: 60_000, intervalMs: 5 });
  expect(child.exitCode, log).toBeNull();
  return { child, log: () => log };
}

async function expectContinues(dataDir: string): Promise<void> {
  expect(await answersOf(dataDir)).toEqual(before);
  expect(tipOf(dataDir)).toBe(last);
  expect(checkFolder(dataDir, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
}

it.each(["SIGTERM", "SIGINT"] as const)(
  "ends in time when it is asked to by %s, keeps what it has taken up, and continues there",
  WHOLE_ONLY,
  async (signal) => {
    const dataDir = copyOf(signal);
    const { child, log } = await beginNode(dataDir);
    const askedAt = performance.now();
    expect(await endChild(child, signal), log()).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(LONGEST_STOP_MS);
    expect(log()).toMatch(new RegExp(`${WORDS} +height=\\d+`));
    expect(log()).toContain("Stopped before it served");
    const tip = tipOf(dataDir);
    expect(tip).toBeGreaterThan(OLD);
    expect(tip).toBeLessThan(last);
    await expectContinues(dataDir);
  },
);

it(`loses nothing when it is killed ${KILLS} times, at any moment`, WHOLE_ONLY, async () => {
  console.log(`seed ${SEED}`);
  const random = createRandom(SEED);
  const dataDir = copyOf("killed");
  const tips = [OLD];
  for (let kill = 0; kill < KILLS && (tips.at(-1) ?? 0) < last; kill += 1) {
    const { child } = await beginNode(dataDir);
    await delay(random.between(0, LONGEST_LIFE_MS));
    await endChild(child, "SIGKILL");
    tips.push(tipOf(dataDir));
  }
  // What was durable stays, life after life.
  expect(tips).toEqual(tips.toSorted((a, b) => a - b));
  expect(tips.filter((tip) => tip > OLD && tip < last).length).toBeGreaterThan(0);
  await expectContinues(dataDir);
});
