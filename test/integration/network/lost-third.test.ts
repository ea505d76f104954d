// Half of the validators is lost for good, so the network stands still. The operators of the others do what docs/operators.md says: they
// agree on a block, export the state after it, compare what they got, and start a new chain with other validators. What people had is still theirs.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChainTip } from "#node/storage/folder-readers.ts";
import type { Output } from "#shared/api/api.ts";
import { filledCommand, pageCommands, runPageCommand } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";
import { type ProgramResult, runParley } from "#test/support/nodes/run-program.ts";
import { fund, keyOf, membersOf } from "#test/support/nodes/set-changes.ts";

/** Validators whose machines are gone. */
const LOST = [2, 3];
const NEWCOMER = 4;
/** One whose operator was not reached. */
const OLD = 5;
const OPERATORS = [0, 1, NEWCOMER];
const WAIT = { timeoutMs: 90_000, intervalMs: 200 };
/** A block is due after this time, and overdue 20 s later. */
const HEARTBEAT_MS = 15_000;
const CHAIN_ID = "parley-again";
const BOND_UT = 1_000_000_000;
/** Commands of the page, in its order. */
const [EXPORT = [], MAKE = [], COPY = [], START = []] = pageCommands("operators.md", "## A third of the validators is lost", "### ");

interface Person {
  readonly key: string;
  readonly pub_key: string;
  readonly x25519_pub: string;
}

/** What may not change on the way from one chain to the other. */
interface Holdings {
  readonly balances: readonly number[];
  readonly identities: readonly Output<"getIdentity">[];
  readonly contacts: readonly object[];
  readonly channels: readonly object[];
  readonly contracts: readonly string[];
  readonly supply: number;
}

let folder: TemporaryFolder;
let network: ProcessNetwork;
let alice: Person;
let bob: Person;
let channelId = "";
/** What the people had when the network stopped. */
let before: Holdings;
/** Nodes of the new chain, by their numbers in the old one. */
const nodes = new Map<number, ProcessNode>();

async function keygen(name: string): Promise<Person> {
  const key = join(folder.path, `${name}.json`);
  const { code, stdout } = await runParley(["keygen", "--out", key, "--json"], { env: { PARLEY_KEY_PASSWORD: "secret" } });
  expect(code).toBe(0);
  return { key, ...JSON.parse(stdout) };
}

/** Runs a command as a person at a node and gives its JSON. */
async function as(person: Person, node: ProcessNode, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const result = await attempt(person, node, ...args);
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout);
}

function attempt({ key }: Person, node: ProcessNode, ...args: readonly string[]): Promise<ProgramResult> {
  return runParley([...args, "--key", key, "--node", node.baseUrl, "--json"], { env: { PARLEY_KEY_PASSWORD: "secret" } });
}

/** Everything that must not change on the way from one chain to the other. */
async function holdings({ client }: ProcessNode): Promise<Holdings> {
  const accounts = [alice.pub_key, bob.pub_key];
  const channels = (await client.listChannels({ account: bob.pub_key })).channels;
  return {
    balances: await Promise.all(accounts.map(async (address) => (await client.getAddress({ addr: address })).balance_ut)),
    identities: await Promise.all(accounts.map((pub) => client.getIdentity({ pubkey: pub }))),
    contacts: (await client.listContacts({ pub: bob.pub_key })).contacts,
    channels: channels.map(({ channel_id, deposit_ut, expires_at, status }) => ({ channel_id, deposit_ut, expires_at, status })),
    contracts: Object.keys((await client.listWellKnownContracts({})).contracts).toSorted(),
    supply: (await client.getNetstats({})).total_supply_ut,
  };
}

const statusOf = ({ client }: ProcessNode): Promise<Output<"getStatus">> => client.getStatus({});
const nodeOf = (index: number): ProcessNode => nodes.get(index) as ProcessNode;
const outOf = (index: number): string => join(folder.path, `export-${index}`);

function exportAt(index: number, height: number, ...more: readonly string[]): Promise<ProgramResult> {
  const keys = OPERATORS.map((operator) => keyOf(network.node(operator)).publicKey);
  let named = 0;
  const words = EXPORT.map((word) => (word === "pl1…" ? (keys[named++] ?? "") : word));
  const names = { old: network.node(index).dataDir, "parley-2": CHAIN_ID, "8123": String(height), "new-chain": outOf(index) };
  const [, ...args] = filledCommand(words, names);
  expect(named).toBe(keys.length);
  return runParley([...args, "--json", ...more]);
}

beforeAll(async () => {
  folder = await createTemporaryFolder();
  network = await ProcessNetwork.create({ validators: 4, nodes: 2, isDirect: true, heartbeatMs: HEARTBEAT_MS });
  await network.start();
  [alice, bob] = await Promise.all([keygen("alice"), keygen("bob")]);
  const node = network.node(0);
  await fund(network, network.node(NEWCOMER), 2);
  await as(alice, node, "faucet", "--amount", "100T", "--wait");
  await as(bob, node, "faucet", "--amount", "50T", "--wait");
  await as(alice, node, "register-key", "--wait");
  await as(bob, node, "register-key", "--nickname", "Bob", "--wait");
  await as(alice, node, "register-username", "alice", "--wait");
  await as(alice, node, "token", "issue", "tea", "--name", "Tea", "--symbol", "TEA", "--supply", "1000", "--wait");
  await as(alice, node, "request-contact", "--to", bob.pub_key, "--fee", "6000", "--intro", "It is Alice", "--wait");
  channelId = String((await as(alice, node, "channel", "open", "--to", bob.pub_key, "--amount", "10T", "--wait")).channel_id);
  await as(alice, node, "send-msg", "--to", bob.pub_key, "--msg", "before the loss");
});
afterAll(async () => {
  await Promise.all([...nodes.values()].map((node) => node.end("SIGKILL")));
  await network?.[Symbol.asyncDispose]();
  await folder?.remove();
});

describe("a third of the validators is lost", WHOLE_ONLY, () => {
  it("stops the network, which says so", async () => {
    before = await holdings(network.node(0));
    for (const index of LOST) {
      await network.node(index).end("SIGKILL");
      rmSync(network.node(index).dataDir, { recursive: true });
    }
    await as(alice, network.node(0), "transfer", "--to", bob.pub_key, "--amount", "1T");
    const stalled = async (): Promise<boolean> => (await statusOf(network.node(0))).sync.state === "stalled";
    await pollUntil(stalled, { ...WAIT, timeoutMs: 150_000, what: "the network to stand still" });
    expect((await statusOf(network.node(0))).sync.reason).toContain("too few validators may be running");
  });

  it("allows no export beside a running node", async () => {
    const refused = await exportAt(0, 1);
    expect(refused.code).toBe(3);
    expect(JSON.parse(refused.stderr)).toMatchObject({ code: "STORAGE_LOCKED" });
    expect(existsSync(outOf(0))).toBe(false);
  });

  it("is left behind by operators who agree on a block and get the same files, each from the own node", async () => {
    for (const index of [...OPERATORS, OLD]) expect(await network.node(index).end("SIGTERM")).toBe(0);
    const tips = OPERATORS.map((index) => readChainTip(network.node(index).dataDir)?.height ?? 0);
    const height = Math.min(...tips);
    const results = await Promise.all(OPERATORS.map((index) => exportAt(index, height)));
    for (const result of results) expect(result, result.stderr).toMatchObject({ code: 0 });
    const [first] = OPERATORS;
    for (const index of OPERATORS)
      for (const name of ["genesis.json", "genesis.state"])
        expect(readFileSync(join(outOf(index), name)).equals(readFileSync(join(outOf(first ?? 0), name)))).toBe(true);
    const hashes = results.map(({ stdout }) => JSON.parse(stdout).genesis_hash);
    expect(new Set(hashes).size).toBe(1);
  });

  it("is followed by a chain of the new validators, in new folders with the old keys and the mail that waits", async () => {
    for (const index of OPERATORS) {
      const [from, to] = [network.node(index).dataDir, join(folder.path, `node-${index}`)];
      const mail = readdirSync(from).filter((name) => /mail.*\.db/.test(name));
      expect(mail).toContain("mailbox.db");
      const within = (name: string): string => join(from, name);
      await runPageCommand(MAKE, { new: to });
      const old = { "old/keys": within("keys"), "old/config.json": within("config.json"), "old/*mail*.db*": mail.map(within) };
      await runPageCommand(COPY, { ...old, "new/": to });
      nodes.set(index, new ProcessNode(index, { dataDir: to, url: network.node(index).baseUrl, isValidator: true }));
    }
    await Promise.all(
      OPERATORS.map((index) => {
        const [, , , , ...flags] = filledCommand(START, {
          new: nodeOf(index).dataDir,
          "new-chain/genesis.json": join(outOf(index), "genesis.json"),
        });
        return nodeOf(index).start(flags);
      }),
    );
    expect(await membersOf(nodeOf(0))).toEqual(OPERATORS.map((index) => keyOf(network.node(index)).publicKey).sort());
    const information = await nodeOf(1).client.getNetworkInfo({});
    expect(information.chain_id).toBe(CHAIN_ID);
    expect(await nodeOf(1).client.getGenesis({})).toMatchObject({ previous: { chain_id: network.genesis.chain_id } });
  });

  it("takes nothing from anyone: balances, names, tokens, contacts, channels and supply are what they were", async () => {
    const newcomer = keyOf(nodeOf(NEWCOMER)).publicKey;
    const { balance_ut } = await nodeOf(0).client.getAddress({ addr: newcomer });
    expect(balance_ut).toBe(2 * 600_000_000 - BOND_UT);
    for (const index of OPERATORS) expect(await holdings(nodeOf(index))).toEqual(before);
    expect(before.channels).toMatchObject([{ channel_id: channelId, deposit_ut: 10_000_000, status: "open" }]);
    expect(before.contacts).toMatchObject([{ requester_pub: alice.pub_key, status: "pending", intro: "It is Alice" }]);
  });

  it("continues: payments, contracts, channels, and mail from before and after", async () => {
    const node = nodeOf(1);
    await as(bob, node, "accept-contact", "--to", alice.pub_key, "--wait");
    expect(await as(bob, node, "transfer", "--to", "@alice", "--amount", "2T", "--wait")).toMatchObject({ status: "ok" });
    expect(await as(alice, node, "token", "transfer", "tea", "--to", bob.pub_key, "--amount", "7", "--wait")).toMatchObject({
      status: "ok",
    });
    const { voucher } = await as(alice, node, "channel", "voucher", "--channel", channelId, "--paid", "3T");
    expect(await as(bob, node, "channel", "close", "--voucher", String(voucher), "--wait")).toMatchObject({ status: "ok" });
    await as(alice, node, "send-msg", "--to", bob.pub_key, "--msg", "after the loss");
    const inbox = await as(bob, node, "inbox");
    expect((inbox.items as readonly { text: string }[]).map(({ text }) => text)).toEqual(["before the loss", "after the loss"]);
    await node.end("SIGTERM");
    await node.start();
    const { sync } = await statusOf(nodeOf(0));
    await pollUntil(async () => (await statusOf(node)).sync.height >= sync.height, { ...WAIT, what: "the node to be there again" });
  }, 300_000);

  it("rebuilds its index from the state file and the blocks", async () => {
    const node = nodeOf(NEWCOMER);
    expect(await node.end("SIGTERM")).toBe(0);
    const rebuilt = await runParley(["node", "reindex", "--data-dir", node.dataDir, "--json"]);
    expect(rebuilt, rebuilt.stderr).toMatchObject({ code: 0 });
    await node.start();
    expect((await holdings(node)).identities).toEqual(before.identities);
  });

  it("keeps both chains apart, in words", async () => {
    const genesis = join(outOf(0), "genesis.json");
    const oldGenesis = join(network.node(OLD).dataDir, "genesis.json");
    const [fromOld, fromNew] = await Promise.all([
      runParley(["node", "--data-dir", network.node(OLD).dataDir, "--genesis", genesis]),
      runParley(["node", "--data-dir", nodeOf(0).dataDir, "--genesis", oldGenesis]),
    ]);
    expect(fromOld).toMatchObject({ code: 3 });
    expect(fromOld.stderr).toContain(`belongs to the network ${network.genesis.chain_id}, not to ${CHAIN_ID}`);
    expect(fromNew).toMatchObject({ code: 3 });
    expect(fromNew.stderr).toContain(`belongs to the network ${CHAIN_ID}, not to ${network.genesis.chain_id}`);
    await network.node(OLD).start();
    // The side that hears of it first disconnects, so the other one may not hear of it.
    const names = (node: ProcessNode, chain: string): boolean => node.log.includes(`A peer is on the chain ${chain}, not on this node's`);
    const isNamed = (): boolean =>
      names(network.node(OLD), CHAIN_ID) || OPERATORS.some((index) => names(nodeOf(index), network.genesis.chain_id));
    await pollUntil(async () => isNamed(), { ...WAIT, what: "one side to name the other chain" }).catch((cause: unknown) => {
      throw new Error([network.node(OLD), ...nodes.values()].map(({ log }) => log.slice(-2_000)).join("\n---\n"), { cause });
    });
    expect((await statusOf(network.node(OLD))).sync.state).toBe("stalled");
  });

  it("lets a light node in with the genesis file alone, and a full one with the state file as well", async () => {
    const file = join(folder.path, "alone.json");
    cpSync(join(outOf(0), "genesis.json"), file);
    const refused = await runParley(["node", "--data-dir", join(folder.path, "full"), "--genesis", file]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("there is no ");
    expect(existsSync(join(folder.path, "full"))).toBe(false);
    const light = new ProcessNode(9, { dataDir: join(folder.path, "light"), url: network.node(2).baseUrl, isValidator: false });
    nodes.set(9, light);
    const address = (await nodeOf(0).client.getNetworkInfo({})).p2p_addresses?.[0] ?? "";
    const flags = ["--genesis", file, "--mode", "light", "--bootstrap", address, "--stats-addr", light.baseUrl.replace("http://", "")];
    await light.start(flags);
    await pollUntil(async () => (await statusOf(light)).light?.state === "live", { ...WAIT, what: "the light node to follow" });
    const balanceOf = async ({ client }: ProcessNode): Promise<number> => (await client.getAddress({ addr: bob.pub_key })).balance_ut;
    await pollUntil(async () => (await balanceOf(light)) === (await balanceOf(nodeOf(0))), { ...WAIT, what: "the proven balance" });
  });
});
