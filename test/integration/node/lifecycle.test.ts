// The life of a node process: start, restart, orderly end, and every start that is refused.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { REQUIRED_FEATURES } from "#shared/api/version.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY, wholeUnless } from "#test/support/host/test-extent.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { loadAccount, signedTransfer } from "#test/support/nodes/node-load.ts";
import { nodeProgram } from "#test/support/nodes/node-program.ts";
import { cleanEnvironment, type ProgramResult, projectRoot, runParley } from "#test/support/nodes/run-program.ts";
import { startNode } from "#test/support/nodes/start-node.ts";

const ACCOUNT = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

let folder: TemporaryFolder;
let dataDir: string;
/** Processes that a failed test would leave behind. */
const started: ChildProcess[] = [];
beforeEach(async () => {
  folder = await createTemporaryFolder();
  dataDir = join(folder.path, "data");
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  await folder.remove();
});

/** A start that is refused: one sentence, no stack trace. */
async function refusedStart(...args: readonly string[]): Promise<ProgramResult> {
  const result = await runParley(["node", "--data-dir", dataDir, "--stats-addr", "127.0.0.1:0", ...args]);
  const sentences = result.stderr.split("\n").filter((line) => line !== "" && !/ (info|warn) /.test(line));
  expect(sentences).toHaveLength(1);
  expect(result.stderr).not.toMatch(/^\s+at /m);
  return result;
}

describe("a development node", () => {
  it("serves, ends in order on SIGTERM and continues with its chain", async () => {
    await using first = await startNode({ dataDir });
    const { id } = await first.client.requestFaucet({ body: { to: ACCOUNT, amount_ut: 5_000_000 } });
    await pollUntil(() => readCommitted(first.client, id));
    const before = { info: await first.client.getNetworkInfo({}), block: await first.client.getBlock({ index: 1 }) };
    expect(await first.stop()).toBe(0);
    expect(first.log()).toContain("Stopped");
    await using second = await startNode({ dataDir, args: [] });
    expect({ info: await second.client.getNetworkInfo({}), block: await second.client.getBlock({ index: 1 }) }).toEqual(before);
    expect(await second.client.getAddress({ addr: ACCOUNT })).toMatchObject({ balance_ut: 5_000_000 });
    const again = await second.client.requestFaucet({ body: { to: ACCOUNT, amount_ut: 1 } });
    await pollUntil(() => readCommitted(second.client, again.id));
    expect(await second.client.getAddress({ addr: ACCOUNT })).toMatchObject({ balance_ut: 5_000_001 });
  });

  it("keeps what is pending across an orderly restart", async () => {
    const first = await startNode({ dataDir });
    const [paid, unpaid] = [loadAccount(new Uint8Array(32).fill(1)), loadAccount(new Uint8Array(32).fill(2))];
    const { chain_id: chainId } = await first.client.getNetworkInfo({});
    const gift = await first.client.requestFaucet({ body: { to: paid.publicKey, amount_ut: 1_000_000 } });
    await pollUntil(() => readCommitted(first.client, gift.id));
    expect(await first.stop()).toBe(0);
    // A node that does not vote makes no block of what is submitted.
    const silent = await startNode({ dataDir, args: ["--mode", "full"] });
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = await silent.client.submitTransaction({ body: signedTransfer(paid, unpaid.publicKey, chainId) });
      ids.push(id);
    }
    expect(await silent.stop()).toBe(0);
    const stored = JSON.parse(await readFile(join(dataDir, "pending.json"), "utf8"));
    expect(stored.transactions.map(({ id }: { readonly id: string }) => id)).toEqual(ids);
    await using again = await startNode({ dataDir, args: [] });
    const committed = await Promise.all(ids.map((id) => pollUntil(() => readCommitted(again.client, id))));
    expect(committed.map(({ id, status }) => [id, status])).toEqual(ids.map((id) => [id, "ok"]));
    expect(await readdir(dataDir)).not.toContain("pending.json");
  });

  it("does not take up again what was pending when it failed", WHOLE_ONLY, async () => {
    await using node = await startNode({ dataDir });
    const account = loadAccount(new Uint8Array(32).fill(1));
    const { chain_id: chainId } = await node.client.getNetworkInfo({});
    const gift = await node.client.requestFaucet({ body: { to: account.publicKey, amount_ut: 1_000_000 } });
    await pollUntil(() => readCommitted(node.client, gift.id));
    const exited = once(node.child, "exit");
    const chain = new Database(join(dataDir, "chain.db"));
    chain.exec("BEGIN IMMEDIATE");
    await node.client.submitTransaction({ body: signedTransfer(account, ACCOUNT, chainId) });
    const [code] = await exited;
    chain.close();
    expect(code).not.toBe(0);
    expect(node.log()).toContain("The node stops");
    expect(await readdir(dataDir)).not.toContain("pending.json");
  });

  it("starts without what was pending when that file is damaged, and says so", async () => {
    const first = await startNode({ dataDir });
    expect(await first.stop()).toBe(0);
    await writeFile(join(dataDir, "pending.json"), '{"version":1,"transactions":[{"id":');
    await using second = await startNode({ dataDir, args: [] });
    expect(second.log()).toMatch(/warn {2}The pending transactions in .*pending\.json cannot be read; the node starts without them/);
  });

  it("announces itself as a relay with --relay-fee, once its account is paid", async () => {
    await using node = await startNode({ dataDir, args: ["--dev", "--relay-fee", "0.0005T"] });
    const { validators } = await node.client.listValidators({});
    const [key = ""] = validators.map(({ pub_key }) => pub_key);
    expect(node.log()).toContain("The relay is not announced yet: pay at least 0.001 T");
    await node.client.requestFaucet({ body: { to: key, amount_ut: 1_000_000 } });
    const relays = await pollUntil(async () => {
      const list = await node.client.listRelays({});
      return list.length > 0 && list;
    });
    const { relay_pub } = await node.client.getStatus({});
    expect(relays).toMatchObject([{ pub_key: key, relay: { x25519_pub_key: relay_pub, fee_per_msg_ut: 500 } }]);
  });

  it("says of an interrupted rebuild of its index that it is to be run again", WHOLE_ONLY, async () => {
    const first = await startNode({ dataDir });
    expect(await first.stop()).toBe(0);
    await writeFile(join(dataDir, "reindexing"), "");
    await writeFile(join(dataDir, "chain.db.new"), "half of it");
    const second = await startNode({ dataDir, args: [] });
    expect(second.log()).toContain("run parley node reindex again");
    expect(existsSync(join(dataDir, "chain.db.new"))).toBe(false);
    expect(await runParley(["node", "reindex", "--data-dir", dataDir])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Another node uses the data folder/),
    });
    expect(await second.stop()).toBe(0);
    expect(await runParley(["node", "reindex", "--data-dir", dataDir, "--json"])).toMatchObject({ code: 0, stderr: "" });
    await using third = await startNode({ dataDir, args: [] });
    expect(third.log()).not.toContain("reindex");
  });

  it("says what it is, in features that it has", async () => {
    await using node = await startNode({ dataDir });
    const version = await node.client.getVersion({});
    const { version: packageVersion } = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8"));
    expect(version).toMatchObject({
      node_version: packageVersion,
      protocol_version: 1,
      build: { tag: expect.any(String), dirty: expect.stringMatching(/^(true|false)$/) },
    });
    expect(version.features).toEqual(expect.arrayContaining([...REQUIRED_FEATURES]));
    const status = await node.client.getStatus({});
    expect(status).toMatchObject({ mode: "validator", sync: { state: "live", height: 0 }, chain_id: version.chain_id });
  });

  it("logs JSON lines with --log json and keeps standard output clean", async () => {
    await using node = await startNode({ dataDir, args: ["--dev", "--log", "json"] });
    await node.stop();
    const lines = node
      .log()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ level: "info", msg: `Ready at ${node.baseUrl}` }));
  });

  for (const signal of ["SIGINT", "SIGHUP"] as const)
    it(`ends in order on ${signal}, also when a launcher passes the same one on`, wholeUnless(signal === "SIGINT"), async () => {
      await using node = await startNode({ dataDir });
      const exit = once(node.child, "exit");
      node.child.kill(signal);
      node.child.kill(signal);
      expect(await exit).toEqual([0, null]);
      expect(node.log()).toContain("Stopped");
    });

  it("reports to its parent when it is ready and ends on its message, or when the parent goes away", WHOLE_ONLY, async () => {
    for (const end of ["stop", "disconnect"] as const) {
      const child = spawn(process.execPath, [nodeProgram(), "node", "--dev", "--data-dir", dataDir, "--stats-addr", "127.0.0.1:0"], {
        cwd: projectRoot,
        env: { ...cleanEnvironment(), PARLEY_LAUNCHED: "1" },
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      started.push(child);
      const [message] = await once(child, "message");
      expect(message).toMatchObject({ type: "ready", port: expect.any(Number), url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
      expect((await fetch(`${message.url}/api/netstats`)).status).toBe(200);
      const exit = once(child, "exit");
      if (end === "stop") child.send({ type: "stop" });
      else child.disconnect();
      expect(await exit).toEqual([0, null]);
    }
  });

  it("ends in order when npm, which started it, gets a signal", WHOLE_ONLY, async () => {
    const port = await findFreePort();
    const args = ["run", "-s", "parley", "--", "node", "--dev", "--data-dir", dataDir, "--stats-addr", `127.0.0.1:${port}`];
    const npm = spawn("npm", args, { cwd: projectRoot, env: cleanEnvironment(), stdio: ["ignore", "ignore", "pipe"] });
    started.push(npm);
    let log = "";
    npm.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    await pollUntil(() => log.includes("Ready at"));
    npm.kill("SIGTERM");
    await pollUntil(() => log.includes("Stopped"));
    await using again = await startNode({ dataDir, port, args: [] });
    expect(await again.client.getNetstats({})).toMatchObject({ height: 0 });
  });

  it("warns when everyone may reach it without a token", async () => {
    const port = await findFreePort();
    const child = spawn(process.execPath, [nodeProgram(), "node", "--dev", "--data-dir", dataDir, "--stats-addr", `:${port}`], {
      cwd: projectRoot,
      env: cleanEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    started.push(child);
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    await pollUntil(() => log.includes("Ready at"));
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    expect(log).toMatch(/warn {2}The node listens on all interfaces without a token/);
  });
});

describe("a start is refused", () => {
  it("in a folder without a network, which is not even made", async () => {
    expect(await refusedStart()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/holds no network yet: start with --dev .* or with --genesis FILE/),
    });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("while another node uses the folder, which continues undisturbed", async () => {
    await using node = await startNode({ dataDir });
    expect(await refusedStart("--dev")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Another node uses the data folder .*: stop it, or choose another/),
    });
    expect(await node.client.getNetstats({})).toMatchObject({ height: 0 });
    expect(await node.stop()).toBe(0);
  });

  it("on a port that is taken", async () => {
    const port = await findFreePort();
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    try {
      const result = await refusedStart("--dev", "--stats-addr", `127.0.0.1:${port}`);
      expect(result).toMatchObject({
        code: 4,
        stderr: expect.stringContaining(`Port ${port} is taken by another program: stop it, or choose another with --stats-addr`),
      });
    } finally {
      other.close();
    }
    await using node = await startNode({ dataDir, args: [] });
    expect(await node.client.getNetstats({})).toMatchObject({ height: 0 });
  });

  it("in a folder of something else, which stays as it was", async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "thesis.txt"), "mine");
    expect(await refusedStart("--dev")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("is not a Parley data folder (it holds thesis.txt"),
    });
    expect(await readdir(dataDir)).toEqual(["thesis.txt"]);
  });

  it("with the genesis of another network", async () => {
    for (const path of [dataDir, join(folder.path, "other")]) {
      const node = await startNode({ dataDir: path });
      expect(await node.stop()).toBe(0);
    }
    const genesis = join(folder.path, "other", "genesis.json");
    expect(await refusedStart("--genesis", genesis)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/belongs to the network parley-dev-\w+, not to parley-dev-\w+/),
    });
    await writeFile(join(dataDir, "genesis.json"), await readFile(genesis));
    expect(await refusedStart()).toMatchObject({ code: 3, stderr: expect.stringMatching(/belongs to (another|the) network/) });
  });

  it("on a damaged, foreign or newer database, which is left alone", async () => {
    const node = await startNode({ dataDir });
    expect(await node.stop()).toBe(0);
    const file = join(dataDir, "chain.db");
    const good = await readFile(file);
    const newer = Buffer.from(good);
    newer.writeUInt32BE(99, 60);
    const foreign = Buffer.from(good);
    foreign.writeUInt32BE(1, 68);
    const cases = [
      [Buffer.from("not a database at all, but long enough to be taken for one".repeat(20)), /is damaged/],
      [newer, /newer version/],
      [foreign, /belongs to another program/],
    ] as const;
    for (const [bytes, message] of cases) {
      await writeFile(file, bytes);
      expect(await refusedStart()).toMatchObject({ code: 3, stderr: expect.stringMatching(message) });
      expect((await readFile(file)).equals(bytes)).toBe(true);
    }
    await writeFile(file, good);
    await using again = await startNode({ dataDir, args: [] });
    expect(await again.client.getNetstats({})).toMatchObject({ height: 0 });
  });

  it("when its folder cannot be made", async () => {
    await writeFile(join(folder.path, "data"), "");
    expect(await refusedStart("--dev")).toMatchObject({ code: 3, stderr: expect.stringContaining("choose another place") });
  });

  it.each([
    [["--stats-addr", "8080"], {}, '"8080" is not an address to listen on'],
    [["--dev", "--genesis", "g.json"], {}, "--dev makes a network of its own"],
    [["--genesis", "/nonexistent/g.json"], {}, "There is no genesis file at /nonexistent/g.json"],
    [[], { SVC_API_PRIVATE: "maybe" }, 'SVC_API_PRIVATE is "maybe": write true or false'],
  ])("with %j and %j", async (args, env, message) => {
    const result = await runParley(["node", "--data-dir", dataDir, ...args], { env });
    expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });

  it("with an unknown key in config.json", async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "config.json"), '{"stats_adr":":1"}');
    expect(await refusedStart("--dev")).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown key "stats_adr"') });
  });
});
