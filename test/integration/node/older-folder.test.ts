// A node starts on a folder of an older version: it brings the chain up to date, says so in its log, and continues with it; it can be ended
// in the middle, in order or not, and then the next start begins again.
import { spawn } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { SCHEMA_VERSION } from "#node/storage/chain-schema.ts";
import { readChainTip, readHistoryNames } from "#node/storage/folder-readers.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { hasUnfinished, schemaVersion, writeVersion0 } from "#test/support/chain/version-0.ts";
import { writeVersion1 } from "#test/support/chain/version-1.ts";
import { endWithTests } from "#test/support/host/end-with-tests.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent, WHOLE_ONLY, wholeUnless } from "#test/support/host/test-extent.ts";
import { endChild } from "#test/support/nodes/end-child.ts";
import { cleanEnvironment, projectRoot, runParley } from "#test/support/nodes/run-program.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

const RECIPIENT = toHex(ed25519PublicKey(new Uint8Array(32).fill(9)));
const SLOW = new URL("../../support/nodes/slow-migration.ts", import.meta.url).href;
const SEED = Number(process.env.PARLEY_TEST_SEED ?? 20_261_128);
const GIFTS = 40;
const KILLS = extent(3, 6);
/** Schemas of before; two thirds of the time that the slowed work on the folder takes; blocks of its first report. */
const VERSIONS = [
  { version: 0, longestLifeMs: 1_600, firstBlocks: 1, write: writeVersion0 },
  { version: 1, longestLifeMs: 1_000, firstBlocks: 0, write: writeVersion1 },
] as const;
const SMALL_SEGMENTS = new URL("../../support/nodes/small-segments.ts", import.meta.url).href;
const LONGEST_SEALING_MS = 250;
const LEAST_FILES = 5;
/** A stop waits for one step at most. */
const LONGEST_STOP_MS = 15_000;
const WORDS = "Bringing the data folder of an older version up to date";

let folder: TemporaryFolder;
/** What the chain answered. */
let before: unknown;
let id = "";

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const current = join(folder.path, "current");
  {
    await using node = await startNode({ dataDir: current });
    for (let gifts = 0; gifts < GIFTS; gifts += 1) id = await gift(node);
    before = await answers(node);
    expect(await node.stop()).toBe(0);
  }
  for (const { version, write } of VERSIONS) {
    cpSync(current, olderFolder(version), { recursive: true });
    write(olderFolder(version));
  }
}, 180_000);
afterAll(() => folder?.remove());

const olderFolder = (version: number): string => join(folder.path, `version-${version}`);

/** Asks for tokens, and waits for the block with them. */
async function gift({ client }: RunningNode): Promise<string> {
  const { id } = await client.requestFaucet({ body: { to: RECIPIENT, amount_ut: 1_000 } });
  await pollUntil(() => readCommitted(client, id), { what: "the gift in a block" });
  return id;
}

/** What the chain is, as far as it does not grow. */
async function answers({ client }: RunningNode): Promise<unknown> {
  return [
    await client.getTransaction({ txid: id }),
    await client.getBlock({ index: 1 }),
    await client.getAddress({ addr: RECIPIENT, limit: 100 }),
  ];
}

function copyOf(name: string, version = 0): string {
  const dataDir = join(folder.path, `${name}-${version}`);
  cpSync(olderFolder(version), dataDir, { recursive: true });
  expect(schemaVersion(dataDir)).toBe(version);
  return dataDir;
}

/** A node that is at work on its folder when this resolves. */
async function beginNode(dataDir: string): Promise<{ readonly child: ReturnType<typeof spawn>; readonly log: () => string }> {
  const args = ["--import", SLOW, join(projectRoot, "node/main.ts"), "node", "--data-dir", dataDir, "--stats-addr", "127.0.0.1:0"];
  const child = spawn(process.execPath, args, { cwd: projectRoot, env: cleanEnvironment(), stdio: ["ignore", "ignore", "pipe"] });
  endWithTests(child);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const hasBegun = (): boolean => child.exitCode !== null || log.includes(WORDS);
  await pollUntil(hasBegun, { what: "work on the folder", timeoutMs: 60_000, intervalMs: 5 });
  expect(child.exitCode, log).toBeNull();
  return { child, log: () => log };
}

async function expectContinues(dataDir: string): Promise<void> {
  await using node = await startNode({ dataDir, args: [] });
  expect(await answers(node)).toEqual(before);
  expect(await gift(node)).not.toBe(id);
  expect(await node.stop()).toBe(0);
  expect([schemaVersion(dataDir), hasUnfinished(dataDir)]).toEqual([SCHEMA_VERSION, false]);
  expect(checkFolder(dataDir, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
}

describe.each(VERSIONS)("a folder of version $version", ({ version, longestLifeMs, firstBlocks }) => {
  it("is continued, and the log says how far it is", async () => {
    const dataDir = copyOf("continued", version);
    const { child, log } = await beginNode(dataDir);
    await pollUntil(() => log().includes("Ready at"), { what: "the node to serve", timeoutMs: 60_000 });
    await endChild(child, "SIGTERM");
    // A busy machine makes a further block once it is ready.
    const blocks = (readChainTip(join(folder.path, "current"))?.height ?? 0) + 1;
    expect(log()).toMatch(new RegExp(`${WORDS} +blocks=${firstBlocks} `));
    expect(log()).toMatch(new RegExp(`${WORDS} +blocks=${blocks} +total=${blocks}`));
    await expectContinues(dataDir);
  }, 120_000);

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    it(
      `ends at once when it is asked to by ${signal}, and stays as it was`,
      wholeUnless(version === 0 && signal === "SIGTERM"),
      async () => {
        const dataDir = copyOf(signal, version);
        const { child, log } = await beginNode(dataDir);
        const askedAt = performance.now();
        expect(await endChild(child, signal), log()).toBe(0);
        expect(performance.now() - askedAt).toBeLessThan(LONGEST_STOP_MS);
        expect(log()).toContain("Stopped before it served");
        expect(log()).not.toContain("Ready at");
        expect([schemaVersion(dataDir), hasUnfinished(dataDir)]).toEqual([version, false]);
        await expectContinues(dataDir);
      },
    );

  it(`loses nothing when its node is killed ${KILLS} times, at any moment`, wholeUnless(version === 0), async () => {
    console.log(`seed ${SEED}`);
    const random = createRandom(SEED + version);
    const dataDir = copyOf("killed", version);
    let unfinished = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { child } = await beginNode(dataDir);
      await delay(random.between(0, longestLifeMs));
      await endChild(child, "SIGKILL");
      if (hasUnfinished(dataDir)) unfinished += 1;
    }
    expect(unfinished).toBeGreaterThan(1);
    await expectContinues(dataDir);
  });
});

it("moves its old blocks into files once it is up to date, however its node is ended meanwhile", WHOLE_ONLY, async () => {
  console.log(`seed ${SEED}`);
  const random = createRandom(SEED);
  const dataDir = copyOf("sealed");
  const start = (): Promise<RunningNode> => startNode({ dataDir, args: [], runtimeFlags: ["--import", SMALL_SEGMENTS] });
  for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM", "SIGKILL"] as const) {
    await using node = await start();
    await delay(random.between(0, LONGEST_SEALING_MS));
    expect(await endChild(node.child, signal), node.log()).toBe(signal === "SIGTERM" ? 0 : null);
  }
  await using node = await start();
  const files = (): readonly string[] => readHistoryNames(dataDir).filter((name) => name.endsWith(".seg"));
  await pollUntil(() => files().length >= LEAST_FILES, { what: "files of old blocks", timeoutMs: 60_000 });
  expect(await answers(node)).toEqual(before);
  expect(await node.stop()).toBe(0);
  expect(checkFolder(dataDir, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
});

it("is neither copied nor checked by commands before it is up to date, and brought up to date by those that change it", async () => {
  const dataDir = copyOf("commanded");
  const out = join(folder.path, "out");
  for (const command of [["backup", out], ["check"]]) {
    const refused = await runParley([...command, "--data-dir", dataDir]);
    expect(refused, refused.stderr).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toContain("start its node once");
  }
  expect([schemaVersion(dataDir), existsSync(out)]).toEqual([0, false]);
  const key = readKey(dataFolderPaths(dataDir).nodeKey, "ed25519")?.publicKey ?? "";
  const exported = await runParley(["export-genesis", "--data-dir", dataDir, "--chain-id", "parley-2", "--validator", key, "--out", out]);
  expect(exported, exported.stderr).toMatchObject({ code: 0 });
  expect(schemaVersion(dataDir)).toBe(SCHEMA_VERSION);
  const rebuilt = await runParley(["node", "reindex", "--data-dir", copyOf("reindexed")]);
  expect(rebuilt, rebuilt.stderr).toMatchObject({ code: 0 });
}, 120_000);
