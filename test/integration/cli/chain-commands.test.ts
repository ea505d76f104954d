// Every command that reaches the chain, against a real node: usernames, contracts, channels, validators, relays.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { emptyModule } from "#test/support/chain/contract-calls.ts";
import { type CommandResult, runCommand } from "#test/support/cli/live-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

interface Person {
  readonly key: string;
  readonly address: string;
  readonly pub_key: string;
  readonly x25519_pub: string;
}

type Result = Readonly<Record<string, unknown>>;

const REGISTRY = nativeContractId("username_registry");
const TOKENS = nativeContractId("tokens");
const ESCROW = nativeContractId("escrow");
/** Smallest valid module: magic number and version. */

let folder: TemporaryFolder;
let node: RunningNode;
let nodeKey: string;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  node = await startNode({ dataDir: join(folder.path, "data") });
  nodeKey = join(node.dataDir, "keys", "node-key.json");
  [alice, bob] = await Promise.all([keygen("alice"), keygen("bob")]);
  for (const person of [alice, bob]) await done("faucet", "--key", person.key, "--amount", "100T", "--wait");
});
afterAll(async () => {
  await node.stop();
  await folder.remove();
});

async function keygen(name: string): Promise<Person> {
  const key = join(folder.path, `${name}.json`);
  const { code, stdout } = await runCommand(["keygen", "--out", key, "--plain", "--json"]);
  expect(code).toBe(0);
  return { key, ...JSON.parse(stdout) };
}

const run = (...args: readonly string[]): Promise<CommandResult> => runCommand([...args, "--node", node.baseUrl]);

/** JSON result of a command that succeeds. */
async function done(...args: readonly string[]): Promise<Result> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

/** Sentence of a command that fails. */
async function refusal(...args: readonly string[]): Promise<string> {
  const { code, stderr } = await run(...args);
  expect(code).not.toBe(0);
  return stderr;
}

async function balanceOf(account: string): Promise<number> {
  return Number((await done("balance", account)).balance_ut);
}

describe("usernames", () => {
  it("are registered, and then mean their owner wherever an account is asked for", async () => {
    const registered = await done("register-username", "@Bob.1", "--key", bob.key, "--wait");
    expect(registered).toMatchObject({ status: "ok", contract_id: REGISTRY, logs: [`register bob.1 ${bob.pub_key}`] });
    expect(await done("address", "@bob.1")).toEqual({ address: bob.address, pub_key: bob.pub_key });
    const before = await balanceOf("@bob.1");
    const paid = await run("transfer", "--key", alice.key, "--to", "@BOB.1", "--amount", "0.5T", "--wait");
    expect(paid.stdout).toMatch(new RegExp(`^0\\.5 T to @BOB\\.1 \\(${bob.address}\\): in block \\d+\ntx1`));
    expect(await balanceOf(bob.address)).toBe(before + 500_000);
    await done("request-contact", "--key", alice.key, "--to", "@bob.1", "--wait");
    expect((await node.client.listContacts({ pub: bob.pub_key })).contacts).toMatchObject([{ requester_pub: alice.pub_key }]);
  });

  it("reach people by message, also through another registry contract", async () => {
    await done("register-key", "--key", bob.key, "--wait");
    await done("register-key", "--key", alice.key, "--wait");
    expect(await done("send-msg", "--key", alice.key, "--to", "@bob.1", "--msg", "one")).toMatchObject({ to: bob.pub_key, count: 1 });
    await done("send-msg", "--key", alice.key, "--to", "@bob.1", "--msg", "two", "--registry", REGISTRY.toUpperCase());
    expect(await done("inbox", "--key", bob.key)).toMatchObject({ items: [{ text: "one" }, { text: "two" }] });
    expect(await refusal("send-msg", "--key", alice.key, "--to", "@bob.1", "--msg", "x", "--registry", "0123456789abcdef")).toMatch(
      /^Not found: /,
    );
  });

  it("are handed over and released", async () => {
    await done("transfer-username", "bob.1", "--to", alice.address, "--key", bob.key, "--wait");
    expect(await done("address", "@bob.1")).toMatchObject({ address: alice.address });
    await done("release-username", "bob.1", "--key", alice.key, "--wait");
    expect(await refusal("balance", "@bob.1")).toBe("No account has the username @bob.1.");
  });

  it("are refused with the registry's reason, and nothing is paid", async () => {
    await done("register-username", "carol", "--key", alice.key, "--wait");
    const before = await balanceOf(bob.address);
    const refused = "The node rejected the request: The contract refused:";
    expect(await refusal("register-username", "carol", "--key", bob.key)).toBe(`${refused} the username is taken.`);
    expect(await refusal("register-username", "abc", "--key", bob.key)).toMatch(`${refused} a username has 4 to 32`);
    expect(await balanceOf(bob.address)).toBe(before);
  });
});

describe("contracts", () => {
  it("take texts and 64-bit integers in the order of the command line, exactly", async () => {
    const supply = "18446744073709551615";
    const issue = ["--method", "issue", "--arg", "gold", "--arg", "Gold", "--arg", "AU", "--arg64", "2", "--arg64", supply];
    const issued = await done("call-contract", "--key", alice.key, "--contract", TOKENS, ...issue, "--wait");
    expect(issued).toMatchObject({ status: "ok", logs: [`issue gold ${alice.pub_key} ${supply}`] });
    const transfer = ["--method", "transfer", "--arg", "gold", "--arg", bob.pub_key, "--arg64", "9007199254740993"];
    await done("call-contract", "--key", alice.key, "--contract", TOKENS, ...transfer, "--wait");
    expect((await node.client.getTokenBalance({ id: "gold", pubkey: bob.pub_key })).balance).toBe(9_007_199_254_740_993n);
    const burn = await run("call-contract", "--key", bob.key, "--contract", TOKENS, "--method", "burn", "--args", '["gold",3]', "--wait");
    expect(burn.stdout.split("\n")).toEqual([
      expect.stringMatching(/^Call of burn of [0-9a-f]{16}: in block \d+$/),
      expect.stringMatching(/^tx1/),
      `log  burn gold ${bob.pub_key} 3`,
    ]);
  });

  it("of tokens and NFTs have commands of their own", async () => {
    await done(
      "token",
      "issue",
      "tea",
      "--name",
      "Tea",
      "--symbol",
      "TEA",
      "--supply",
      "100",
      "--decimals",
      "1",
      "--key",
      alice.key,
      "--wait",
    );
    await done("token", "transfer", "tea", "--to", bob.address, "--amount", "30", "--key", alice.key, "--wait");
    await done("token", "burn", "tea", "--amount", "5", "--key", bob.key, "--wait");
    expect((await run("token", "balance", "tea", "--key", bob.key)).stdout).toBe("25");
    expect((await run("token", "list", "tea")).stdout).toMatch(new RegExp(`\ntea +TEA +95 +1 +${alice.address}  Tea$`));
    expect((await run("token", "list", "--limit", "1", "--json")).stdout).toContain('"supply":18446744073709551612,');
    await done("nft", "mint", "one", "--name", "One", "--metadata", "first", "--key", alice.key, "--wait");
    await done("nft", "transfer", "one", "--to", bob.address, "--key", alice.key, "--wait");
    expect((await run("nft", "list", "--owner", bob.address)).stdout).toMatch(new RegExp(`\none  ${bob.address}  One$`));
    expect((await run("nft", "list", "one")).stdout).toBe(`id        one\nname      One\nowner     ${bob.address}\nmetadata  first`);
    await done("nft", "burn", "one", "--key", bob.key, "--wait");
    expect((await run("nft", "list")).stdout).toBe("No NFTs.");
    expect(await refusal("token", "list", "nothing")).toMatch(/^Not found: /);
  });

  it("hold µT until a deal is concluded", async () => {
    const deadline = String(Math.floor(Date.now() / 1000) + 3_600);
    const open = ["--method", "open", "--arg", "deal-1", "--arg", bob.pub_key, "--arg", "", "--arg64", deadline, "--amount", "2T"];
    await done("call-contract", "--key", alice.key, "--contract", ESCROW, ...open, "--wait");
    expect(await node.client.getContractState({ contractID: ESCROW, key: "e:deal-1:x" })).toMatchObject({ value_hex: "61" });
    const before = await balanceOf(bob.address);
    await done("call-contract", "--key", alice.key, "--contract", ESCROW, "--method", "release", "--arg", "deal-1", "--wait");
    expect(await node.client.getContractState({ contractID: ESCROW, key: "e:deal-1:x" })).toMatchObject({ value_hex: "72" });
    expect(await balanceOf(bob.address)).toBe(before + 2_000_000);
  });

  it("are deployed with an id that is printed", async () => {
    const [wasm, abi] = [join(folder.path, "c.wasm"), join(folder.path, "c.abi.json")];
    await writeFile(wasm, emptyModule("increment"));
    await writeFile(abi, JSON.stringify({ contract: "counter", version: "1.0.0", methods: [{ name: "increment", args: [] }] }));
    const { code, stdout } = await run("deploy-contract", "--key", alice.key, "--wasm", wasm, "--abi", abi, "--wait");
    expect(code).toBe(0);
    const [, id = ""] = /^Contract ([0-9a-f]{16}): in block \d+\n/.exec(stdout) ?? [];
    expect(await node.client.getContract({ contractID: id })).toMatchObject({
      deployer_pub: alice.pub_key,
      wasm_size: emptyModule("increment").length,
    });
    expect(await done("view-contract", "--contract", id, "--method", "increment")).toMatchObject({ status: "ok", result_text: "" });
    const estimate = await done("estimate-contract", "--contract", id, "--method", "increment", "--from", alice.address);
    expect(estimate).toMatchObject({ status: "ok", gas_used: expect.any(Number) });
    expect(await refusal("view-contract", "--contract", id, "--method", "fly")).toContain("The contract has no such method");
    const called = await done(
      "call-contract",
      "--key",
      alice.key,
      "--contract",
      id,
      "--method",
      "increment",
      "--gas",
      String(estimate.gas_used),
      "--wait",
    );
    expect(called).toMatchObject({ contract_id: id, logs: [] });
    expect(await done("deploy-contract", "--key", alice.key, "--wasm", wasm, "--abi", abi)).toMatchObject({
      contract_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});

describe("payment channels", () => {
  it("are opened, paid from by vouchers and closed with the latest one", async () => {
    const opened = await done("channel", "open", "--key", alice.key, "--to", bob.address, "--amount", "3T", "--expires", "12h", "--wait");
    const id = String(opened.channel_id);
    await done("channel", "voucher", "--key", alice.key, "--channel", id, "--paid", "1T");
    const latest = await run("channel", "voucher", "--key", alice.key, "--channel", id, "--paid", "1.25T");
    expect(latest.stdout).toMatch(new RegExp(`^${id}:1250000:[A-Za-z0-9+/]{86}==$`));
    expect(await refusal("channel", "voucher", "--key", alice.key, "--channel", id, "--paid", "4T")).toContain("The channel holds 3 T");
    expect(await refusal("channel", "voucher", "--key", bob.key, "--channel", id, "--paid", "1T")).toContain("Only the payer");
    expect(await refusal("channel", "close", "--key", alice.key, "--channel", id)).toContain("only its payee can close it");
    const forged = latest.stdout.replace(":1250000:", ":3000000:");
    expect(await refusal("channel", "close", "--key", bob.key, "--voucher", forged)).toContain("did not sign this voucher");
    const before = await balanceOf(bob.address);
    expect(await done("channel", "close", "--key", bob.key, "--voucher", latest.stdout, "--wait")).toMatchObject({ paid_ut: 1_250_000 });
    expect(await balanceOf(bob.address)).toBe(before + 1_250_000 - 1_000);
    expect(await done("channel", "list", "--key", alice.key)).toMatchObject({
      count: 1,
      channels: [{ channel_id: id, payer: alice.pub_key, payee: bob.pub_key, deposit_ut: 3_000_000, status: "closed", paid_ut: 1_250_000 }],
    });
    expect((await run("channel", "list", bob.address)).stdout).toMatch(
      new RegExp(`\n${id} +3 T +1\\.25 T  closed  \\S+  from ${alice.address}$`),
    );
    expect(await refusal("channel", "close", "--key", bob.key, "--voucher", latest.stdout)).toContain("is already closed");
  });
});

describe("validators", () => {
  it("keep the last one, and know who is none", async () => {
    const { pub_key: nodePub } = await done("address", "--key", nodeKey);
    expect((await run("validator", "status")).stdout).toMatch(
      /^1 validator\nADDRESS +BOND +SIGNED +MISSED OF 1000\npl1\w+ +1000 T +(\d+) of \1 +0$/,
    );
    const bond = 1_000_000_000;
    const standing = { in_set: true, bond_ut: bond };
    expect(await done("validator", "status", "--key", nodeKey)).toMatchObject({
      pub_key: nodePub,
      is_validator: true,
      validator: standing,
    });
    expect(await done("validator", "status")).toMatchObject({ validators: [{ pub_key: nodePub, bond_ut: bond }] });
    const { stdout: words } = await run("validator", "status", "--key", nodeKey);
    expect(words).toMatch(/bond {5}1000 T\nsigned {3}(\d+) of \1 commits/);
    await done("faucet", "--key", nodeKey, "--amount", "1T", "--wait");
    expect(await refusal("validator", "remove", alice.address, "--key", nodeKey)).toContain("The key is not a validator");
    expect(await refusal("validator", "remove", String(nodePub), "--key", nodeKey)).toContain("The last validator cannot leave");
    expect(await refusal("validator", "approve", bob.address, "--key", alice.key)).toContain(
      "Neither the sender nor a cosigner may approve",
    );
  });

  it("enter once the set and the candidate agree, in two steps, and ask to leave", async () => {
    // A network of its own: once two of two must vote and one has no node, it makes no further block.
    await using other = await createTemporaryFolder();
    await using second = await startNode({ dataDir: other.path });
    const there = async (...args: readonly string[]): Promise<Result> => {
      const { code, stdout, stderr } = await runCommand([...args, "--node", second.baseUrl, "--json"]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      return JSON.parse(stdout);
    };
    const key = join(second.dataDir, "keys", "node-key.json");
    await there("faucet", "--key", key, "--amount", "1T", "--wait");
    for (let gift = 0; gift < 2; gift += 1) await there("faucet", "--key", alice.key, "--amount", "1000T", "--wait");
    expect(await there("validator", "approve", alice.address, "--key", key, "--wait")).toMatchObject({ is_validator: false });
    const pending = { action: "add", pub_key: alice.pub_key, approval_count: 1, approvals_required: 1, has_consent: false };
    expect(await there("validator", "status")).toMatchObject({ count: 1, proposals: [pending] });
    expect(await there("validator", "status", alice.address)).toMatchObject({ is_validator: false, proposals: [pending] });
    const { stdout } = await runCommand(["validator", "status", "--node", second.baseUrl]);
    expect(stdout).toContain(`pending  add ${alice.address}: 1 of 1 approvals, its own consent is missing`);
    expect(await there("validator", "request", "--key", alice.key, "--wait")).toMatchObject({
      is_validator: true,
      candidate: alice.pub_key,
    });
    expect(await there("validator", "status")).toMatchObject({ count: 2 });
    expect(await there("balance", alice.address)).toMatchObject({ balance_ut: 1_000_000_000 - 1_000 });
    expect(await there("validator", "remove", alice.address, "--key", alice.key)).toMatchObject({ status: "accepted" });
    expect(await second.client.getStatus({})).toMatchObject({ pending_txs: 1 });
  });
});

describe("nodes", () => {
  it("register as relays and collect the fees of what they hold", async () => {
    expect(await done("relay", "register", "--key", nodeKey, "--relay-fee", "500", "--wait")).toMatchObject({ status: "ok" });
    const { relay_pub } = await node.client.getStatus({});
    expect(await done("relay", "status", "--key", nodeKey)).toMatchObject({ relay: { x25519_pub_key: relay_pub, fee_per_msg_ut: 500 } });
    expect((await run("relay", "status")).stdout).toMatch(/^ADDRESS .*\npl1\w+ {2}0\.0005 T {2}none$/);
    for (const msg of ["paid", "paid again"])
      await done("send-msg", "--key", alice.key, "--to", bob.address, "--msg", msg, "--fee", "2000");
    const { pub_key: nodePub } = await done("address", "--key", nodeKey);
    const before = { alice: await balanceOf(alice.address), node: await balanceOf(String(nodePub)) };
    const claimed = await done("relay", "claim", "--key", nodeKey, "--data-dir", node.dataDir, "--wait");
    expect(claimed).toMatchObject({ claims: 2, fees_ut: 4_000, left: 0 });
    expect(await balanceOf(alice.address)).toBe(before.alice - 4_000);
    expect(await balanceOf(String(nodePub))).toBeGreaterThan(before.node);
    expect((await run("relay", "claim", "--key", nodeKey, "--data-dir", node.dataDir)).stdout).toBe("No fees to collect.");
    expect(await done("relay", "status", "--key", nodeKey)).toMatchObject({ relay_proofs: 1, reputation_rank: "Validator" });
    expect((await run("relay", "status", "--key", nodeKey)).stdout).toContain("collected  1 time, for itself");
  });

  it("direct their earnings to a wallet and say that they are there", async () => {
    await done("bind-wallet", "--key", nodeKey, "--wallet-key", bob.key, "--wait");
    const { pub_key } = await done("address", "--key", nodeKey);
    expect(await node.client.getNodeStats({ pubkey: String(pub_key) })).toMatchObject({ wallet_binding_address: bob.address });
    await done("heartbeat", "--key", nodeKey, "--wait");
    expect(await node.client.getNodeStats({ pubkey: String(pub_key) })).toMatchObject({ heartbeats: 1 });
    await done("bind-wallet", "--key", nodeKey, "--wallet-key", nodeKey, "--wait");
    expect(await node.client.getNodeStats({ pubkey: String(pub_key) })).toMatchObject({ wallet_binding_address: "" });
  });

  it("name their peers", async () => {
    expect(await done("peers")).toEqual({ count: 0, peers: [] });
    expect((await run("peers")).stdout).toBe("No peers.");
  });

  it("have a key that opens no mailbox", async () => {
    expect(await refusal("inbox", "--key", nodeKey)).toContain("This is a node key, which cannot encrypt messages");
    expect(await refusal("register-key", "--key", nodeKey)).toContain("This is a node key");
  });
});
