// The desktop app's node over a chain of weeks: it drops nothing until it knows whose history stays, and then everything but that, as another
// node has all of it.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { NodeClient } from "#shared/api/client.ts";
import { entropyOfPhrase } from "#shared/keyring/vault/phrase.ts";
import { newIdentity } from "#shared/keyring/vault/secrets.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { openView } from "../e2e/support/person.ts";
import { photograph } from "../e2e/support/pictures.ts";
import { restoreRobinsKeys } from "../e2e/support/robin.ts";
import { ROBINS_PHRASE } from "../e2e/support/seeded-people.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../support/host/temporary-folder.ts";
import { type AgedNetwork, createAgedNetwork, type PastBlock, writePast } from "../support/nodes/aged-network.ts";
import { connectToNode } from "../support/nodes/connect-to-node.ts";
import { type RunningNode, startNode } from "../support/nodes/start-node.ts";
import { actor } from "../support/worlds/ledger-world.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, startDesktop } from "./desktop-world.ts";

const PAST_BLOCKS = 2_600;
/** 54 days. */
const BLOCK_MS = 1_800_000;
const LONG_MS = 300_000;
const WAIT = { timeoutMs: 120_000, intervalMs: 200 };
const stranger = actor(7);

let folder: TemporaryFolder;
let network: AgedNetwork;
let profile: DesktopProfile;
let world: DesktopWorld;
let holder: RunningNode;
let robin = "";
let mine: readonly Transaction[] = [];
let theirs: readonly Transaction[] = [];

function pay(to: string, nowMs: number, amount: number): Transaction {
  const { faucet, genesis } = network;
  const draft = { type: "TRANSFER" as const, from: faucet.pub, to, amount, payload: {} };
  const random = (length: number): Uint8Array => new Uint8Array(length).fill(amount % 251);
  return signTransaction(buildTransaction(draft, { chainId: genesis.chain_id, nowMs, random }), faucet.seed);
}

async function client(): Promise<NodeClient> {
  const read = async (): Promise<unknown> => await (await fetch("/shell/connection")).json();
  const { live_url: live } = (await world.page.evaluate(read)) as { readonly live_url: string };
  const url = new URL(live);
  return connectToNode(`http://${url.host}`, url.searchParams.get("token") ?? "").client;
}

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-desktop-retention-");
  robin = newIdentity(entropyOfPhrase(ROBINS_PHRASE.join(" ")), true, (length) => new Uint8Array(length)).keys.masterPub;
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (PAST_BLOCKS + 2) * BLOCK_MS;
  network = await createAgedNetwork(`${folder.path}/net`, { validators: 1, nodes: 1 }, { startMs, heartbeatMs: 200 });
  const past = Array.from({ length: PAST_BLOCKS }, (_, index): PastBlock => {
    const timeMs = startMs + (index + 1) * BLOCK_MS;
    const to = index % 100 === 4 ? robin : stranger.pub;
    return { timeMs, transactions: index % 50 === 4 ? [pay(to, timeMs, 1_000 + index)] : [] };
  });
  const paid = past.flatMap(({ transactions }) => transactions);
  [mine, theirs] = [robin, stranger.pub].map((to) => paid.filter((tx) => tx.to === to)) as [Transaction[], Transaction[]];
  await writePast(network, past);
  holder = await startNode({ dataDir: network.nodes[1]?.dataDir ?? "", args: ["--mdns", "off"] });
  profile = await createProfile();
  await cp(network.nodes[0]?.dataDir ?? "", join(profile.folder, "node"), { recursive: true });
  world = await startDesktop(profile);
}, LONG_MS);
afterAll(async () => {
  await world?.quit();
  await holder?.stop();
  profile?.remove();
  await folder?.remove();
});

it("drops nothing while there is no account", { ...WHOLE_ONLY, timeout: LONG_MS }, async () => {
  await world.untilNodeRuns();
  const node = await client();
  const { sync } = await node.getStatus({});
  await pollUntil(async () => (await node.getStatus({})).sync.height > sync.height + 70, { ...WAIT, what: "blocks" });
  expect(await node.getKeptHistory({})).toEqual({ retain: "30d", dropping: "accounts_unknown", accounts: [] });
  expect((await node.getStatus({})).history).toMatchObject({ from_height: 0, complete: true });
});

it("keeps the history of the restored account with its proofs, and drops that of others", { ...WHOLE_ONLY, timeout: LONG_MS }, async () => {
  const { page } = world;
  await restoreRobinsKeys(page, new URL(page.url()).origin);
  const node = await client();
  const first = await pollUntil(
    async () => {
      const { history } = await node.getStatus({});
      return history !== undefined && history.from_height > 500 ? history.from_height : undefined;
    },
    { ...WAIT, what: "old blocks that are dropped" },
  );
  const kept = await node.getKeptHistory({});
  expect(kept).toMatchObject({ dropping: "on", accounts: [{ pub_key: robin, complete: true, from_height: 0 }] });
  expect(kept.accounts[0]?.kept).toBeGreaterThanOrEqual(9);
  const { transactions } = await node.getAddress({ addr: robin, limit: 200 });
  // The app has registered the person's keys since.
  expect(
    transactions
      .map(({ id }) => id)
      .toReversed()
      .slice(0, mine.length),
  ).toEqual(mine.map(({ id }) => id));
  const [oldest] = mine;
  if (oldest === undefined) throw new Error("Something was paid");
  expect((await node.proveTransaction({ txid: oldest.id })).block).toBeDefined();
  const readOthers = async (): ReturnType<NodeClient["getAddress"]> => await node.getAddress({ addr: stranger.pub, limit: 200 });
  expect((await readOthers()).transactions, "the other node has them").toHaveLength(theirs.length);
  await holder.stop();
  const others = await pollUntil(
    async () => {
      const page = await readOthers();
      return page.missing_below === undefined ? undefined : page;
    },
    { ...WAIT, what: "a page without what the other node has" },
  );
  expect(others.transactions.length).toBeLessThan(theirs.length);
  expect(others.missing_below).toBe(first);
  await openView(page, "Node");
  const storage = page.getByRole("region", { name: "Storage", exact: true });
  await storage.getByText("Complete", { exact: true }).waitFor();
  await storage.scrollIntoViewIfNeeded();
  await photograph(page, "node-storage-kept");
});

it("knows the account again at the next start, while it is locked", { ...WHOLE_ONLY, timeout: LONG_MS }, async () => {
  expect(await world.quit()).toBe(0);
  world = await startDesktop(profile);
  await world.untilNodeRuns();
  const node = await client();
  const isOn = async (): Promise<boolean> => (await node.getKeptHistory({})).dropping === "on";
  await pollUntil(isOn, { ...WAIT, what: "the account of the locked vault" });
  const { transactions } = await node.getAddress({ addr: robin, limit: 200 });
  expect(transactions.map(({ id }) => id)).toEqual(expect.arrayContaining(mine.map(({ id }) => id)));
});
