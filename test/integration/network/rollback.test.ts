// A validator that was stopped goes back by some blocks, and follows its peers again over what its key has signed.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChainTip } from "#node/storage/folder-readers.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { fund } from "#test/support/nodes/set-changes.ts";

const BACK = 6;
const WAIT = { timeoutMs: 90_000, intervalMs: 200 };

let network: ProcessNetwork;
beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 4, nodes: 0, isDirect: true });
  await network.start();
});
afterAll(() => network?.[Symbol.asyncDispose]());

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
    // With another validator gone, each block needs the vote of this one.
    await network.node(2).end("SIGKILL");
    const before = await heightOf(node);
    await fund(network, payee, 1);
    await pollUntil(async () => (await heightOf(node)) > before, { ...WAIT, what: "a block that needs its vote" });
    const hashes = await Promise.all(
      [network.node(0), network.node(1), node].map(
        async ({ client }) =>
          (await pollUntil(() => client.getBlock({ index: before + 1 }), { ...WAIT, what: "the block everywhere" })).hash,
      ),
    );
    expect(new Set(hashes).size).toBe(1);
  }, 300_000);
});
