// A validator whose folder was lost joins by a snapshot: it has no memory of what its key has signed, waits as after a wipe, and then votes.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createNode, type ParleyNode } from "#node/composition/node.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { SIGNATURE_SEARCH_BLOCKS } from "#node/engine/voting/right/start-checks.ts";
import { createLog } from "#node/observability/log.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { commitSigners } from "#shared/protocol/chain/vote.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { type AgedNetwork, createAgedNetwork, writePast } from "#test/support/nodes/aged-network.ts";
import { plainFetch } from "#test/support/nodes/connect-to-node.ts";
import { ProcessNode } from "#test/support/nodes/process-network.ts";

const VALIDATORS = 4;
const PAST_BLOCKS = 40;
const BLOCK_MS = 3_600_000;
/** A validator without a memory does not vote before it saw a block that was made so long after its start. */
const LOST_MEMORY_MS = 12_000;
const EVERY = 4;
const SILENT = createLog("json", { write: () => undefined });
const WAIT = { timeoutMs: 240_000, intervalMs: 200 };
const LONG_MS = 400_000;

let folder: TemporaryFolder;
let network: AgedNetwork;
let lost: ProcessNode;
let server: NodeClient;
const nodes: ParleyNode[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-lost-validator-");
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (PAST_BLOCKS + 2) * BLOCK_MS;
  network = await createAgedNetwork(`${folder.path}/net`, { validators: VALIDATORS, nodes: 0 }, { startMs, heartbeatMs: 1_000 });
  // Its key has signed every block of the past.
  await writePast(
    network,
    Array.from({ length: PAST_BLOCKS }, (_, index) => ({ timeMs: startMs + (index + 1) * BLOCK_MS, transactions: [] })),
  );
  const [last] = network.nodes.slice(-1).map((node) => new ProcessNode(VALIDATORS - 1, node));
  if (last === undefined) throw new Error("There are validators");
  lost = last;
  await lost.wipe();
  for (const { dataDir } of network.nodes.slice(0, -1)) {
    const config = loadNodeConfig({ flags: { dataDir }, environment: { isLaunched: false }, defaultDataDir: dataDir });
    const snapshotRule = { every: EVERY, periodMs: 1 };
    const node = createNode(config, { log: SILENT, onFatal: (error) => expect.fail(String(error)), snapshotRule });
    nodes.push(node);
    const { url } = await node.start();
    server ??= createNodeClient({ baseUrl: url, fetch: plainFetch });
  }
}, LONG_MS);
afterAll(async () => {
  await lost?.end("SIGKILL");
  for (const node of nodes) await node.stop();
  await folder?.remove();
});

/** Heights above one whose commit holds the signature of a validator, with their times. */
function signedAbove(height: number, publicKey: string): readonly { readonly height: number; readonly timeMs: number }[] {
  const chain = openChainReader(network.nodes[0]?.dataDir ?? "");
  try {
    const tip = chain.blocks.tipHeight() ?? 0;
    return Array.from({ length: tip - height }, (_, index) => height + 1 + index)
      .filter((each) => {
        const validators = chain.validatorSets.at(each);
        const commit = chain.blocks.commit(each);
        const place = validators.findIndex((validator) => validator.publicKey === publicKey);
        return commit !== undefined && commitSigners(commit, validators.length).includes(place);
      })
      .map((each) => ({ height: each, timeMs: chain.blocks.summary(each)?.timeMs ?? 0 }));
  } finally {
    chain.close();
  }
}

it("waits until the others decided blocks that it cannot have signed, and then votes", { ...WHOLE_ONLY, timeout: LONG_MS }, async () => {
  await pollUntil(async () => (await server.getStatus({})).sync.height > PAST_BLOCKS + EVERY, { ...WAIT, what: "blocks of the others" });
  const startedMs = Date.now();
  const before = (await server.getStatus({})).sync.height;
  await lost.start(["--sync", "snapshot"]);
  // It fetches older blocks as soon as it has a state.
  const joins = async (): Promise<boolean> => {
    const { history, sync } = await lost.client.getStatus({});
    return sync.snapshot !== undefined || (history?.from_height ?? 0) > 0;
  };
  await pollUntil(joins, { ...WAIT, what: "a state to begin with" });
  const publicKey = network.validators[VALIDATORS - 1]?.pub ?? "";
  const signed = await pollUntil(() => signedAbove(before, publicKey)[0], { ...WAIT, what: "a vote of the one that joined" });
  expect(signed.timeMs).toBeGreaterThan(startedMs + LOST_MEMORY_MS);
  expect(signed.height).toBeGreaterThan(PAST_BLOCKS + SIGNATURE_SEARCH_BLOCKS);
  expect(await lost.client.getStatus({})).toMatchObject({ mode: "validator" });
  await pollUntil(() => signedAbove(signed.height, publicKey).length > 2, { ...WAIT, what: "more of its votes" });
  expect(await lost.end("SIGTERM")).toBe(0);
});
