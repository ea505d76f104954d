// The procedure of docs/operators.md for a validator's key in a signer, with four validators: one of them signs by a socket, one by TLS.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import { digestLie } from "#test/support/chain/ledger-payloads.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { SignerProcess } from "#test/support/nodes/running-signer.ts";
import { actor, deviceKey } from "#test/support/worlds/ledger-world.ts";

const WAIT = { timeoutMs: 120_000, intervalMs: 100 };
/** Nodes whose keys are in signers: by a socket, by TLS. */
const BY_SOCKET = 0;
const BY_TLS = 1;

let folder: TemporaryFolder;
let network: ProcessNetwork;
const signers: SignerProcess[] = [];
const keys: string[] = [];
const flags: (readonly string[])[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-signers-");
  network = await ProcessNetwork.create({ validators: 4, nodes: 0, isDirect: true, heartbeatMs: 1_000 });
}, 60_000);

afterAll(async () => {
  for (const signer of signers) await signer[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
  await folder.remove();
}, 60_000);

async function parley(...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const result = await runParley([...args, "--json"]);
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as Readonly<Record<string, string>>;
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
async function votesAgain(index: number, blocks = 3): Promise<void> {
  const node = network.node(index);
  const from = await heightOf(node);
  const isCounted = async (): Promise<boolean> => (await metric(node, "parley_validator_last_signed_height")) >= from + blocks;
  await pollUntil(isCounted, { ...WAIT, what: `the votes of validator ${index} in commits` }).catch((cause: unknown) => {
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
      const made = await parley("signer", "init", "--dir", join(folder.path, `signer-${index}`), "--from", dataDir);
      expect(made).toMatchObject({ pub_key: before?.publicKey, address: formatAddress(before?.publicKey ?? "") });
      expect(existsSync(paths.nodeKey)).toBe(false);
      keys[index] = String(made.pub_key);
      if (index === BY_TLS) flags[index] = ["--signer-pin", String(made.fingerprint)];
    }
  });

  it("starts the signers: one on a socket, one on a port that knows its node", async () => {
    const { fingerprint } = await parley("signer", "pair", "--data-dir", network.node(BY_TLS).dataDir);
    const socket = join(folder.path, "run", "signer.sock");
    const port = `127.0.0.1:${await findFreePort()}`;
    const chainId = network.genesis.chain_id;
    signers[BY_SOCKET] = new SignerProcess({ dir: join(folder.path, "signer-0"), chainId, listen: socket });
    signers[BY_TLS] = new SignerProcess({ dir: join(folder.path, "signer-1"), chainId, listen: port, allow: String(fingerprint) });
    await Promise.all(signers.map((signer) => signer.start()));
    flags[BY_SOCKET] = ["--signer", socket, "--signer-key", keys[BY_SOCKET] ?? ""];
    flags[BY_TLS] = ["--signer", port, "--signer-key", formatAddress(keys[BY_TLS] ?? ""), ...(flags[BY_TLS] ?? [])];
  }, 120_000);

  it("counts the votes of all four, and the blocks that they propose", async () => {
    await Promise.all(network.nodes.map((node, index) => node.start(flags[index])));
    for (const index of [0, 1, 2, 3]) await votesAgain(index);
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

  it("has them vote to suspend a relay that lied, once one of the others has voted by hand", async () => {
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
    await expectNoContradiction();
  }, 120_000);

  it.each([
    ["socket", BY_SOCKET],
    ["TLS", BY_TLS],
  ])(
    "goes on without a signer that was killed, and with it when it is back (%s)",
    async (_way, index) => {
      const node = network.node(index);
      await signers[index]?.end("SIGKILL");
      await pollUntil(async () => (await metric(node, "parley_signer_connected")) === 0, { ...WAIT, what: "the node to notice" });
      await pollUntil(async () => (await metric(node, "parley_consensus_abstaining")) === 1, { ...WAIT, what: "the validator to abstain" });
      const from = await heightOf(node);
      await pollUntil(async () => (await heightOf(node)) >= from + 3, { ...WAIT, what: "blocks of the other three" });
      await signers[index]?.start();
      await votesAgain(index);
      await expectNoContradiction();
    },
    300_000,
  );

  it("stands still without two signers, and continues with them", async () => {
    await Promise.all(signers.map((signer) => signer.end("SIGKILL")));
    for (const index of [BY_SOCKET, BY_TLS])
      await pollUntil(async () => (await metric(network.node(index), "parley_signer_connected")) === 0, {
        ...WAIT,
        what: "the nodes to notice",
      });
    await Promise.all(signers.map((signer) => signer.start()));
    for (const index of [0, 1, 2, 3]) await votesAgain(index);
    await expectNoContradiction();
  }, 300_000);

  it("abstains while a signer is stopped in its tracks, and drops what comes too late", async () => {
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
    await votesAgain(BY_TLS);
    await expectNoContradiction();
  }, 300_000);

  it("starts a node before its signer, and kills it in between", async () => {
    const node = network.node(BY_SOCKET);
    await node.end("SIGKILL");
    await signers[BY_SOCKET]?.end("SIGTERM");
    await node.start(flags[BY_SOCKET]);
    expect((await node.client.getStatus({})).voting).toBe(false);
    await signers[BY_SOCKET]?.start();
    await votesAgain(BY_SOCKET);
    await expectNoContradiction();
  }, 300_000);

  it("takes over with another node when the first one is lost", async () => {
    const first = network.node(BY_SOCKET);
    await first.end("SIGKILL");
    const dataDir = join(folder.path, "second");
    mkdirSync(dataDir, { mode: 0o700 });
    for (const name of ["genesis.json", "config.json"]) copyFileSync(join(first.dataDir, name), join(dataDir, name));
    const second = new ProcessNode(BY_SOCKET, { dataDir, url: first.baseUrl, isValidator: true });
    try {
      await second.start(flags[BY_SOCKET]);
      const from = await heightOf(network.node(2));
      const isCounted = async (): Promise<boolean> => (await metric(second, "parley_validator_last_signed_height")) >= from + 3;
      await pollUntil(isCounted, { ...WAIT, what: "the votes of the second node" });
      await pollUntil(() => knowsValidators(network.node(2)), { ...WAIT, what: "the others to take it for the validator" });
      await expectNoContradiction();
    } finally {
      await second.end("SIGKILL");
    }
  }, 300_000);

  it("shows no key: not in a log, not in a data folder of a node", () => {
    for (const index of [BY_SOCKET, BY_TLS]) {
      const file = JSON.parse(readFileSync(join(folder.path, `signer-${index}`, "validator-key.json"), "utf8")) as { secret_key: string };
      for (const log of [...signers.map((signer) => signer.log), ...network.nodes.map((node) => node.log)])
        expect(log).not.toContain(file.secret_key);
    }
  });
});
