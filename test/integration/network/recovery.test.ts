// A validator that was rolled back, or starts from a backup, follows its peers again and votes with them: after what its key has signed.
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SIGNATURE_SEARCH_BLOCKS } from "#node/engine/voting/right/start-checks.ts";
import { readChainTip } from "#node/storage/folder-readers.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { fund } from "#test/support/nodes/set-changes.ts";

const BACK = 6;
/** So many heights above those that carry signatures which it does not remember, a validator does not vote … */
const SEARCHED = SIGNATURE_SEARCH_BLOCKS + 1;
/** … and not before it saw one that was made so long after its start. */
const LOST_MEMORY_MS = 12_000;
const WAIT = { timeoutMs: 90_000, intervalMs: 200 };

let folder: TemporaryFolder;
let copy: string;
let network: ProcessNetwork;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  copy = join(folder.path, "copy");
  network = await ProcessNetwork.create({ validators: 4, nodes: 0, isDirect: true });
  await network.start();
});
afterAll(async () => {
  await network?.[Symbol.asyncDispose]();
  await folder?.remove();
});

const heightOf = async ({ client }: ProcessNode): Promise<number> => (await client.getStatus({})).sync.height;

describe("a validator that was rolled back", () => {
  it("fetches the blocks again, and votes for those after them", async () => {
    const node = network.node(3);
    const payee = network.node(0);
    while ((await heightOf(node)) < BACK + 2) await fund(network, payee, 1);
    expect(await node.end("SIGTERM")).toBe(0);
    const tip = readChainTip(node.dataDir);
    const to = (tip?.height ?? 0) - BACK;
    const back = await runParley(["rollback", "--data-dir", node.dataDir, "--to", String(to), "--json"]);
    expect(back, back.stderr).toMatchObject({ code: 0 });
    expect(readChainTip(node.dataDir)?.height).toBe(to);
    await node.start();
    await pollUntil(async () => (await heightOf(node)) >= (tip?.height ?? 0), { ...WAIT, what: "the blocks to be there again" });
    await expectVote(node);
  }, 300_000);
});

describe("a backup of a running validator", WHOLE_ONLY, () => {
  it("is whole, and its node votes again once the others have decided a block that it cannot have signed", async () => {
    const node = network.node(3);
    await network.node(2).start();
    const made = await runParley(["backup", copy, "--data-dir", node.dataDir, "--json"]);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    const { height } = JSON.parse(made.stdout) as { height: number };
    await fund(network, network.node(0), 1);
    await pollUntil(async () => (await heightOf(node)) > height, { ...WAIT, what: "a block after the backup" });
    const signed = await heightOf(node);
    await node.end("SIGKILL");
    await rm(node.dataDir, { recursive: true });
    await cp(copy, node.dataDir, { recursive: true });
    const sound = await runParley(["check", "--full", "--data-dir", node.dataDir, "--json"]);
    expect(sound, sound.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(sound.stdout)).toMatchObject({ status: "sound", height, count: 0 });
    await node.start();
    const startedMs = Date.now();
    await pollUntil(
      async () => {
        await fund(network, network.node(0), 1);
        const tip = await heightOf(node);
        const { time } = await node.client.getBlock({ index: tip });
        return Date.parse(time) > startedMs + LOST_MEMORY_MS && tip > signed + SEARCHED;
      },
      { timeoutMs: 180_000, intervalMs: 500, what: "a block that it cannot have signed" },
    );
    await expectVote(node);
  }, 300_000);

  it("is named damaged where it is, with the exit code of a folder that cannot be used", async () => {
    const database = new Database(join(copy, "chain.db"));
    database.exec("UPDATE blocks SET time_ms = time_ms + 1 WHERE height = 2");
    database.close();
    const damaged = await runParley(["check", "--data-dir", copy]);
    expect(damaged).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("chain.db, block 2: its row in the table of blocks differs"),
    });
    expect(damaged.stderr).toContain("has 1 defect. Keep the folder");
  }, 60_000);
});

/** With another validator gone, each block needs the vote of this one. */
async function expectVote(node: ProcessNode): Promise<void> {
  await network.node(2).end("SIGKILL");
  const before = await heightOf(node);
  await fund(network, network.node(0), 1);
  await pollUntil(async () => (await heightOf(node)) > before, { ...WAIT, what: "a block that needs its vote" });
  const hashes = await Promise.all(
    [network.node(0), network.node(1), node].map(
      async ({ client }) => (await pollUntil(() => client.getBlock({ index: before + 1 }), { ...WAIT, what: "the block everywhere" })).hash,
    ),
  );
  expect(new Set(hashes).size).toBe(1);
}
