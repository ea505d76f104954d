// The procedure of docs/operators.md for a validator's key in a signer, with four validators: one of them signs by a socket, one by TLS.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { parseSignerAddress } from "#node/config/signer-address.ts";
import { systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createLog } from "#node/observability/log.ts";
import { RemoteSignerClient } from "#node/signer/client/remote-signer.ts";
import { memoryNetwork } from "#node/signer/memory/signer-memory.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import { digestLie } from "#test/support/chain/ledger-payloads.ts";
import { filledCommand, pageCommands, runPageCommand } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY, wholeUnless } from "#test/support/host/test-extent.ts";
import { BEGUN_BLOCKS, createBegunNetwork } from "#test/support/nodes/aged-network.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { type ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { SignerProcess } from "#test/support/nodes/running-signer.ts";
import { actor, deviceKey } from "#test/support/worlds/ledger-world.ts";

const WAIT = { timeoutMs: 120_000, intervalMs: 100 };
/** Nodes whose keys are in signers: by a socket, by TLS. */
const BY_SOCKET = 0;
const BY_TLS = 1;
/** No chain reaches it for years. */
const FAR = 9_000_000;
const SET_UP = pageCommands("operators.md", "## A validator's key in a signer", "**Transactions**");

let folder: TemporaryFolder;
let network: ProcessNetwork;
const signers: SignerProcess[] = [];
const keys: string[] = [];
const flags: (readonly string[])[] = [];
const further: ProcessNode[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-signers-");
  network = await createBegunNetwork({ validators: 4, nodes: 0, isDirect: true, heartbeatMs: 400 });
}, 60_000);

afterAll(async () => {
  for (const node of further) await node.end("SIGKILL");
  for (const signer of signers) await signer[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
  await folder.remove();
}, 60_000);

async function parley(...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const result = await runParley([...args, "--json"]);
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as Readonly<Record<string, string>>;
}

/** The one sentence of a command that is refused. */
async function refusal(code: number, ...args: readonly string[]): Promise<string> {
  const result = await runParley(args);
  expect(result, result.stderr).toMatchObject({ code, stdout: "" });
  expect(result.stderr.trim().split("\n"), result.stderr).toHaveLength(1);
  return result.stderr;
}

const dirOf = (index: number): string => join(folder.path, `signer-${index}`);
/** The position that a signer's file has. */
const remembered = (index: number): { readonly height: number } => memoryNetwork(readFileSync(join(dirOf(index), "signed"))).position;

/** What a new data folder gets of the old one of a validator. */
function oldFiles(index: number): Readonly<Record<string, string>> {
  const { dataDir } = network.node(index);
  return { "data/genesis.json": join(dataDir, "genesis.json"), "data/config.json": join(dataDir, "config.json") };
}

/** Starts a node with another folder in the place of a validator's, which does not run. */
async function startIn(index: number, dataDir: string, given: readonly string[] = []): Promise<ProcessNode> {
  const node = new ProcessNode(index, { dataDir, url: network.node(index).baseUrl, isValidator: true });
  further.push(node);
  await node.start(given);
  return node;
}

/** Has a signer sign for a height that the chain will not reach, as a broken node would. */
async function signFar(socket: string, publicKey: string): Promise<void> {
  const chainId = network.genesis.chain_id;
  const broken = new RemoteSignerClient({
    ...{ chainId, publicKey, nodeKey: "22".repeat(32), address: parseSignerAddress(socket), random: Math.random },
    ...{ verify: createNativeVerifier(), timers: systemTimers, log: createLog("json", { write: () => undefined }) },
  });
  broken.start();
  const signBytes = voteSignBytes(chainId, { type: "prevote", height: FAR, round: 0, blockHash: null });
  const position = { height: FAR, round: 0, step: "prevote" } as const;
  await pollUntil(async () => (await broken.sign(position, signBytes)) !== undefined, { ...WAIT, what: "the signature" });
  broken.close();
}

/** A number of a node's metrics. */
async function metric(node: ProcessNode, name: string): Promise<number> {
  const text = await (await fetch(`${node.baseUrl}/metrics`)).text();
  const [, value] = new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\S+)$`, "m").exec(text) ?? [];
  return Number(value);
}

async function heightOf(node: ProcessNode): Promise<number> {
  return (await node.client.getStatus({})).sync.height;
}

/** Waits for so many further blocks whose commits carry the signature of a node's validator. */
async function votesAgain(node: ProcessNode, blocks = 3): Promise<void> {
  const from = await heightOf(network.node(2));
  const isCounted = async (): Promise<boolean> => (await metric(node, "parley_validator_last_signed_height")) >= from + blocks;
  await pollUntil(isCounted, { ...WAIT, what: `the votes of validator ${node.index} in commits` }).catch((cause: unknown) => {
    throw new Error([node.log.slice(-3_000), ...signers.map(({ log }) => log.slice(-2_000))].join("\n---\n"), { cause });
  });
}

/** True when all that a node is connected to are the other three validators, whichever keys their nodes have. */
async function knowsValidators(node: ProcessNode): Promise<boolean> {
  const kinds = ["inbound", "outbound", "named"].map((kind) => metric(node, `parley_peer_connections{kind="${kind}"}`));
  const others = (await Promise.all(kinds)).reduce((sum, count) => sum + count, 0);
  return others === 0 && (await node.client.listPeers({})).count === 3;
}

/** What would be there if a validator had been caught. */
async function expectNoContradiction(): Promise<void> {
  for (const node of network.nodes) expect(existsSync(join(dataFolderPaths(node.dataDir).consensus, "evidence.json"))).toBe(false);
  const { validators } = await network.node(2).client.getNetworkInfo({});
  expect(validators).toHaveLength(4);
}

describe("validators whose keys are in signers", () => {
  it("moves the keys of stopped nodes, with what they have signed", async () => {
    for (const index of [BY_SOCKET, BY_TLS]) {
      const { dataDir } = network.node(index);
      const paths = dataFolderPaths(dataDir);
      const before = readKey(paths.nodeKey, "ed25519");
      const [init] = SET_UP;
      const made = JSON.parse(await runPageCommand(init, { signer: dirOf(index), data: dataDir }));
      expect(made).toMatchObject({ pub_key: before?.publicKey, address: formatAddress(before?.publicKey ?? "") });
      expect(existsSync(paths.nodeKey)).toBe(false);
      // Once more, and there is nothing left to move.
      expect(await refusal(2, "signer", "init", "--dir", dirOf(index), "--from", dataDir)).toContain("has no node key to take over");
      expect(remembered(index).height).toBe(BEGUN_BLOCKS);
      keys[index] = String(made.pub_key);
      if (index === BY_TLS) flags[index] = [String(made.fingerprint)];
    }
  });

  it("starts the signers: one on a socket, one on a port that knows its node", async () => {
    const [, bySocket = [], pair, byTls = [], start = [], ...rest] = SET_UP;
    expect(rest).toEqual([]);
    const { fingerprint } = JSON.parse(await runPageCommand(pair, { data: network.node(BY_TLS).dataDir }));
    const socket = join(folder.path, "run", "signer.sock");
    const port = `127.0.0.1:${await findFreePort()}`;
    const chainId = network.genesis.chain_id;
    const place = { signer: dirOf(BY_SOCKET), "parley-1": chainId, "/run/user/1000/parley-signer/sock": socket };
    signers[BY_SOCKET] = SignerProcess.of(filledCommand(bySocket, place));
    const served = { signer: dirOf(BY_TLS), "parley-1": chainId, "10.0.0.5:9300": port, "3b1f…": fingerprint };
    signers[BY_TLS] = SignerProcess.of(filledCommand(byTls, served));
    await Promise.all(signers.map((signer) => signer.start()));
    flags[BY_SOCKET] = ["--signer", socket, "--signer-key", keys[BY_SOCKET] ?? ""];
    const { dataDir } = network.node(BY_TLS);
    const names = { data: dataDir, "10.0.0.5:9300": port, "pl1…": formatAddress(keys[BY_TLS] ?? ""), "9c20…": flags[BY_TLS]?.[0] ?? "" };
    flags[BY_TLS] = filledCommand(start, names).slice(4);
  }, 120_000);

  it("counts the votes of all four, and the blocks that they propose", async () => {
    await Promise.all(network.nodes.map((node, index) => node.start(flags[index])));
    for (const node of network.nodes) await votesAgain(node);
    for (const index of [BY_SOCKET, BY_TLS]) {
      const { client, dataDir } = network.node(index);
      expect((await client.getStatus({})).voting).toBe(true);
      expect(await metric(network.node(index), 'parley_signer_requests_total{outcome="signed"}')).toBeGreaterThan(0);
      // The node's own key is another one.
      expect(readKey(dataFolderPaths(dataDir).nodeKey, "ed25519")?.publicKey).not.toBe(keys[index]);
    }
    // One of four that missed a turn while the nodes started stands behind for many heights, but not two.
    const proposers = [BY_SOCKET, BY_TLS].map((index) => formatAddress(keys[index] ?? ""));
    const proposes = async (): Promise<boolean> =>
      (await network.node(2).client.listBlocks({ limit: 50 })).some(({ validator }) => proposers.includes(validator));
    await pollUntil(proposes, { ...WAIT, what: "a block of a validator with a signer" });
    for (const node of network.nodes)
      await pollUntil(() => knowsValidators(node), { ...WAIT, what: `node ${node.index} to be connected to the three other validators` });
    await expectNoContradiction();
  }, 300_000);

  it("has them vote to suspend a relay that lied, once one of the others has voted by hand", WHOLE_ONLY, async () => {
    const { genesis } = network;
    const [byHand, url] = [network.node(2), network.node(0).baseUrl];
    const relay = actor(21);
    const [address, key] = [formatAddress(relay.pub), join(folder.path, "relay.json")];
    writeFileSync(key, JSON.stringify({ kind: "ed25519", public_key: relay.pub, secret_key: toHex(relay.seed) }));
    const bondUt = Math.ceil(genesis.params.validator_bond_ut / 20);
    await parley("faucet", "--to", address, "--amount", String(bondUt + 1_000_000), "--node", url, "--wait");
    const announced = ["--relay-fee", "0", "--x25519", deviceKey(1), "--multiaddr", "/ip4/81.2.3.4/tcp/4001", "--bond", String(bondUt)];
    await parley("relay", "register", "--key", key, ...announced, "--node", url, "--wait");
    const lies = join(folder.path, "lies.json");
    const evidence = digestLie(relay, Date.now(), genesis.chain_id);
    writeFileSync(lies, JSON.stringify({ version: 1, lies: [{ evidence, found_at_ms: Date.now() }] }));
    expect(await parley("relay", "lies", "--file", lies, "--node", byHand.baseUrl)).toMatchObject({ count: 1, lies: [{ address }] });
    const own = ["--key", dataFolderPaths(byHand.dataDir).nodeKey, "--node", byHand.baseUrl];
    const vote = await parley("relay", "suspend", address, "--file", lies, ...own, "--wait");
    expect(vote).toMatchObject({ status: "ok", relay: relay.pub });
    // More than two of four: the other one without a signer is not enough.
    for (const node of network.nodes) {
      const isSuspended = async (): Promise<boolean> =>
        (await node.client.listRelays({})).some(({ pub_key, keeper }) => pub_key === relay.pub && (keeper?.suspended_until ?? 0) > 0);
      await pollUntil(isSuspended, { ...WAIT, what: `node ${node.index} to have the relay suspended` });
    }
    expect(signers.some(({ log }) => log.includes("Signed a vote to suspend a relay that lied"))).toBe(true);
    expect(await parley("relay", "suspensions", "--node", url)).toMatchObject({ count: 1, votes_needed: 3, relays: [{ address }] });
    // Where the node's folder is not, the transaction that shows the evidence is in the history of the relay.
    const { transactions } = (await parley("history", address, "--node", url)) as unknown as {
      readonly transactions: readonly { readonly id: string }[];
    };
    expect(transactions.map(({ id }) => id)).toContain(vote.id);
    const elsewhere = ["--key", join(dirOf(BY_SOCKET), "validator-key.json"), "--node", url];
    expect(await refusal(1, "relay", "suspend", address, "--shown", vote.id ?? "", ...elsewhere)).toContain("is suspended until");
    await expectNoContradiction();
  });

  const WAYS = [
    ["socket", BY_SOCKET],
    ["TLS", BY_TLS],
  ] as const;
  for (const [way, index] of WAYS)
    it(`goes on without a signer that was killed, and with it when it is back (${way})`, wholeUnless(index === BY_TLS), async () => {
      const node = network.node(index);
      await signers[index]?.end("SIGKILL");
      await pollUntil(async () => (await metric(node, "parley_signer_connected")) === 0, { ...WAIT, what: "the node to notice" });
      await pollUntil(async () => (await metric(node, "parley_consensus_abstaining")) === 1, { ...WAIT, what: "the validator to abstain" });
      const from = await heightOf(node);
      await pollUntil(async () => (await heightOf(node)) >= from + 3, { ...WAIT, what: "blocks of the other three" });
      const { height } = remembered(index);
      await signers[index]?.start();
      // What it signed before it was killed is on the disk, and it begins there.
      expect(signers[index]?.log).toMatch(
        new RegExp(`The signer starts, last signature: height ${height}, round \\d+, \\w+\\b[^]*Ready at [^]*$`),
      );
      await votesAgain(node);
      expect(remembered(index).height).toBeGreaterThan(height);
      await expectNoContradiction();
    });

  it("stands still without two signers, and continues with them", WHOLE_ONLY, async () => {
    await Promise.all(signers.map((signer) => signer.end("SIGKILL")));
    for (const index of [BY_SOCKET, BY_TLS])
      await pollUntil(async () => (await metric(network.node(index), "parley_signer_connected")) === 0, {
        ...WAIT,
        what: "the nodes to notice",
      });
    await Promise.all(signers.map((signer) => signer.start()));
    for (const node of network.nodes) await votesAgain(node);
    await expectNoContradiction();
  });

  it("abstains while a signer is stopped in its tracks, and drops what comes too late", WHOLE_ONLY, async () => {
    const node = network.node(BY_TLS);
    signers[BY_TLS]?.pause(true);
    const lost = async (): Promise<boolean> =>
      (await metric(node, 'parley_signer_requests_total{outcome="late"}')) +
        (await metric(node, 'parley_signer_requests_total{outcome="lost"}')) >
      0;
    await pollUntil(lost, { ...WAIT, what: "an answer that does not come" });
    expect(node.log).toContain("No signature of the signer, so the validator abstains");
    const from = await heightOf(node);
    await pollUntil(async () => (await heightOf(node)) >= from + 2, { ...WAIT, what: "blocks of the other three" });
    signers[BY_TLS]?.pause(false);
    await votesAgain(node);
    await expectNoContradiction();
  });

  it("starts a node before its signer, and kills it in between", WHOLE_ONLY, async () => {
    const node = network.node(BY_SOCKET);
    await node.end("SIGKILL");
    await signers[BY_SOCKET]?.end("SIGTERM");
    await node.start(flags[BY_SOCKET]);
    expect((await node.client.getStatus({})).voting).toBe(false);
    await signers[BY_SOCKET]?.start();
    await votesAgain(node);
    await expectNoContradiction();
  });

  it("takes over with another node when the first one is lost", WHOLE_ONLY, async () => {
    const first = network.node(BY_SOCKET);
    await first.end("SIGKILL");
    const dataDir = join(folder.path, "second");
    mkdirSync(dataDir, { mode: 0o700 });
    for (const name of ["genesis.json", "config.json"]) copyFileSync(join(first.dataDir, name), join(dataDir, name));
    const second = await startIn(BY_SOCKET, dataDir, flags[BY_SOCKET]);
    await votesAgain(second);
    await pollUntil(() => knowsValidators(network.node(2)), { ...WAIT, what: "the others to take it for the validator" });
    await expectNoContradiction();
  });

  it("votes again once its signer forgets what a broken node had it sign", WHOLE_ONLY, async () => {
    const [look = [], forget, make, copy, start = [], ...rest] = pageCommands(
      "operators.md",
      "**A memory that is ahead",
      "**Back to a key",
    );
    expect(rest).toEqual([]);
    const [node, signer, key] = [further.at(-1), signers[BY_SOCKET], keys[BY_SOCKET] ?? ""];
    const [, socket = ""] = flags[BY_SOCKET] ?? [];
    await signFar(socket, key);
    const ahead = `the last signature is of height ${FAR}`;
    await pollUntil(() => node?.log.includes(ahead), { ...WAIT, what: "the node to abstain" });
    const above = String((await heightOf(network.node(2))) + 10);
    const [, ...words] = filledCommand(look, { signer: dirOf(BY_SOCKET), HEIGHT: above });
    expect(await refusal(3, ...words)).toContain("Another signer uses");
    await node?.end("SIGTERM");
    await signer?.end("SIGTERM");
    expect(await refusal(2, ...words)).toContain(`--remembered ${FAR}`);
    expect(await refusal(2, ...words, "--remembered", above)).toContain(`--remembered ${FAR}`);
    expect(remembered(BY_SOCKET).height).toBe(FAR);
    await runPageCommand(forget, { signer: dirOf(BY_SOCKET), HEIGHT: above, REMEMBERED: String(FAR) });
    expect(await refusal(2, ...words)).toContain("nothing to forget");
    expect(readdirSync(dirOf(BY_SOCKET))).toContain(`signed.before-${above}`);
    await signer?.start();
    const data = join(folder.path, "data-3");
    await runPageCommand(make, { "data-3": data });
    await runPageCommand(copy, { ...oldFiles(BY_SOCKET), "data-3/": `${data}/` });
    const given = { "data-3": data, "/run/user/1000/parley-signer/sock": socket, "pl1…": key };
    const renewed = await startIn(BY_SOCKET, data, filledCommand(start, given).slice(4));
    await votesAgain(renewed);
    expect(remembered(BY_SOCKET).height).toBeGreaterThan(Number(above));
    await expectNoContradiction();
  });

  it("shows no key: not in a log, not in a data folder of a node", () => {
    for (const index of [BY_SOCKET, BY_TLS]) {
      const file = JSON.parse(readFileSync(join(folder.path, `signer-${index}`, "validator-key.json"), "utf8")) as { secret_key: string };
      for (const log of [...signers.map((signer) => signer.log), ...network.nodes.map((node) => node.log)])
        expect(log).not.toContain(file.secret_key);
    }
  });

  it("votes with the key in a new data folder, once node and signer were stopped for good", WHOLE_ONLY, async () => {
    const [make, copy, move, start = [], ...rest] = pageCommands("operators.md", "**Back to a key", "## ");
    expect(rest).toEqual([]);
    await network.node(BY_TLS).end("SIGTERM");
    await signers[BY_TLS]?.end("SIGTERM");
    const data = join(folder.path, "data-4");
    const target = join(data, "keys/node-key.json");
    await runPageCommand(make, { "data-4": data, "data-4/keys": join(data, "keys") });
    await runPageCommand(copy, { ...oldFiles(BY_TLS), "data-4/": `${data}/` });
    await runPageCommand(move, {
      "signer/validator-key.json": join(dirOf(BY_TLS), "validator-key.json"),
      "data-4/keys/node-key.json": target,
    });
    const again = ["signer", "--dir", dirOf(BY_TLS), "--chain-id", network.genesis.chain_id, "--listen", join(folder.path, "run/again")];
    expect(await refusal(2, ...again)).toContain("There is no key at");
    const node = await startIn(BY_TLS, data, filledCommand(start, { "data-4": data }).slice(4));
    await votesAgain(node);
    expect((await node.client.getStatus({})).validator_key).toMatchObject({ pub_key: keys[BY_TLS], place: "local" });
    await expectNoContradiction();
  });
});
