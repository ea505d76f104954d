// Two procedures of docs/operators.md with their very commands, among four validators: one moves to another machine with what its key has
// signed, and the key of one comes back from the backup of its signer. Neither signs anything twice.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { memoryNetwork } from "#node/signer/memory/signer-memory.ts";
import { filledCommand, pageCommands, type Replacements, runPageCommand as run } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { createBegunNetwork } from "#test/support/nodes/aged-network.ts";
import { type ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { SignerProcess } from "#test/support/nodes/running-signer.ts";

const WAIT = { timeoutMs: 120_000, intervalMs: 100 };
const MOVED = 0;
const SIGNED = 1;

let folder: TemporaryFolder;
let network: ProcessNetwork;
const further: (ProcessNode | SignerProcess)[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-moved-");
  network = await createBegunNetwork({ validators: 4, nodes: 0, isDirect: true, heartbeatMs: 400 });
}, 60_000);
afterAll(async () => {
  for (const each of further) await each.end("SIGKILL");
  await network?.[Symbol.asyncDispose]();
  await folder?.remove();
}, 60_000);

const inFolder = (name: string): string => join(folder.path, name);
const heightOf = async ({ client }: ProcessNode): Promise<number> => (await client.getStatus({})).sync.height;

/** Starts the node of a command of the page in the place of another one, which does not run. */
async function startAs(index: number, command: readonly string[] | undefined, replacements: Replacements): Promise<ProcessNode> {
  const [, , , dataDir = "", ...flags] = filledCommand(command ?? [], replacements);
  expect(command?.slice(0, 3)).toEqual(["parley", "node", "--data-dir"]);
  const node = new ProcessNode(index, { dataDir, url: network.node(index).baseUrl, isValidator: true });
  further.push(node);
  await node.start(flags);
  return node;
}

async function metric(node: ProcessNode, name: string): Promise<number> {
  const text = await (await fetch(`${node.baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

/** Waits for commits with its votes, and sees that no validator was caught. */
async function votes(node: ProcessNode): Promise<void> {
  const from = await heightOf(network.node(2));
  const isCounted = async (): Promise<boolean> => (await metric(node, "parley_validator_last_signed_height")) >= from + 3;
  await pollUntil(isCounted, { ...WAIT, what: `the votes of validator ${node.index} in commits` }).catch((cause: unknown) => {
    throw new Error(node.log.slice(-3_000), { cause });
  });
  for (const { dataDir } of network.nodes) expect(existsSync(join(dataFolderPaths(dataDir).consensus, "evidence.json"))).toBe(false);
  expect((await network.node(2).client.listValidators({})).count).toBe(4);
}

describe("a validator that moves to another machine", WHOLE_ONLY, () => {
  const [make, move, copy, start, ...rest] = pageCommands("operators.md", "## A validator on another machine", "## ");

  it("takes its key and what that has signed along, and votes from there", async () => {
    expect(rest).toEqual([]);
    await network.start();
    const old = network.node(MOVED);
    await votes(old);
    await old.end("SIGTERM");
    const moved = inFolder("moved");
    const [key, guard] = [join(moved, "keys", "node-key.json"), join(moved, "consensus", "sign-guard")];
    const { publicKey } = readKey(dataFolderPaths(old.dataDir).nodeKey, "ed25519") ?? {};
    await run(make, { moved });
    const within = (name: string): Replacements => ({ [`data/${name}`]: join(old.dataDir, name) });
    const mail = readdirSync(old.dataDir).filter((name) => name.includes("mail"));
    expect(mail).toContain("mailbox.db");
    await run(move, {
      ...within("keys"),
      ...within("consensus"),
      "data/*mail*.db*": mail.map((name) => join(old.dataDir, name)),
      "moved/": `${moved}/`,
    });
    await run(copy, { ...within("genesis.json"), ...within("config.json"), "moved/": `${moved}/` });
    expect([existsSync(key), existsSync(guard)]).toEqual([true, true]);
    expect(readdirSync(old.dataDir)).not.toEqual(expect.arrayContaining(["keys"]));
    expect(readdirSync(old.dataDir)).not.toEqual(expect.arrayContaining(["consensus"]));
    const node = await startAs(MOVED, start, { moved });
    await votes(node);
    expect(readKey(key, "ed25519")?.publicKey).toBe(publicKey);
    expect((await node.client.getStatus({})).voting).toBe(true);
  }, 300_000);

  it("leaves a folder behind that cannot vote for it", async () => {
    const { dataDir } = network.node(MOVED);
    const left = new ProcessNode(MOVED, { dataDir, url: network.node(SIGNED).baseUrl, isValidator: false });
    await network.node(SIGNED).end("SIGTERM");
    further.push(left);
    await left.start(["--stats-addr", `127.0.0.1:${left.port}`, "--p2p-addr", "127.0.0.1:0"]);
    const from = await heightOf(network.node(2));
    await pollUntil(async () => (await heightOf(left)) >= from + 2, { ...WAIT, what: "the old folder to follow the chain" });
    expect((await left.client.getStatus({})).voting).toBe(false);
    const own = readKey(dataFolderPaths(dataDir).nodeKey, "ed25519")?.publicKey;
    expect(own).not.toBe(readKey(dataFolderPaths(inFolder("moved")).nodeKey, "ed25519")?.publicKey);
    await left.end("SIGTERM");
  }, 300_000);
});

describe("a signer that is lost, of which there is a backup", WHOLE_ONLY, () => {
  const commands = pageCommands("operators.md", "**Backup** of a signer", "**Another key**");
  const [makeVault, backUp, makeFolder, restore, init, startSigner, makeData, copyData, startNode, ...rest] = commands;
  let kept: ProcessNode;
  let signerFlags: readonly string[];

  it("gets a new folder with the key out of it, and signs nothing for a node that remembers more", async () => {
    expect(rest).toEqual([]);
    const node = network.node(SIGNED);
    const [dir, socket] = [inFolder("signer"), inFolder("run/s")];
    const chainId = network.genesis.chain_id;
    const made = await runParley(["signer", "init", "--dir", dir, "--from", node.dataDir, "--json"]);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    const { pub_key: key } = JSON.parse(made.stdout) as { readonly pub_key: string };
    const lost = new SignerProcess({ dir, chainId, listen: socket });
    further.push(lost);
    await lost.start();
    kept = new ProcessNode(SIGNED, { dataDir: node.dataDir, url: node.baseUrl, isValidator: true });
    further.push(kept);
    await kept.start(["--signer", socket, "--signer-key", key]);
    await run(makeVault, { vault: inFolder("vault") });
    await run(backUp, { "signer/validator-key.json": join(dir, "validator-key.json"), "vault/": inFolder("vault/") });
    await votes(kept);
    await lost.end("SIGKILL");
    rmSync(dir, { recursive: true });

    const again = inFolder("signer-2");
    await run(makeFolder, { "signer-2": again });
    await run(restore, { "vault/validator-key.json": inFolder("vault/validator-key.json"), "signer-2/": `${again}/` });
    expect(JSON.parse(await run(init, { "signer-2": again }))).toMatchObject({ pub_key: key });
    const listen = inFolder("run-2/s");
    const given = { "signer-2": again, "parley-1": chainId, "/run/user/1000/parley-signer-2/sock": listen };
    const [, , ...words] = filledCommand(startSigner ?? [], given);
    expect(words).toEqual(["--dir", again, "--chain-id", chainId, "--listen", listen]);
    const signer = new SignerProcess({ dir: again, chainId, listen });
    further.push(signer);
    await signer.start();
    expect(signer.log).toContain("no signature is remembered");
    signerFlags = ["--signer", listen, "--signer-key", key];

    await kept.end("SIGTERM");
    await kept.start(signerFlags);
    await pollUntil(async () => (await metric(kept, "parley_signer_connected")) === 1, { ...WAIT, what: "the new signer" });
    const from = await heightOf(kept);
    await pollUntil(async () => (await heightOf(kept)) >= from + 14, { ...WAIT, what: "blocks of the other three" });
    expect((await kept.client.getStatus({})).voting).toBe(false);
    expect(existsSync(join(again, "signed"))).toBe(false);
    await kept.end("SIGTERM");
  }, 300_000);

  it("votes with a node in a new folder, after what its key has signed", async () => {
    const [, listen = "", , key = ""] = signerFlags;
    const data = inFolder("data-2");
    await run(makeData, { "data-2": data });
    const within = (name: string): Replacements => ({ [`data/${name}`]: join(kept.dataDir, name) });
    await run(copyData, { ...within("genesis.json"), ...within("config.json"), "data-2/": `${data}/` });
    const tip = await heightOf(network.node(2));
    const names = { "data-2": data, "/run/user/1000/parley-signer-2/sock": listen, "pl1…": key };
    const node = await startAs(SIGNED, startNode, names);
    // What it signs first is of a height that its former self cannot have reached, though the network is a minute old.
    const memory = inFolder("signer-2/signed");
    await pollUntil(() => existsSync(memory), { ...WAIT, what: "the first signature" });
    expect(memoryNetwork(readFileSync(memory)).position.height).toBeGreaterThan(tip);
    await votes(node);
    expect(node.log).not.toContain("No signature of the signer");
  }, 300_000);
});
