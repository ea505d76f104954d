// The procedure of docs/operators.md for another key of a validator, with four validators: one has its key in the node, one in a signer. Each
// node votes with the new key from the first height at which the chain has it, also when it is killed and started again.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { filledCommand, pageCommands, runPageCommand } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { createBegunNetwork } from "#test/support/nodes/aged-network.ts";
import type { ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { SignerProcess } from "#test/support/nodes/running-signer.ts";

const WAIT = { timeoutMs: 120_000, intervalMs: 100 };
/** The validator whose key is in its node, and the one whose key is in a signer. */
const IN_NODE = 0;
const IN_SIGNER = 1;
const [START = [], ROTATE, ...OTHERS] = pageCommands("operators.md", "**Another key**", "**A service**");

interface MadeSigner {
  readonly process: SignerProcess;
  readonly publicKey: string;
  readonly keyFile: string;
  readonly socket: string;
}

let folder: TemporaryFolder;
let network: ProcessNetwork;
const signers: SignerProcess[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-rotation-");
  network = await createBegunNetwork({ validators: 4, nodes: 0, isDirect: true, heartbeatMs: 400 });
}, 60_000);

afterAll(async () => {
  for (const signer of signers) await signer[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
  await folder.remove();
}, 60_000);

async function parley(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const result = await runParley([...args, "--json"]);
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as Readonly<Record<string, unknown>>;
}

/** A running signer with a new key, or with that of a stopped node. */
async function makeSigner(name: string, from?: string): Promise<MadeSigner> {
  const dir = join(folder.path, name);
  const chainId = network.genesis.chain_id;
  const made = await parley("signer", "init", "--dir", dir, ...(from === undefined ? ["--chain-id", chainId] : ["--from", from]));
  const socket = join(folder.path, `run-${name}`, "s");
  const process = new SignerProcess({ dir, chainId, listen: socket });
  signers.push(process);
  await process.start();
  return { process, publicKey: String(made.pub_key), keyFile: join(dir, "validator-key.json"), socket };
}

const flagsOf = (flag: string, { socket, publicKey }: MadeSigner): readonly string[] => [flag, socket, `${flag}-key`, publicKey];

async function heightOf(node: ProcessNode): Promise<number> {
  return (await node.client.getStatus({})).sync.height;
}

/** Height of the newest commit that carries a signature of the node's validator. */
async function lastSigned(node: ProcessNode): Promise<number> {
  const text = await (await fetch(`${node.baseUrl}/metrics`)).text();
  return Number(/^parley_validator_last_signed_height (\S+)$/m.exec(text)?.[1]);
}

async function votes(node: ProcessNode, from: number): Promise<void> {
  const isCounted = async (): Promise<boolean> => (await lastSigned(node).catch(() => 0)) >= from + 3;
  await pollUntil(isCounted, { ...WAIT, what: "votes in commits" }).catch((cause: unknown) => {
    throw new Error([node.log.slice(-4_000), ...signers.map(({ log }) => log.slice(-1_500))].join("\n---\n"), { cause });
  });
}

async function members(): Promise<readonly string[]> {
  return (await network.node(3).client.listValidators({})).validators.map(({ pub_key }) => pub_key);
}

async function expectNoContradiction(): Promise<void> {
  for (const node of network.nodes) expect(existsSync(join(dataFolderPaths(node.dataDir).consensus, "evidence.json"))).toBe(false);
  expect(await members()).toHaveLength(4);
}

async function fund(publicKey: string): Promise<void> {
  const { client } = network.node(3);
  await client.requestFaucet({ body: { to: publicKey, amount_ut: 1_000_000 } });
  await pollUntil(async () => (await client.getAddress({ addr: publicKey })).balance_ut > 0, { ...WAIT, what: "money for the fee" });
}

describe("a validator that replaces its key", () => {
  const flags: (readonly string[])[] = [[], [], [], []];
  let next: MadeSigner;
  let from: number;

  it("votes with the key in its node until then, and with the next signer's from the next height on", async () => {
    expect(OTHERS).toEqual([]);
    const { dataDir } = network.node(IN_SIGNER);
    const first = await makeSigner("first", dataDir);
    flags[IN_SIGNER] = flagsOf("--signer", first);
    next = await makeSigner("next");
    const names = { data: network.node(IN_NODE).dataDir, "…": [], "/run/user/1000/next/sock": next.socket, "pl1…": next.publicKey };
    flags[IN_NODE] = filledCommand(START, names).slice(4);
    await Promise.all(network.nodes.map((node, index) => node.start(flags[index])));
    const node = network.node(IN_NODE);
    const keyFile = dataFolderPaths(node.dataDir).nodeKey;
    const old = readKey(keyFile, "ed25519")?.publicKey ?? "";
    await votes(node, 0);
    expect((await node.client.getStatus({})).validator_key).toEqual({ pub_key: old, place: "local", is_ready: true });
    await fund(old);
    const url = ["--node", network.node(3).baseUrl];
    const made = JSON.parse(
      await runPageCommand(ROTATE, { "signer/validator-key.json": keyFile, "next/validator-key.json": next.keyFile }, ...url),
    );
    expect(made).toMatchObject({ validator: old, new_key: next.publicKey });
    from = Number(made.votes_from);
    expect(await members()).toContain(next.publicKey);
    expect(await members()).not.toContain(old);
    await votes(node, from);
    expect(node.log).toContain("starting again with the next signer");
    const status = await node.client.getStatus({});
    expect(status).toMatchObject({ voting: true, validator_key: { pub_key: next.publicKey, place: "remote", is_ready: true } });
    await expectNoContradiction();
  }, 300_000);

  it("is started again with the same flags, and later with the new signer alone", WHOLE_ONLY, async () => {
    const node = network.node(IN_NODE);
    await node.end("SIGKILL");
    await node.start(flags[IN_NODE]);
    await votes(node, await heightOf(node));
    await node.end("SIGTERM");
    await node.start(flagsOf("--signer", next));
    await votes(node, await heightOf(node));
    await expectNoContradiction();
  });

  it("goes from signer to signer, with a consent that was given where the new key is", WHOLE_ONLY, async () => {
    const node = network.node(IN_SIGNER);
    const second = await makeSigner("second");
    const old = String(flags[IN_SIGNER]?.[3]);
    await node.end("SIGTERM");
    await node.start([...(flags[IN_SIGNER] ?? []), ...flagsOf("--next-signer", second)]);
    await votes(node, await heightOf(node));
    await fund(old);
    const url = ["--node", network.node(3).baseUrl];
    const { consent } = await parley("validator", "consent", old, "--key", second.keyFile, ...url);
    const key = join(folder.path, "first", "validator-key.json");
    const made = await parley("validator", "rotate-key", "--key", key, "--consent", String(consent), "--wait", ...url);
    await votes(node, Number(made.votes_from));
    expect(await members()).toContain(second.publicKey);
    await expectNoContradiction();
  });

  it("cannot be replaced again so soon", async () => {
    const url = ["--node", network.node(3).baseUrl];
    const third = await makeSigner("third");
    await fund(next.publicKey);
    const { code, stderr } = await runParley([
      "validator",
      "rotate-key",
      "--key",
      next.keyFile,
      "--new-key",
      third.keyFile,
      "--wait",
      ...url,
    ]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("once in 1,000 blocks");
  }, 60_000);
});
