// A node that is killed at any moment while it drops old blocks, and while it is being backed up, loses nothing that it was to keep; a backup
// that is killed leaves no folder that a node would start from.
import { existsSync, readdirSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { readChainTip, readHistoryNames } from "#node/storage/folder-readers.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { type AgedNetwork, createAgedNetwork, type PastBlock, writePast } from "#test/support/nodes/aged-network.ts";
import { ProcessNode } from "#test/support/nodes/process-network.ts";
import { beginParley, runParley } from "#test/support/nodes/run-program.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const SEED = Number(process.env.PARLEY_TEST_SEED ?? 20_261_128);
const PAST_BLOCKS = 1_400;
const BLOCK_MS = 60_000;
const PAYMENT_EVERY = 7;
const KILLS = 5;
const BACKUPS = 3;
const MOST_BACKUPS = 40;
/** Between the first file that goes and the kill. */
const LONGEST_LIFE_MS = 200;
/** From here on so few old blocks are left to drop that no kill would meet it. */
const ALMOST_ALL = 220;
const LONG_MS = 600_000;
const SMALL_SEGMENTS = new URL("../../support/nodes/small-segments.ts?blocks=5", import.meta.url).href;
const ENVIRONMENT = { NODE_OPTIONS: `--import ${SMALL_SEGMENTS}` };
const WAIT = { timeoutMs: 240_000, intervalMs: 100 };
const random = createRandom(SEED);
const [receiver, other] = [actor(7), actor(8)];

let folder: TemporaryFolder;
let network: AgedNetwork;
let whole: ProcessNode;
let short: ProcessNode;
let flags: readonly string[];
let paid: readonly Transaction[] = [];

function pay(nowMs: number, amount: number): Transaction {
  const { faucet, genesis } = network;
  const to = amount % 2 === 0 ? receiver.pub : other.pub;
  const draft = { type: "TRANSFER" as const, from: faucet.pub, to, amount, payload: {} };
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.between(0, 255));
  return signTransaction(buildTransaction(draft, { chainId: genesis.chain_id, nowMs, random: bytes }), faucet.seed);
}

/** The folder before anything was dropped. */
const undropped = (): string => join(folder.path, "undropped");
/** Heights of the oldest file. */
const oldestFrom = (): number => Number.parseInt(segments()[0] ?? "0", 10);
const segments = (): readonly string[] =>
  readdirSync(join(short.dataDir, HISTORY_FOLDER))
    .filter((name) => name.endsWith(".seg"))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
const findings = (path: string): unknown => checkFolder(path, { isFull: true, onProgress: () => undefined }).findings;
/** A busy machine may refuse a large read once. */
async function expectSame<T>(read: (node: ProcessNode) => Promise<T>, node = short): Promise<T> {
  const [own, other] = await Promise.all([node, whole].map((each) => pollUntil(() => read(each), { ...WAIT, what: "a response" })));
  expect(own).toEqual(other);
  return own as T;
}

const firstOf = async ({ client }: ProcessNode): Promise<number> => (await client.getStatus({})).history?.from_height ?? -1;

beforeAll(async () => {
  console.log(`seed ${SEED}`);
  folder = await createTemporaryFolder("parley-dropping-");
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (PAST_BLOCKS + 2) * BLOCK_MS;
  network = await createAgedNetwork(`${folder.path}/net`, { validators: 1, nodes: 1 }, { startMs, heartbeatMs: 3_000 });
  const past = Array.from({ length: PAST_BLOCKS }, (_, index): PastBlock => {
    const timeMs = startMs + (index + 1) * BLOCK_MS;
    return { timeMs, transactions: index % PAYMENT_EVERY === 0 ? [pay(timeMs, 1 + index)] : [] };
  });
  paid = past.flatMap(({ transactions }) => transactions);
  await writePast(network, past);
  const [first, second] = network.nodes.map((node, index) => new ProcessNode(index, node));
  if (first === undefined || second === undefined) throw new Error("There are two nodes");
  [whole, short] = [first, second];
  flags = ["--retain", "1128blocks", "--own", receiver.pub];
  await whole.start();
  // All that may be dropped is in files first.
  await short.start([], ENVIRONMENT);
  const sealed = PAST_BLOCKS - 128;
  await pollUntil(() => Number.parseInt(segments().at(-1) ?? "0", 10) >= sealed, { ...WAIT, what: "old blocks in files" });
  expect(await short.end("SIGTERM")).toBe(0);
  await cp(short.dataDir, undropped(), { recursive: true });
}, LONG_MS);
afterAll(async () => {
  await Promise.all([whole?.end("SIGKILL"), short?.end("SIGKILL")]);
  await folder?.remove();
});

async function begin(): Promise<void> {
  await rm(short.dataDir, { recursive: true });
  await cp(undropped(), short.dataDir, { recursive: true });
}

describe(`a node killed ${KILLS} times while it drops old blocks`, { ...WHOLE_ONLY, timeout: LONG_MS }, () => {
  it("has a sound folder after each", async () => {
    const lowest = new Set<number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      if (oldestFrom() >= ALMOST_ALL) await begin();
      const [oldest = ""] = segments();
      short.begin(flags, ENVIRONMENT);
      await pollUntil(() => !segments().includes(oldest), { ...WAIT, intervalMs: 5, what: "an old file to go" });
      await delay(random.between(0, LONGEST_LIFE_MS));
      await short.end("SIGKILL");
      lowest.add(oldestFrom());
      expect(findings(short.dataDir), `after kill ${kill}`).toEqual([]);
    }
    console.log(`oldest files after the kills: ${[...lowest].join(", ")}`);
    expect(lowest.size).toBeGreaterThan(1);
  });

  it("starts, drops the rest, and answers as the node that has everything", async () => {
    await short.start(flags, ENVIRONMENT);
    const border = PAST_BLOCKS - 1_128 - 10;
    await pollUntil(async () => (await firstOf(short)) > border, { ...WAIT, what: "the rest to be dropped" });
    const first = await firstOf(short);
    const named = readHistoryNames(short.dataDir);
    expect(segments().filter((name) => !named.includes(name))).toEqual([]);
    for (const index of [first, first + 1, first + 50, PAST_BLOCKS]) await expectSame(({ client }) => client.getBlock({ index }));
    const kept = paid.filter((_, index) => index * PAYMENT_EVERY + 1 >= first);
    // Of the own account all stays, of others what is in blocks that stay.
    for (const { id } of [...paid.filter(({ to }) => to === receiver.pub).slice(0, 20), ...kept.slice(0, 20), ...kept.slice(-5)])
      await expectSame(({ client }) => client.getTransaction({ txid: id }));
    const { transactions } = await expectSame(({ client }) => client.getAddress({ addr: receiver.pub, limit: 500 }));
    expect(transactions.length).toBe(paid.filter(({ to }) => to === receiver.pub).length);
    const ofAll = await Promise.all([short, whole].map(({ client }) => client.getNetstats({})));
    expect(ofAll[0]?.total_transfers).toBe(ofAll[1]?.total_transfers);
  });
});

describe("a backup beside a node that drops old blocks", { ...WHOLE_ONLY, timeout: LONG_MS }, () => {
  it("leaves no folder that a node starts from when it is killed, and disturbs nothing", async () => {
    let incomplete = 0;
    // How fast a copy is depends on the machine: it is tried until one was not whole.
    for (let kill = 0; kill < BACKUPS || (incomplete === 0 && kill < MOST_BACKUPS); kill += 1) {
      const out = join(folder.path, `killed-${kill}`);
      const backup = beginParley(["backup", out, "--data-dir", short.dataDir]);
      await pollUntil(() => existsSync(join(out, HISTORY_FOLDER)), { ...WAIT, intervalMs: 1, what: "a backup under way" });
      if (kill % 2 === 1) await delay(random.between(0, LONGEST_LIFE_MS));
      backup.child.kill("SIGKILL");
      await backup.ended;
      if (existsSync(join(out, "genesis.json"))) {
        expect(findings(out)).toEqual([]);
        continue;
      }
      incomplete += 1;
      const started = await runParley(["node", "--dev", "--data-dir", out, "--stats-addr", "127.0.0.1:0"]);
      expect(started).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/is not a Parley data folder \(it holds [a-z.]+ and no genesis/),
      });
      const again = await runParley(["backup", out, "--data-dir", short.dataDir]);
      expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty: choose a new folder for the copy") });
    }
    expect(incomplete).toBeGreaterThan(0);
    expect((await short.client.getStatus({})).history?.from_height).toBeGreaterThan(0);
  });

  it("is whole when the node is killed beneath it", async () => {
    for (let kill = 0; kill < BACKUPS; kill += 1) {
      const out = join(folder.path, `beneath-${kill}`);
      const backup = beginParley(["backup", out, "--data-dir", short.dataDir]);
      await pollUntil(() => existsSync(join(out, HISTORY_FOLDER)), { ...WAIT, intervalMs: 1, what: "a backup under way" });
      await delay(random.between(0, LONGEST_LIFE_MS));
      await short.end("SIGKILL");
      const { code, stderr } = await backup.ended;
      expect(code, stderr).toBe(0);
      expect(findings(out)).toEqual([]);
      expect(findings(short.dataDir)).toEqual([]);
      await short.start(flags, ENVIRONMENT);
    }
  });

  it("is what a node starts from", async () => {
    const out = join(folder.path, `beneath-${BACKUPS - 1}`);
    const { height } = readChainTip(out) ?? { height: 0 };
    await short.end("SIGTERM");
    const restored = new ProcessNode(1, { dataDir: out, url: short.baseUrl, isValidator: false });
    await restored.start(flags, ENVIRONMENT);
    try {
      await pollUntil(async () => (await restored.client.getStatus({})).sync.height > height, {
        ...WAIT,
        what: "a block after the backup",
      });
      await expectSame(({ client }) => client.getAddress({ addr: receiver.pub, limit: 500 }), restored);
    } finally {
      expect(await restored.end("SIGTERM")).toBe(0);
    }
    expect(findings(out)).toEqual([]);
  });
});
