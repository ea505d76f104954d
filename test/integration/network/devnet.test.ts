// `parley devnet` and `parley network new`, as a person uses them.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeClient, type HttpFetch } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { loadAccount } from "#test/support/nodes/node-load.ts";
import { findNetworkPorts } from "#test/support/nodes/process-network.ts";
import { cleanEnvironment, projectRoot, runParley } from "#test/support/nodes/run-program.ts";

const START_MS = 90_000;
let folder: TemporaryFolder;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await folder.remove();
});

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
}

function start(...args: readonly string[]): Running {
  const child = spawn(process.execPath, ["node/main.ts", ...args], {
    cwd: projectRoot,
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return { child, output: () => output };
}

async function ended({ child }: Running): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

const fetchText: HttpFetch = async (url, init) => {
  const response = await fetch(url, init as RequestInit);
  const body = await response.text();
  return { status: response.status, text: () => Promise.resolve(body) };
};

const clientAt = (url: string): ReturnType<typeof createNodeClient> => createNodeClient({ baseUrl: url, fetch: fetchText });

interface Network {
  readonly chain_id: string;
  readonly nodes: readonly { readonly url: string; readonly data_dir: string; readonly mode: string }[];
}

describe("parley devnet", () => {
  it("runs a network, tells its addresses, and ends in order with all its nodes", async () => {
    const dir = join(folder.path, "net");
    const port = await findNetworkPorts(2);
    const size = ["--validators", "1", "--nodes", "1", "--base-port", String(port)];
    const devnet = start("devnet", ...size, "--dir", dir, "--json");
    const network = await pollUntil((): Network => JSON.parse(devnet.output()) as Network, { timeoutMs: START_MS, what: "the addresses" });
    expect(network.nodes.map(({ url, mode }) => [url, mode])).toEqual([
      [`http://127.0.0.1:${port}`, "validator"],
      [`http://127.0.0.1:${port + 1}`, "full"],
    ]);
    const [validator, follower] = network.nodes.map(({ url }) => clientAt(url));
    if (validator === undefined || follower === undefined) throw new Error("two nodes were expected");
    const to = loadAccount(new Uint8Array(32).fill(5)).publicKey;
    const { id } = await follower.requestFaucet({ body: { to, amount_ut: 7 } });
    for (const client of [validator, follower])
      expect(await pollUntil(() => readCommitted(client, id), { what: "the gift in a block" })).toMatchObject({ amount_ut: 7 });
    devnet.child.kill("SIGINT");
    expect(await ended(devnet)).toBe(0);
    await expect(validator.getStatus({})).rejects.toThrow();
    const again = await runParley(["devnet", ...size, "--dir", dir]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("not empty") });
  });

  it("fails, and stops the others, when a node ends by itself", WHOLE_ONLY, async () => {
    const port = await findNetworkPorts(2);
    const blocker = start("node", "--dev", "--data-dir", join(folder.path, "other"), "--stats-addr", `127.0.0.1:${port + 1}`);
    await pollUntil(() => clientAt(`http://127.0.0.1:${port + 1}`).getStatus({}), { timeoutMs: START_MS, what: "the port to be taken" });
    const dir = join(folder.path, "net");
    const devnet = start("devnet", "--validators", "1", "--nodes", "1", "--base-port", String(port), "--dir", dir);
    expect(await ended(devnet)).toBe(5);
    expect(devnet.output()).toContain(join(dir, "node-1"));
    await expect(clientAt(`http://127.0.0.1:${port}`).getStatus({})).rejects.toThrow();
    blocker.child.kill("SIGTERM");
    expect(await ended(blocker)).toBe(0);
  });
});

describe("parley network new", () => {
  it("makes folders that start with no other flag", async () => {
    const dir = join(folder.path, "net");
    const port = await findNetworkPorts(1);
    const made = await runParley(["network", "new", "--out", dir, "--validators", "1", "--base-port", String(port), "--json"]);
    expect(made.code).toBe(0);
    expect(existsSync(join(dir, "node-0", "genesis.json"))).toBe(true);
    const node = start("node", "--data-dir", join(dir, "node-0"));
    const status = await pollUntil(() => clientAt(`http://127.0.0.1:${port}`).getStatus({}), { timeoutMs: START_MS, what: "the node" });
    expect(status).toMatchObject({ mode: "validator", chain_id: (JSON.parse(made.stdout) as Network).chain_id, sync: { state: "live" } });
    node.child.kill("SIGTERM");
    expect(await ended(node)).toBe(0);
  });
});
