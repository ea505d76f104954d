// What docs/operators.md says to do about each damaged file of a data folder ("Is a folder whole?"), done with real processes. Files of old
// blocks have tests of their own: history-repair and sealed-kill.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { fund } from "#test/support/nodes/set-changes.ts";

const WAIT = { timeoutMs: 120_000, intervalMs: 100 };
const LONG_MS = 240_000;

let network: ProcessNetwork;
let validator: ProcessNode;
let node: ProcessNode;

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 1, nodes: 1, isDirect: true });
  [validator, node] = [network.node(0), network.node(1)];
  await network.start();
  await fund(network, validator, 1);
  await hasAll(node);
  expect(await node.end("SIGTERM")).toBe(0);
}, LONG_MS);
afterAll(() => network?.[Symbol.asyncDispose]());

/** Waits until a node has the newest block of the validator. */
async function hasAll({ client }: ProcessNode): Promise<void> {
  const { sync } = await validator.client.getStatus({});
  await pollUntil(async () => (await client.getStatus({})).sync.height >= sync.height, { ...WAIT, what: "all blocks" });
}

/** What `parley check` finds in a folder. */
async function defects(path: string): Promise<readonly { readonly file: string }[]> {
  const { stdout } = await runParley(["check", "--full", "--data-dir", path, "--json"]);
  return (JSON.parse(stdout) as { readonly findings: readonly { readonly file: string }[] }).findings;
}

/** Starts a node that refuses its folder, and gives its words. */
async function refusal(path: string, ...flags: readonly string[]): Promise<string> {
  const { code, stderr } = await runParley(["node", "--data-dir", path, ...flags]);
  expect(code, stderr).toBe(3);
  return stderr;
}

it(
  "the index alone: reindex makes it once more",
  async () => {
    const database = new Database(join(node.dataDir, "chain.db"));
    database.exec("UPDATE type_totals SET total = total + 1");
    database.close();
    expect((await defects(node.dataDir)).map(({ file }) => file)).toContain("chain.db");
    expect(await runParley(["node", "reindex", "--data-dir", node.dataDir])).toMatchObject({ code: 0 });
    expect(await defects(node.dataDir)).toEqual([]);
  },
  LONG_MS,
);

it(
  "chain.db: a new folder with keys, configuration, genesis file and mail fetches the chain again",
  async () => {
    writeFileSync(join(node.dataDir, "chain.db"), "no database any more, but a text of many characters".repeat(200));
    expect(await refusal(node.dataDir)).toMatch(/chain\.db/);
    const path = `${node.dataDir}-new`;
    mkdirSync(path, { mode: 0o700 });
    for (const name of readdirSync(node.dataDir))
      if (["keys", "consensus", "config.json", "genesis.json"].includes(name) || /mail.*\.db/.test(name))
        cpSync(join(node.dataDir, name), join(path, name), { recursive: true });
    const renewed = new ProcessNode(1, { dataDir: path, url: node.baseUrl, isValidator: false });
    await renewed.start();
    await hasAll(renewed);
    expect(await renewed.end("SIGTERM")).toBe(0);
    expect(await defects(path)).toEqual([]);
    rmSync(node.dataDir, { recursive: true });
    renameSync(path, node.dataDir);
  },
  LONG_MS,
);

it("mailbox.db, mail-queue.db, held-mail.db, public-cards.db: moved away or removed, and the node starts without them", {
  ...WHOLE_ONLY,
  timeout: LONG_MS,
}, async () => {
  const names = ["mailbox.db", "mail-queue.db", "held-mail.db", "public-cards.db"];
  for (const name of readdirSync(node.dataDir)) if (name.startsWith("mailbox.db-")) rmSync(join(node.dataDir, name));
  for (const name of names) writeFileSync(join(node.dataDir, name), "no database any more, but a text of many characters".repeat(200));
  expect((await defects(node.dataDir)).map(({ file }) => file)).toEqual(names);
  // Each start names one that is damaged.
  for (const left = new Set(names); left.size > 0; ) {
    const words = await refusal(node.dataDir);
    const named = [...left].filter((name) => words.includes(join(node.dataDir, name)));
    expect(named, words).toHaveLength(1);
    for (const name of named) {
      renameSync(join(node.dataDir, name), `${node.dataDir}-${name}`);
      left.delete(name);
    }
  }
  await node.start();
  await hasAll(node);
  expect(await node.end("SIGTERM")).toBe(0);
  expect(await defects(node.dataDir)).toEqual([]);
});

it("light.db: removed, and the light node begins again", { ...WHOLE_ONLY, timeout: LONG_MS }, async () => {
  const path = `${node.dataDir}-light`;
  mkdirSync(path, { mode: 0o700 });
  for (const name of ["genesis.json", "config.json"]) cpSync(join(node.dataDir, name), join(path, name));
  const light = new ProcessNode(1, { dataDir: path, url: node.baseUrl, isValidator: false });
  await light.start(["--mode", "light"]);
  await hasAll(light);
  expect(await light.end("SIGTERM")).toBe(0);
  const file = join(path, "light.db");
  expect(existsSync(file)).toBe(true);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  writeFileSync(file, "no database any more, but a text of many characters".repeat(200));
  expect(await refusal(path, "--mode", "light")).toMatch(/light\.db/);
  rmSync(file);
  await light.start(["--mode", "light"]);
  await hasAll(light);
  expect(await light.end("SIGTERM")).toBe(0);
});
