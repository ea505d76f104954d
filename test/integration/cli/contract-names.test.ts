// Contracts by their names, against a real node: deployed from their folder, called, asked, followed, line by line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rememberContract } from "#node/cli/session/names/contract-names.ts";
import { parseModule } from "#node/vm/module/parse-module.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { type CommandResult, runCommand } from "#test/support/cli/live-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

type Result = Readonly<Record<string, unknown>>;

const PROGRAM = fileURLToPath(new URL("../../../node/parley.mjs", import.meta.url));
const VECTORS = fileURLToPath(new URL("../../vectors/contracts/", import.meta.url));

let folder: TemporaryFolder;
let node: RunningNode;
let names: string;
let key: string;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  node = await startNode({ dataDir: join(folder.path, "data") });
  [names, key] = [join(folder.path, "contract-names.json"), join(folder.path, "alice.json")];
  await runCommand(["keygen", "--out", key, "--plain"]);
  await done("faucet", "--key", key, "--amount", "100T", "--wait");
  await runCommand(["contract", "new", join(folder.path, "counter")]);
  mkdirSync(join(folder.path, "faults"));
  for (const file of ["faults.wasm", "faults.abi.json"]) cpSync(join(VECTORS, file), join(folder.path, "faults", file));
});
afterAll(async () => {
  await node.stop();
  await folder.remove();
});

const run = (args: readonly string[], lines?: readonly string[]): Promise<CommandResult> =>
  runCommand([...args, "--node", node.baseUrl], lines);

async function done(...args: readonly string[]): Promise<Result> {
  const { code, stdout, stderr } = await run([...args, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Result;
}

const contract = (...args: readonly string[]): Promise<Result> => done("contract", ...args, "--names", names);

async function refusal(...args: readonly string[]): Promise<string> {
  const { code, stderr } = await run(["contract", ...args, "--names", names]);
  expect(code).toBeGreaterThan(0);
  return stderr;
}

/** Gas that the transaction of a deployment used. */
async function gasOf({ id }: Result): Promise<unknown> {
  const tx = await node.client.getTransaction({ txid: String(id) });
  return "gas_used" in tx ? tx.gas_used : undefined;
}

describe("contracts by their names", () => {
  it("are deployed from their folder, called, asked and listed", async () => {
    const { contract_id: id, block_index } = await contract("deploy", join(folder.path, "counter"), "--key", key);
    const { chain_id: chainId } = await node.client.getNetworkInfo({});
    expect([typeof block_index, JSON.parse(readFileSync(names, "utf8"))]).toEqual(["number", { [chainId]: { counter: id } }]);
    expect(await contract("call", "counter", "add", "5", "--key", key)).toMatchObject({ contract_id: id, logs: ["count 5"] });
    expect(await contract("call", String(id), "add", "7", "--key", key, "--force")).toMatchObject({ logs: ["count 12"] });
    expect(await contract("view", "counter", "get")).toMatchObject({ result_text: "12" });
    const { logs } = await contract("logs", "counter");
    expect(logs).toEqual([expect.objectContaining({ message: "count 5" }), expect.objectContaining({ message: "count 12" })]);
    expect((await run(["contract", "logs", "counter", "--limit", "1", "--names", names])).stdout).toMatch(/^\d+ {2}count 12$/);
  });

  it("are verified against their source, and against the one that was published", async () => {
    const source = join(folder.path, "counter");
    const deployed = await contract("deploy", source, "--key", key, "--name", "proven", "--publish-source");
    const verified = { verified: true, proven: true, differences: [], hints: [], contract_id: deployed.contract_id };
    expect(await contract("verify", "proven", "--source", source)).toMatchObject(verified);
    expect(await contract("verify", "proven", "--published")).toMatchObject(verified);
    const file = join(source, "contract.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("sum >= n", "sum > n"));
    const { code, stdout } = await run(["contract", "verify", "proven", "--source", source, "--names", names]);
    writeFileSync(file, text);
    expect([code > 0, stdout]).toEqual([
      true,
      expect.stringMatching(/NOT built from this source\nthe module is another one: .*\ncontract\.ts is another one$/),
    ]);
    expect(await refusal("verify", "escrow")).toContain("native contracts and those of an earlier chain have none");
  });

  it("say what would fail before anything is paid", async () => {
    const before = await done("balance", "--key", key);
    expect(await refusal("call", "counter", "add", "18446744073709551615", "--key", key)).toContain("would fail: the count would overflow");
    expect(await refusal("call", "counter", "add", "five", "--key", key)).toContain(
      'n is a whole number from 0 to 18446744073709551615, and "five"',
    );
    expect(await refusal("call", "counter", "add", "--key", key)).toContain("add(n: u64) needs 1 argument, not 0");
    expect(await refusal("view", "counter", "fly")).toContain("counter has no method fly: it has add(n: u64), reset(), get() view");
    expect(await refusal("view", "conter", "get")).toMatch(/No contract is named conter .* know counter, proven, username_registry/);
    expect(await done("balance", "--key", key)).toEqual(before);
  });

  it("break off with function and offset, which the network knows of them", async () => {
    await contract("deploy", join(folder.path, "faults", "faults.wasm"), "--key", key, "--name", "broken");
    expect(await refusal("call", "broken", "by_zero", "0", "--key", key)).toMatch(
      /The contract crashed: .* Cause: division by zero, in function \d+ \(offset 0x[0-9a-f]+\), called by by_zero \(offset 0x[0-9a-f]+\)\.$/,
    );
    expect(await refusal("view", "broken", "far_line")).toContain("in log(line: 900000, line length: 10), in far_line (offset 0x");
  });

  it("are named again by another deployment, and never like a native one", async () => {
    const [before] = Object.values(JSON.parse(readFileSync(names, "utf8")) as Readonly<Record<string, Readonly<Record<string, string>>>>);
    const { stdout } = await run(["contract", "deploy", join(folder.path, "counter"), "--key", key, "--names", names]);
    expect(stdout).toContain(`before, it was ${before?.counter}`);
    expect(await contract("view", "counter", "get")).toMatchObject({ result_text: "0" });
    const taken = ["deploy", join(folder.path, "counter"), "--key", key, "--name"];
    expect(await refusal(...taken, "tokens")).toContain("tokens is the name of a native contract");
    expect(await refusal(...taken, "0123456789abcdef")).toContain("is no name for a contract");
    expect(await refusal("view", "tokens", "issue", "a", "b", "c", "0", "1")).toMatch(/^The call would fail: /);
    const registered = await contract("call", "username_registry", "register", "alice-names", "--amount", "10000", "--key", key);
    expect(registered.contract_id).toBe(nativeContractId("username_registry"));
  });

  it("are asked by the owner of a key file as by --from", async () => {
    const { pub_key: from } = await done("address", "--key", key);
    const id = nativeContractId("username_registry");
    const estimate = ["estimate-contract", "--contract", id, "--method", "release", "--arg", "alice-names"];
    expect(await done(...estimate, "--key", key)).toEqual(await done(...estimate, "--from", String(from)));
    expect((await run(estimate)).stderr).toContain("--from or --key");
    expect((await run([...estimate, "--key", key, "--from", String(from)])).stderr).toContain("Name the caller once");
  });

  it("are called line by line", async () => {
    const lines = ["methods", "add 3", "", "get", "add", "reset now", "fly", "exit", "add 100"];
    const { code, stdout } = await run(["contract", "repl", "counter", "--key", key, "--names", names], lines);
    expect([code, stdout.split("\n").map((line) => line.replace(/^in block \d+ {2}tx[0-9a-f]+$/, "in block"))]).toEqual([
      0,
      [
        ...["add(n: u64)", "reset()", "get() view", "in block", "log  count 3", "3"],
        ...["add(n: u64) needs 1 argument, not 0.", "reset() needs 0 arguments, not 1."],
        "counter has no method fly: it has add(n: u64), reset(), get() view.",
      ],
    ]);
    const reader = await run(["contract", "repl", "counter", "--names", names], ["get", "add 1"]);
    expect(reader.stdout).toBe("3\nadd is called by a transaction: start with --key to sign it.");
  });

  it("are followed until the program is interrupted", async () => {
    const args = ["contract", "logs", "counter", "--follow", "--names", names, "--node", node.baseUrl];
    const follower = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(follower, "exit");
    const lines = createInterface({ input: follower.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toMatch(/ {2}count 3$/);
    await contract("call", "counter", "add", "4", "--key", key);
    await contract("call", "counter", "add", "4", "--key", key);
    expect((await lines.next()).value).toMatch(/ {2}count 7$/);
    expect((await lines.next()).value).toMatch(/ {2}count 11$/);
    follower.kill("SIGINT");
    await ended;
  });

  it("cost what the build said, with and without their source", WHOLE_ONLY, async () => {
    const source = join(folder.path, "counter");
    const built = JSON.parse((await runCommand(["contract", "build", source, "--json"])).stdout) as Result;
    const plain = await contract("deploy", source, "--key", key, "--name", "priced");
    const published = await contract("deploy", source, "--key", key, "--name", "priced-open", "--publish-source");
    expect([built.deployment_gas, built.published_deployment_gas]).toEqual([await gasOf(plain), await gasOf(published)]);
    const { gas_used: gasUsed } = await contract("view", "priced", "get");
    const own = Number(gasUsed) - Number(built.loading_gas_least);
    expect([own > 12_000, own < 40_000]).toEqual([true, true]);
  });

  it("are deployed as they were built, with as much memory as was asked for", WHOLE_ONLY, async () => {
    const source = join(folder.path, "counter");
    const most = (): number => parseModule(readFileSync(join(source, "contract.wasm"))).memory.most;
    for (const [name, pages, ...options] of [
      ["asked", 16, "--memory", "16"],
      ["said", 24],
    ] as const) {
      if (options.length === 0) writeFileSync(join(source, "contract.json"), `{"memory":${pages}}`);
      const built = JSON.parse((await runCommand(["contract", "build", source, "--json", ...options])).stdout) as Result;
      const deployed = await contract("deploy", source, "--key", key, "--name", name, ...options);
      expect([name, most(), await gasOf(deployed)]).toEqual([name, pages, built.deployment_gas]);
      expect(await contract("verify", name, "--source", source)).toMatchObject({ verified: true, differences: [], hints: [] });
    }
    rmSync(join(source, "contract.json"));
  });

  it("take addresses and usernames where the interface has an address", async () => {
    const path = join(folder.path, "greeter");
    mkdirSync(path);
    writeFileSync(
      join(path, "contract.ts"),
      `import { Address, StorageValue } from "parley";
export const NAME = "greeter";
const friend = new StorageValue<string>("friend");
export function init(first: Address): void { friend.set(first); }
export function befriend(other: Address): void { friend.set(other); }
@view export function is_friend(other: Address): bool { return friend.get() == other; }
`,
    );
    const { pub_key: publicKey, address } = await done("address", "--key", key);
    await contract("deploy", path, "--key", key, "--init", String(address));
    expect(await contract("view", "greeter", "is_friend", String(publicKey))).toMatchObject({ result_text: "true" });
    expect(await contract("view", "greeter", "is_friend", "@alice-names")).toMatchObject({ result_text: "true" });
    expect(await contract("call", "greeter", "befriend", "@alice-names", "--key", key)).toMatchObject({ status: "ok" });
    expect(await contract("view", "greeter", "is_friend", String(address))).toMatchObject({ result_text: "true" });
    const repl = await run(["contract", "repl", "greeter", "--names", names], ["is_friend @alice-names", "is_friend @missing"]);
    expect(repl.stdout.split("\n")).toEqual(["true", "other: No account has the username @missing."]);
  });

  it("say in which line a call would fail, where their deployer published it", async () => {
    const path = join(folder.path, "calc");
    mkdirSync(path);
    const source = [
      'export const NAME = "calc";',
      "function ratio(a: u64, b: u64): u64 {",
      "  return a / b;",
      "}",
      "export function divide(a: u64, b: u64): u64 {",
      "  return ratio(a, b) + 1;",
      "}",
    ];
    writeFileSync(join(path, "contract.ts"), source.join("\n"));
    await contract("deploy", path, "--key", key, "--name", "open", "--publish-source");
    const open = await refusal("view", "open", "divide", "1", "0");
    expect(open).toMatch(/Cause: division by zero, in .*By the lines that its deployer published: in [a-z]+ \(contract\.ts:3:\d+\)/);
    expect(await refusal("call", "open", "divide", "1", "0", "--key", key)).toContain("contract.ts:3:");
    const id = String((await contract("deploy", path, "--key", key, "--name", "shut")).contract_id);
    expect(await refusal("view", "shut", "divide", "1", "0")).not.toContain("contract.ts");
    const outcome = await node.client.callView({ contractID: id, body: { method: "divide", args_json: "[1,0]" } });
    expect(outcome.places?.[0]).toEqual({ function_index: expect.any(Number), offset: expect.any(Number) });
  });

  it("are all named where eight are deployed at once, by processes of their own, through a link to the file", WHOLE_ONLY, async () => {
    const [file, link] = [join(folder.path, "shared-names.json"), join(folder.path, "linked-names.json")];
    writeFileSync(file, "{}");
    symlinkSync(file, link);
    const module = join(folder.path, "faults", "faults.wasm");
    const wanted = Array.from({ length: 8 }, (_, index) => `twin-${index}`);
    const base = ["contract", "deploy", module, "--key", key, "--names", link, "--node", node.baseUrl];
    const results = await Promise.all(wanted.map((name) => runParley([...base, "--name", name])));
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(wanted.map(() => [0, ""]));
    const [known] = Object.values(JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Readonly<Record<string, string>>>>);
    expect(Object.keys(known ?? {}).sort()).toEqual(wanted);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it("say which contract has no name where the file cannot be written", async () => {
    const file = join(folder.path, "held-names.json");
    mkdirSync(`${file}.lock`);
    const scope = { file, chainId: "chain" };
    await expect(rememberContract("held", "0123456789abcdef", scope)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/the contract 0123456789abcdef has no name: .*held-names\.json is in the way/),
    });
  });

  it("refuse a file of names that is none", async () => {
    const file = join(folder.path, "wrong.json");
    writeFileSync(file, '{"chain":["counter"]}');
    expect((await run(["contract", "view", "counter", "get", "--names", file])).stderr).toContain("is a JSON object of chains");
  });
});
