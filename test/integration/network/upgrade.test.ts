// Four validators and a light node through a change of the version of the rules, of which a validator and the light node lack the new one:
// they say so from the start, stop before it, and continue with a program that has it. The versions that a node has are handed in.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createNode, type ParleyNode } from "#node/composition/node.ts";
import { readEnvironment } from "#node/config/environment.ts";
import { loadNodeConfig, type NodeFlags } from "#node/config/node-config.ts";
import { createLog } from "#node/observability/log.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { HEADER_VERSION, KNOWN_VERSIONS, PROPOSED_VERSION } from "#shared/protocol/primitives/limits.ts";
import { upgradeOf } from "#shared/protocol/primitives/params.ts";
import { upgradeSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { signatureOf } from "#test/support/chain/ledger-payloads.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type AgedNetwork, createAgedNetwork, writePast } from "#test/support/nodes/aged-network.ts";
import { plainFetch } from "#test/support/nodes/connect-to-node.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const HOUR_MS = 3_600_000;
const NEXT = PROPOSED_VERSION;
const OLD = KNOWN_VERSIONS.filter((version) => version < NEXT);
const NEW = KNOWN_VERSIONS;
/** The past ends at block 2. */
const CHANGE_AT = 5;
const PAID_UT = 1_000;
const LONG_MS = 120_000;

/** A node in this process, with the versions that it is given. */
class VersionedNode {
  readonly client: NodeClient;
  readonly #folder: AgedNetwork["nodes"][number];
  #node: ParleyNode | undefined;
  log = "";

  constructor(folder: AgedNetwork["nodes"][number]) {
    this.#folder = folder;
    this.client = createNodeClient({ baseUrl: folder.url, fetch: plainFetch });
  }

  async start(knownVersions: readonly number[], flags: NodeFlags = {}): Promise<void> {
    const { dataDir } = this.#folder;
    const config = loadNodeConfig({ flags: { ...flags, dataDir }, environment: readEnvironment({}), defaultDataDir: dataDir });
    const write = (line: string): void => {
      this.log += line;
    };
    this.#node = createNode(config, { log: createLog("text", { write }), onFatal: (error) => write(String(error)), knownVersions });
    await this.#node.start();
  }

  async stop(): Promise<void> {
    await this.#node?.stop();
    this.#node = undefined;
  }

  async height(): Promise<number> {
    return (await this.client.getStatus({})).sync.height;
  }

  async reason(): Promise<string | undefined> {
    const { sync } = await this.client.getStatus({});
    return sync.state === "stalled" ? sync.reason : undefined;
  }
}

let folder: TemporaryFolder;
let network: AgedNetwork;
let nodes: readonly VersionedNode[];
beforeAll(async () => {
  folder = await createTemporaryFolder("parley-upgrade-");
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 27 * HOUR_MS;
  network = await createAgedNetwork(`${folder.path}/net`, { validators: 4, nodes: 1 }, { startMs, heartbeatMs: 2_000 });
  const approvedMs = startMs + HOUR_MS;
  await writePast(network, [
    { timeMs: approvedMs, transactions: [approval(approvedMs)] },
    { timeMs: approvedMs + 25 * HOUR_MS, transactions: [] },
  ]);
  nodes = network.nodes.map((node) => new VersionedNode(node));
}, LONG_MS);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await folder.remove();
}, LONG_MS);

/** The faucet brings the approvals of three validators. */
function approval(timeMs: number): Transaction {
  const { genesis, validators, faucet } = network;
  const change = { set: { min_fee_ut: PAID_UT * 2 }, version: NEXT, at_height: CHANGE_AT };
  const signedAt = Math.floor(timeMs / 1_000);
  const cosigs = validators.slice(0, 3).map((validator) => ({
    validator_pub: validator.pub,
    signed_at: signedAt,
    signature: signatureOf(
      validator,
      upgradeSignBytes(genesis.chain_id, upgradeOf(change.set, change.version, change.at_height), signedAt),
    ),
  }));
  const random = (length: number): Uint8Array => new Uint8Array(length).fill(7);
  const draft = { type: "UPGRADE" as const, from: faucet.pub, payload: { ...change, cosigs } };
  return signTransaction(buildTransaction(draft, { chainId: genesis.chain_id, nowMs: timeMs, random }), faucet.seed);
}

function node(index: number): VersionedNode {
  const found = nodes[index];
  if (found === undefined) throw new Error(`There is no node ${index}`);
  return found;
}

it("carries a network to another version, and nodes that lack it stop before and continue after their update", async () => {
  const [behind, light] = [node(3), node(4)];
  await Promise.all([node(0).start(NEW), node(1).start(NEW), node(2).start(NEW), behind.start(OLD)]);
  const waiting = { version: NEXT, at_height: CHANGE_AT };
  expect((await behind.client.getStatus({})).upgrade).toMatchObject({ ...waiting, is_known: false });
  expect(behind.log).toContain(`approved version ${NEXT} of the rules`);
  expect(behind.log).toContain("This program lacks it");
  await light.start(OLD, { mode: "light" });

  await pollUntil(async () => (await node(0).height()) >= CHANGE_AT + 3, { timeoutMs: LONG_MS, what: "blocks after the change" });
  const { params } = await node(0).client.getParams({});
  expect(params).toMatchObject({ version: NEXT, min_fee_ut: PAID_UT * 2 });
  expect((await node(0).client.getStatus({})).upgrade).toBeUndefined();

  const reason = await pollUntil(() => behind.reason(), { timeoutMs: LONG_MS, what: "the node to say why it stopped" });
  expect(reason).toContain(`From block ${CHANGE_AT} on the network has version ${NEXT} of its rules`);
  expect(await behind.height()).toBe(CHANGE_AT - 1);
  expect((await behind.client.getStatus({})).voting).toBe(false);
  expect((await behind.client.getParams({})).params.version).toBe(HEADER_VERSION);
  const lightReason = await pollUntil(() => light.reason().then((said) => said?.includes(`version ${NEXT}`) === true && said), {
    timeoutMs: LONG_MS,
    what: "the light node to say why it stopped",
  });
  expect(lightReason).toContain("this program lacks");
  expect(await light.height()).toBeLessThan(CHANGE_AT);

  await behind.stop();
  await behind.start(OLD);
  expect(await behind.reason()).toContain(`version ${NEXT}`);
  await behind.stop();
  await behind.start(NEW);
  const goal = CHANGE_AT + 3;
  await pollUntil(async () => (await behind.height()) >= goal && (await behind.client.getStatus({})).voting === true, {
    timeoutMs: LONG_MS,
    what: "the updated validator to vote",
  });
  const hashOf = async ({ client }: VersionedNode): Promise<string> => (await client.getBlock({ index: goal })).hash;
  expect(await hashOf(behind)).toBe(await hashOf(node(0)));
  await light.stop();
  await light.start(NEW, { mode: "light" });
  await pollUntil(async () => (await light.height()) >= goal, { timeoutMs: LONG_MS, what: "the updated light node to follow" });

  const to = actor(77).pub;
  await behind.client.requestFaucet({ body: { to, amount_ut: PAID_UT } });
  const paid = await pollUntil(async () => {
    const { transactions } = await light.client.getAddress({ addr: to });
    return transactions[0];
  });
  expect(paid).toMatchObject({ amount_ut: PAID_UT, fee_ut: PAID_UT * 2, status: "ok" });

  const lowest = await light.height();
  const stats = await Promise.all(network.validators.map(({ pub }) => light.client.getNodeStats({ pubkey: pub })));
  const counted = stats.reduce((sum, { counted_blocks: own }) => sum + (own?.blocks ?? 0), 0);
  for (const { counted_blocks: own } of stats) expect(own?.since_height).toBe(CHANGE_AT);
  expect(counted).toBeGreaterThanOrEqual(lowest - CHANGE_AT + 1);
  expect(counted).toBeLessThanOrEqual((await light.height()) - CHANGE_AT + 1);
}, 300_000);
