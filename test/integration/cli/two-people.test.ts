// Two people at the command line of one machine: identities, tokens, a payment, contacts, messages, through a real node.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

interface Person {
  readonly key: string;
  readonly address: string;
  readonly pub_key: string;
  readonly x25519_pub: string;
}

let folder: TemporaryFolder;
let node: RunningNode;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  node = await startNode({ dataDir: join(folder.path, "data") });
  [alice, bob] = await Promise.all([keygen("alice"), keygen("bob")]);
});
afterAll(async () => {
  await node.stop();
  await folder.remove();
});

async function keygen(name: string): Promise<Person> {
  const key = join(folder.path, `${name}.json`);
  const { code, stdout } = await runParley(["keygen", "--out", key, "--json"], { env: { PARLEY_KEY_PASSWORD: name } });
  expect(code).toBe(0);
  return { key, ...JSON.parse(stdout) };
}

/** Runs a command as a person and gives its JSON. */
async function as(person: Person, command: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const result = await refused(person, command, ...args);
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout);
}

function refused(person: Person, command: string, ...args: readonly string[]): ReturnType<typeof runParley> {
  const password = person === alice ? "alice" : "bob";
  return runParley([command, "--key", person.key, "--node", node.baseUrl, "--json", ...args], { env: { PARLEY_KEY_PASSWORD: password } });
}

describe("two people at the command line", () => {
  it("get tokens and pay each other, exactly", async () => {
    expect(await as(alice, "faucet", "--amount", "100T", "--wait")).toMatchObject({ status: "ok", block_index: 1 });
    expect(await as(alice, "transfer", "--to", bob.address, "--amount", "1.5T", "--memo", "lunch", "--wait")).toMatchObject({
      status: "ok",
    });
    const back = await as(bob, "transfer", "--to", alice.pub_key, "--amount", "250000", "--fee", "2000", "--wait");
    expect(await as(alice, "balance")).toMatchObject({ balance_ut: 100_000_000 - 1_500_000 - 1_000 + 250_000, tx_count: 3 });
    expect(await as(bob, "balance")).toMatchObject({ balance_ut: 1_500_000 - 250_000 - 2_000, balance: "1.248 T" });
    const { stdout } = await runParley(["tx", String(back.id), "--node", node.baseUrl]);
    expect(stdout).toMatch(/^TRANSFER ok\nblock +3 .*\nfrom +pl1.*\nto +pl1.*\namount +0\.25 T\nfee +0\.002 T\n/);
  });

  it("learn why a payment is refused, and nothing is taken", async () => {
    const before = await as(bob, "balance");
    const broke = await refused(bob, "transfer", "--to", alice.address, "--amount", "1000T");
    expect(broke).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(broke.stderr.split("\n").at(-2) ?? "")).toMatchObject({
      error: expect.stringMatching(/^The node rejected the request: .*balance/),
    });
    expect(await as(bob, "balance")).toEqual(before);
  });

  it("become contacts", async () => {
    await as(alice, "request-contact", "--to", bob.address, "--fee", "6000", "--intro", "It's Alice", "--wait");
    const contacts = async (): Promise<unknown> => (await node.client.listContacts({ pub: bob.pub_key })).contacts;
    expect(await contacts()).toMatchObject([{ requester_pub: alice.pub_key, status: "pending", intro: "It's Alice", fee_ut: 6_000 }]);
    await as(bob, "accept-contact", "--to", alice.address, "--wait");
    expect(await contacts()).toMatchObject([{ status: "accepted" }]);
    await as(bob, "block-contact", "--to", alice.address, "--wait");
    expect(await contacts()).toMatchObject([{ status: "blocked" }]);
  });

  it("exchange messages that the node cannot read, once keys are published", async () => {
    const early = await refused(alice, "send-msg", "--to", bob.address, "--msg", "hello");
    expect(early.code).toBe(1);
    expect(early.stderr).toContain("has not published an encryption key");
    await as(bob, "register-key", "--nickname", "Bob", "--wait");
    await as(alice, "register-key", "--wait");
    const sent = await as(alice, "send-msg", "--to", bob.address, "--msg", "hello\nBob");
    expect(sent).toMatchObject({ status: "sent", count: 1 });
    const stored = await node.client.listInbox({ pub: bob.x25519_pub });
    expect(Buffer.from(stored.items[0]?.ciphertext ?? "", "base64").includes("hello")).toBe(false);
    expect(await as(bob, "inbox", "--limit", "5")).toMatchObject({
      count: 1,
      items: [{ kind: "text", text: "hello\nBob", sender_ed25519_pub: alice.pub_key, sender_verified: true, message_id: sent.message_id }],
    });
    const { stdout } = await runParley(["inbox", "--key", bob.key, "--node", node.baseUrl], { env: { PARLEY_KEY_PASSWORD: "bob" } });
    expect(stdout).toMatch(new RegExp(`^\\d{4}-\\S+Z {2}${alice.address}: hello⏎Bob\n$`));
    expect(await as(bob, "inbox", "--delete")).toMatchObject({ count: 1, deleted: true });
    expect(await as(bob, "inbox")).toMatchObject({ count: 0 });
  });

  it("reach every linked device, and one's own other devices get a copy", async () => {
    await as(bob, "link-device", "--name", "laptop", "--wait");
    const phone = await keygen("phone");
    await as(bob, "link-device", "--name", "phone", "--device", phone.x25519_pub, "--wait");
    expect(await as(alice, "send-msg", "--to", bob.address, "--msg", "to both")).toMatchObject({ count: 2 });
    await as(bob, "send-msg", "--to", alice.address, "--msg", "from the laptop");
    expect(await node.client.countInbox({ pub: phone.x25519_pub })).toMatchObject({ count: 2 });
    await as(bob, "unlink-device", "--device", phone.x25519_pub, "--wait");
    expect(await as(alice, "send-msg", "--to", bob.address, "--msg", "to one")).toMatchObject({ count: 1 });
  });
});

describe("a node that wants a token", () => {
  it("is used with --token-file or SVC_API_TOKEN, and says so without", async () => {
    await using other = await createTemporaryFolder();
    const env = { SVC_API_TOKEN: "secret", SVC_API_PRIVATE: "true" };
    await using locked = await startNode({ dataDir: other.path, env, token: "secret" });
    const balance = (...args: readonly string[]): ReturnType<typeof runParley> =>
      runParley(["balance", alice.address, "--node", locked.baseUrl, ...args]);
    expect(await balance()).toMatchObject({ code: 1, stderr: expect.stringContaining("requires an API token: give it with --token-file") });
    const tokenFile = join(other.path, "token");
    await writeFile(tokenFile, "secret\n", { mode: 0o600 });
    expect(await balance("--token-file", tokenFile)).toMatchObject({ code: 0, stdout: "0 T\n" });
    const byVariable = await runParley(["balance", alice.address, "--node", locked.baseUrl], { env: { SVC_API_TOKEN: "secret" } });
    expect(byVariable.code).toBe(0);
    expect(locked.log()).not.toContain("secret");
  });
});
