// A node that is killed at any moment while it moves old blocks into files loses none of them.
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { readHistoryNames } from "#node/storage/folder-readers.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { type Genesis, genesisHash, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { type Acknowledged, findTransaction, loadAccount, sendTransfers, watchTransactions } from "#test/support/nodes/node-load.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

const SEED = Number(process.env.PARLEY_TEST_SEED ?? 20_260_101);
const KILLS = 9;
const LONGEST_LIFE_MS = 400;
const LEAST_BLOCKS_A_LIFE = 6;
const SMALL_SEGMENTS = ["--import", new URL("../support/nodes/small-segments.ts", import.meta.url).href];

const random = createRandom(SEED);
const accounts = Array.from({ length: 3 }, () => loadAccount(Uint8Array.from({ length: 32 }, () => random.between(0, 255))));
const acknowledged: Acknowledged = { transactions: new Map(), envelopes: new Set() };

let folder: TemporaryFolder;
let genesis: Genesis;
let port: number;
let node: RunningNode;
/** Files of each life, as its kill left them. */
const left: (readonly string[])[] = [];

const heightOf = async ({ client }: RunningNode): Promise<number> => (await client.getNetstats({})).height;
const history = (): string => join(folder.path, HISTORY_FOLDER);
const files = (): readonly string[] => (existsSync(history()) ? readdirSync(history()).toSorted() : []);
const start = (args: readonly string[]): Promise<RunningNode> =>
  startNode({ dataDir: folder.path, port, args, runtimeFlags: SMALL_SEGMENTS });

beforeAll(async () => {
  console.log(`seed ${SEED}`);
  folder = await createTemporaryFolder();
  port = await findFreePort();
  node = await start(["--dev"]);
  genesis = parseGenesis(JSON.parse(await readFile(join(folder.path, "genesis.json"), "utf8")));
  for (const { publicKey } of accounts) {
    const { id } = await node.client.requestFaucet({ body: { to: publicKey, amount_ut: 1_000_000_000 } });
    await pollUntil(() => readCommitted(node.client, id));
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await runUntilKilled(node, random.between(0, LONGEST_LIFE_MS));
    left.push(files());
    node = await start([]);
  }
}, 600_000);
afterAll(async () => {
  await node.kill();
  await folder.remove();
});

async function runUntilKilled(running: RunningNode, lifeMs: number): Promise<void> {
  const socket = await watchTransactions(running.baseUrl, acknowledged);
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  const target = (await heightOf(running)) + LEAST_BLOCKS_A_LIFE;
  const load = accounts.map((from) => sendTransfers(running.client, genesis.chain_id, from, accounts));
  await pollUntil(async () => (await heightOf(running)) >= target, { what: "the chain to grow" });
  await delay(lifeMs);
  await running.kill();
  await Promise.all([...load, closed]);
}

/** True for a file of the same kind, and the same blocks or fewer. */
function covers(file: string, other: string): boolean {
  const [a, b] = [file, other].map((name) => name.split(/[-.]/)) as [string[], string[]];
  return a[2] === b[2] && Number(a[0]) <= Number(b[0]) && Number(b[1]) <= Number(a[1]);
}

describe(`a node killed ${KILLS} times while it seals`, WHOLE_ONLY, () => {
  it("sealed in many of its lives", () => {
    expect(new Set(left.map((names) => names.length)).size).toBeGreaterThan(5);
  });

  it("still has every transaction that it said to be in a block, in that block", async () => {
    expect(acknowledged.transactions.size).toBeGreaterThan(KILLS * 5);
    const lost: string[] = [];
    for (const [id, { block, blockHash }] of acknowledged.transactions) {
      const found = await findTransaction(node.client, id);
      if (found?.block_index !== block || found.block_hash !== blockHash) lost.push(id);
    }
    expect(lost).toEqual([]);
  });

  it("has no file that is not named, and a sound folder down to the execution of all blocks", async () => {
    expect(await node.stop()).toBe(0);
    const named = readHistoryNames(folder.path);
    expect(files()).toEqual(expect.arrayContaining([...named]));
    // Merged ones stay until the thread that merges starts again.
    for (const name of files())
      expect(
        named.some((other) => covers(other, name)),
        name,
      ).toBe(true);
    expect(named.filter((name) => name.endsWith(".ids")).length).toBeGreaterThan(0);
    const report = checkFolder(folder.path, { isFull: true, onProgress: () => undefined });
    expect(report.findings).toEqual([]);
    const database = openChainDatabase(folder.path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
    expect(database.blocks.sealedTo()).toBeGreaterThan(40);
    database.close();
  });

  it("makes what finds transactions once more, and says which file of blocks is damaged instead of starting", async () => {
    const nameOf = (extension: string): string =>
      join(history(), readHistoryNames(folder.path).find((file) => file.endsWith(extension)) ?? "");
    for (const extension of ["acc", "ids"]) {
      const file = nameOf(extension);
      const { length } = readFileSync(file);
      truncateSync(file, 100);
      node = await start([]);
      await pollUntil(() => statSync(file).size === length, { what: `${file} to be made once more`, timeoutMs: 30_000 });
      expect(await node.stop()).toBe(0);
    }
    expect(checkFolder(folder.path, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
    truncateSync(nameOf("seg"), 100);
    await expect(start([])).rejects.toThrow(/history file .*\.seg is damaged at byte 100/);
  });
});
