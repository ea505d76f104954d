// Five validators as real processes, one of which never ran: when it has missed almost a thousand blocks they start without it, after the
// thousandth it is set aside, and once it is started it returns by its own transaction.
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { DOWNTIME_BLOCKS } from "#shared/protocol/primitives/limits.ts";
import { pageCommands, runPageCommand } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { agedNetworkOf, writePast } from "#test/support/nodes/aged-network.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { fund, keyOf, membersOf } from "#test/support/nodes/set-changes.ts";

const RUNNING = [0, 1, 2, 3];
const GONE = 4;
/** Blocks before any node is started; the others are made by processes. */
const PAST_BLOCKS = DOWNTIME_BLOCKS - 20;
const BLOCK_MS = 1_000;
const LONG_MS = 240_000;
const WAIT = { timeoutMs: LONG_MS, intervalMs: 200 };

let network: ProcessNetwork;
beforeAll(async () => {
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (PAST_BLOCKS + 2) * BLOCK_MS;
  network = await ProcessNetwork.create({ validators: 5, nodes: 0, isDirect: true, heartbeatMs: 250, startMs });
  const past = Array.from({ length: PAST_BLOCKS }, (_, index) => ({ timeMs: startMs + (index + 1) * BLOCK_MS, transactions: [] }));
  await writePast(agedNetworkOf(network), past, GONE);
}, 60_000);
afterAll(async () => {
  await network[Symbol.asyncDispose]();
}, 60_000);

async function heightOf(node: ProcessNode): Promise<number> {
  return (await node.client.getStatus({})).sync.height;
}

it("a validator that is gone is set aside with its bond, and returns by itself", { ...WHOLE_ONLY, timeout: 2 * LONG_MS }, async () => {
  const observer = network.node(0);
  const gone = network.node(GONE);
  const pubkey = keyOf(gone).publicKey;
  const keyFile = dataFolderPaths(gone.dataDir).nodeKey;
  const [request, ...rest] = pageCommands("operators.md", "## A validator that was away", "## ");
  expect(rest).toEqual([]);
  const [last, ...first] = RUNNING.toReversed().map((index) => network.node(index));
  // Three of five make no block.
  await Promise.all(first.map((node) => node.start()));
  expect(await heightOf(observer)).toBe(PAST_BLOCKS);
  expect(await membersOf(observer)).toContain(pubkey);
  const missing = (await observer.client.listValidators({})).validators.filter(({ missed_commits: missed = 0 }) => missed > 100);
  expect(missing.map(({ pub_key: key }) => key)).toEqual([pubkey]);
  await last?.start();
  await pollUntil(async () => (await heightOf(observer)) > DOWNTIME_BLOCKS + 1, { ...WAIT, what: "the thousandth block" });
  for (const index of RUNNING) expect(await membersOf(network.node(index))).not.toContain(pubkey);
  const { validator } = await observer.client.getNodeStats({ pubkey });
  expect(validator).toMatchObject({ in_set: false, bond_ut: 1_000_000_000, set_aside: true });
  expect((await observer.client.listValidators({})).set_aside).toMatchObject([{ pub_key: pubkey, since_block: DOWNTIME_BLOCKS }]);

  await gone.start();
  await fund(network, gone, 1);
  const status = ["validator", "status", "--key", keyFile, "--node", gone.baseUrl];
  expect((await runParley(status)).stdout).toContain("1000 T");
  await runPageCommand(request, { "data/keys/node-key.json": keyFile }, "--node", gone.baseUrl);
  const back = await pollUntil(
    async () => {
      const stats = await gone.client.getNodeStats({ pubkey });
      return stats.validator?.in_set === true && stats.validator.commits_signed > 0 && stats.validator;
    },
    { ...WAIT, what: "its votes in commits" },
  );
  expect(back).toMatchObject({ bond_ut: 1_000_000_000 });
  expect(back).not.toHaveProperty("set_aside");
  expect(await gone.client.listValidators({})).not.toHaveProperty("set_aside");
});
