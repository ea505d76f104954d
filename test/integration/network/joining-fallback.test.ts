// Nodes of an old chain that find no state to begin with: no peer offers one, or what a peer offers cannot be had. They execute every block.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { type AgedNetwork, createAgedNetwork, writePast } from "#test/support/nodes/aged-network.ts";
import { ProcessNode } from "#test/support/nodes/process-network.ts";
import { startNetwork, type TestNetwork } from "#test/support/nodes/test-network.ts";

const PAST_BLOCKS = 60;
const BLOCK_MS = 3_600_000;
const REPLAYS = "No node serves a state to begin with: every block is executed from the first one on";
/** How long a node waits for a state, instead of a minute: still long enough on a busy machine to be seen waiting, and to ask a peer. */
const PATIENCE_MS = { unasked: 10_000, asked: 20_000 };
const WAIT = { timeoutMs: 240_000, intervalMs: 500 };
const LONG_MS = 400_000;

let folder: TemporaryFolder;
let network: AgedNetwork;
let validator: ProcessNode;
let joining: readonly ProcessNode[] = [];
let offering: TestNetwork | undefined;

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-fallback-");
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (PAST_BLOCKS + 2) * BLOCK_MS;
  network = await createAgedNetwork(`${folder.path}/net`, { validators: 1, nodes: 2 }, { startMs, heartbeatMs: 5_000 });
  const past = Array.from({ length: PAST_BLOCKS }, (_, index) => ({ timeMs: startMs + (index + 1) * BLOCK_MS, transactions: [] }));
  await writePast(network, past);
  const [first, ...others] = network.nodes.map((node, index) => new ProcessNode(index, node));
  if (first === undefined) throw new Error("There are nodes");
  validator = first;
  joining = others;
  await Promise.all(joining.map((node) => node.wipe()));
  await validator.start(["--snapshots", "off"]);
}, LONG_MS);
afterAll(async () => {
  await offering?.network.stop();
  await Promise.all([validator, ...joining].map((node) => node?.end("SIGKILL")));
  await folder?.remove();
});

/** A busy machine may refuse a large read once. */
function blockOf({ client }: ProcessNode, index: number): Promise<unknown> {
  return pollUntil(() => client.getBlock({ index }), { ...WAIT, what: `block ${index}` });
}

/** Starts a node without a chain, and waits until it has all of it. */
async function expectReplay(node: ProcessNode, patienceMs: number): Promise<void> {
  const patience = new URL(`../../support/nodes/short-patience.ts?ms=${patienceMs}`, import.meta.url).href;
  await node.start([], { NODE_OPTIONS: `--import ${patience}` });
  expect((await node.client.getStatus({})).sync.snapshot).toBeDefined();
  const hasChain = async (): Promise<boolean> => {
    const { history, sync } = await node.client.getStatus({});
    return history?.complete === true && sync.height >= PAST_BLOCKS;
  };
  await pollUntil(hasChain, { ...WAIT, what: "every block" });
  expect(node.log).toContain(REPLAYS);
  for (const index of [0, 1, PAST_BLOCKS]) expect(await blockOf(node, index)).toEqual(await blockOf(validator, index));
}

it("a node whose peers offer no state executes every block", { ...WHOLE_ONLY, timeout: LONG_MS }, async () => {
  const [node] = joining;
  if (node === undefined) throw new Error("There are nodes");
  await expectReplay(node, PATIENCE_MS.unasked);
  expect(await node.end("SIGTERM")).toBe(0);
});

it("so does one whose peer offers a state that cannot be had", { ...WHOLE_ONLY, timeout: LONG_MS }, async () => {
  const [, node] = joining;
  const [bootstrap = ""] = network.nodes.map(({ p2pAddress }) => p2pAddress);
  const { chain_id: chainId } = network.genesis;
  let asked = 0;
  offering = await startNetwork(79, {
    chainId,
    genesisHash: genesisHash(network.genesis),
    bootstrap: [bootstrap],
    handlers: {
      snapshot: () => {
        asked += 1;
        return Promise.resolve(undefined);
      },
    },
  });
  offering.status = { height: PAST_BLOCKS, tipHash: "ab".repeat(32), firstHeight: 1, snapshots: [PAST_BLOCKS] };
  offering.network.publishStatus(offering.status);
  if (node === undefined) throw new Error("There are nodes");
  const config = join(node.dataDir, "config.json");
  const stored = JSON.parse(await readFile(config, "utf8")) as object;
  await writeFile(config, JSON.stringify({ ...stored, bootstrap: [bootstrap, offering.address] }));
  await expectReplay(node, PATIENCE_MS.asked);
  expect(asked).toBeGreaterThan(0);
});
