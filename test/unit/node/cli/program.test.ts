import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProgram, runCommandLine } from "#node/cli/program.ts";
import { deviceKeyOf, readKeyFile } from "#node/cli/session/keys/key-file.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { INBOX_PROOF_HEADER, isInboxProof } from "#shared/api/inbox-proof.ts";
import { REQUIRED_FEATURES } from "#shared/api/version.ts";
import { type BoxDeletion, isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import { boxKeyPair, x25519 } from "#shared/protocol/mail/envelope.ts";
import { parseAddress } from "#shared/protocol/primitives/address.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromBase64, fromHex, toHex } from "#shared/util/bytes.ts";
import { type FakeCommandContext, fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const OTHER = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

const noNode = (): Promise<number> => Promise.reject(new Error("no node was asked for"));
const run = (args: readonly string[], context: FakeCommandContext): Promise<number> => runCommandLine(args, context, noNode);

async function plainKey(name = "key.json"): Promise<string> {
  const path = join(folder.path, name);
  expect(await run(["keygen", "--out", path, "--plain"], fakeCommandContext())).toBe(0);
  return path;
}

describe("usage", () => {
  it("prints help on standard output and ends well", async () => {
    const context = fakeCommandContext();
    expect(await run(["--help"], context)).toBe(0);
    expect(context.out.join("\n")).toContain("Usage: parley");
    expect(context.err).toEqual([]);
  });

  it("lists 50 envelopes of an inbox unless it is asked for another number", async () => {
    const context = fakeCommandContext();
    expect(await run(["inbox", "--help"], context)).toBe(0);
    expect(context.out.join("\n")).toMatch(/--limit <count>\s+maximum number \(default: 50\)/);
  });

  it("prints the build with --version, also behind a command", async () => {
    for (const args of [["--version"], ["node", "--version"]]) {
      const context = fakeCommandContext();
      expect(await run(args, context)).toBe(0);
      expect(context.out.join("\n")).toMatch(/^parley \d+\.\d+\.\d+ \(tag \S+, commit \S+, date \S+, dirty (true|false)\)$/);
    }
  });

  it.each([
    [["nonsense"], /unknown command 'nonsense'/],
    [["balance", "--nonsense"], /unknown option '--nonsense'/],
    [["transfer", "--to", OTHER], /required option '--key <file>' not specified|required option '--amount <amount>' not specified/],
    [["inbox", "--key", "k", "--limit", "0"], /--limit <count>.*'0' is invalid/],
    [["transfer", "--key", "k", "--to", OTHER, "--amount", "1", "--fee", "0.1"], /--fee <amount>.*"0\.1" has no unit: write .* 1\.5T/],
    [["transfer", "--key", "k", "--to", OTHER, "--amount", "1", "--fee", "0"], /--fee <amount>.*at least 1 µT/],
    [["transfer", "--key", "k", "--to", "@two words", "--amount", "1"], /A username has letters, digits/],
    [["balance"], /Specify one account/],
    [["balance", "nope"], /"nope" is neither an address \(pl1…\) nor a hex public key/],
    [["balance", OTHER, "--node", "localhost"], /"localhost" is not a node address/],
    [["transfer", "--key", "k", "--to", OTHER, "--amount", "much"], /--amount <amount>.*"much" is not an amount/],
    [["node", "--stats-addr", "8080"], /"8080" is not an address to listen on/],
    [["node", "--mode", "archive"], /--mode is "archive": write full or validator or light/],
    [["node", "--mode", "light"], /A light node asks other nodes for everything: name some with --bootstrap/],
  ])("refuses %j with one sentence and exit code 2", async (args, message) => {
    const context = fakeCommandContext();
    expect(await run(args, context)).toBe(2);
    expect(context.err.join("\n")).toMatch(message);
    expect(context.err.join("\n")).not.toMatch(/\n\s+at /);
    expect(context.out).toEqual([]);
  });

  it("says errors as JSON with --json", async () => {
    const context = fakeCommandContext();
    expect(await run(["balance", OTHER, "--json"], context)).toBe(5);
    expect(JSON.parse(context.err.join(""))).toEqual({ error: expect.stringContaining("cannot be reached"), code: "UNAVAILABLE" });
  });

  it("starts a node with the configuration of flags and gives its exit code", async () => {
    const configs: NodeConfig[] = [];
    const exitCode = await runCommandLine(
      ["node", "--dev", "--data-dir", folder.path, "--stats-addr", ":0", "--rate-limit", "9"],
      fakeCommandContext(),
      async (config) => {
        configs.push(config);
        return 7;
      },
    );
    expect(exitCode).toBe(7);
    expect(configs).toMatchObject([
      { dataDir: folder.path, isDevelopment: true, statsAddress: { host: "::", port: 0 }, api: { limits: { requestsPerSecond: 9 } } },
    ]);
  });
});

describe("keygen and address", () => {
  it("asks for a password twice and prints the phrase only when asked to", async () => {
    const path = join(folder.path, "key.json");
    const context = fakeCommandContext({ answers: ["secret", "secret"] });
    expect(await run(["keygen", "--out", path, "--phrase", "--json"], context)).toBe(0);
    const result = JSON.parse(context.out.join(""));
    expect(result.phrase.split(" ")).toHaveLength(24);
    expect(parseAddress(result.address)).toBe(result.pub_key);
    expect(await readFile(path, "utf8")).not.toContain(result.phrase);
    const address = fakeCommandContext();
    expect(await run(["address", "--key", path], address)).toBe(0);
    expect(address.out).toEqual([result.address, result.pub_key]);
  });

  it("takes the password of a file or of the environment", async () => {
    const passwordFile = join(folder.path, "password");
    await writeFile(passwordFile, "from file\n");
    for (const [name, extra, environment] of [
      ["a.json", ["--password-file", passwordFile], {}],
      ["b.json", [], { keyPassword: "from environment" }],
    ] as const) {
      const context = fakeCommandContext({ environment });
      expect(await run(["keygen", "--out", join(folder.path, name), ...extra], context)).toBe(0);
      expect(context.out).toHaveLength(1);
      expect(context.err).toEqual([]);
    }
  });

  it.each([
    [{}, /--plain writes it without a password/],
    [{ answers: ["one", "two"] }, /two passwords differ/],
    [{ answers: ["", ""] }, /password is empty/],
  ])("writes nothing without a good password (%j)", async (surroundings, message) => {
    const path = join(folder.path, "key.json");
    const context = fakeCommandContext(surroundings);
    expect(await run(["keygen", "--out", path], context)).toBe(2);
    expect(context.err.join("")).toMatch(message);
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("keeps an existing file and warns of a plain one", async () => {
    const path = join(folder.path, "key.json");
    const first = fakeCommandContext();
    expect(await run(["keygen", "--out", path, "--plain"], first)).toBe(0);
    expect(first.err.join("")).toContain("stores the keys unencrypted");
    const text = await readFile(path, "utf8");
    const second = fakeCommandContext();
    expect(await run(["keygen", "--out", path, "--plain"], second)).toBe(2);
    expect(second.err.join("")).toContain("already exists: choose another --out");
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("says how to give the password of a sealed key", async () => {
    const path = join(folder.path, "key.json");
    expect(await run(["keygen", "--out", path], fakeCommandContext({ answers: ["p", "p"] }))).toBe(0);
    const withoutPassword = fakeCommandContext();
    expect(await run(["inbox", "--key", path], withoutPassword)).toBe(2);
    expect(withoutPassword.err.join("")).toMatch(
      /key file is encrypted: give its password with --password-file FILE or PARLEY_KEY_PASSWORD/,
    );
    const wrong = fakeCommandContext({ answers: ["q"] });
    expect(await run(["inbox", "--key", path], wrong)).toBe(1);
    expect(wrong.err.join("")).toContain("Wrong password for the key file");
  });
});

describe("support check", () => {
  const versionOf = (version: object): HttpFetch =>
    answering({ "/api/well-known-version": version, "/api/address/": { balance: "1 T", balance_ut: 1_000_000 } });

  it.each([
    [{ protocol_version: 1, features: REQUIRED_FEATURES }, /^$/],
    [{ protocol_version: 2, features: REQUIRED_FEATURES }, /not supported: it speaks protocol version 2, this program 1/],
    [{ protocol_version: 1, features: REQUIRED_FEATURES.filter((name) => name !== "feed_v2") }, /not supported: it lacks feed_v2\./],
  ])("warns in words and continues (%j)", async (version, warning) => {
    const context = fakeCommandContext({ fetch: versionOf(version) });
    expect(await run(["balance", OTHER], context)).toBe(0);
    expect(context.err.join("\n")).toMatch(warning);
    expect(context.out).toEqual(["1 T"]);
  });

  it("proceeds when the version cannot be read", async () => {
    const context = fakeCommandContext({ fetch: answering({ "/api/address/": { balance: "1 T", balance_ut: 1_000_000 } }) });
    expect(await run(["balance", OTHER], context)).toBe(0);
    expect(context.err).toEqual([]);
  });
});

describe("submitting", () => {
  it("signs for the node's chain, sends the token and waits for the block", async () => {
    const requests: Request[] = [];
    const answers = {
      "/api/network-info": { chain_id: "test-chain" },
      "/api/tx": { status: "accepted", id: "set below" },
      "/api/tx/": { status: "ok", block_index: 3 },
    };
    const key = await plainKey();
    const context = fakeCommandContext({ fetch: answering(answers, requests), environment: { apiToken: "token" } });
    const args = ["transfer", "--key", key, "--to", OTHER, "--amount", "1.5T", "--fee", "2000", "--memo", "lunch", "--wait", "--json"];
    expect(await run(args, context)).toBe(0);
    expect(JSON.parse(context.out.join(""))).toMatchObject({ status: "ok", block_index: 3 });
    const submitted = requests.find((request) => request.path === "/api/tx");
    expect(submitted?.headers.authorization).toBe("Bearer token");
    const { tx } = parseTransaction(JSON.parse(submitted?.body ?? ""), "test-chain");
    expect(tx).toMatchObject({ type: "TRANSFER", to: OTHER, amount: 1_500_000, fee: 2_000, timestamp: "2026-01-01T00:00:00Z" });
    expect(JSON.parse(Buffer.from(tx.payload, "base64").toString())).toEqual({ memo: "lunch" });
    expect(verifyZip215(fromBase64(tx.signature), signedBytes(tx), fromHex(tx.from))).toBe(true);
  });

  it("pays the contact amount of --fee in µT and the least transaction fee", async () => {
    const requests: Request[] = [];
    const answers = { "/api/network-info": { chain_id: "test-chain" }, "/api/tx": { status: "accepted", id: "x" } };
    const context = fakeCommandContext({ fetch: answering(answers, requests) });
    expect(await run(["request-contact", "--key", await plainKey(), "--to", OTHER, "--fee", "6000", "--intro", "Hi"], context)).toBe(0);
    const { tx } = parseTransaction(JSON.parse(requests.find((request) => request.path === "/api/tx")?.body ?? ""), "test-chain");
    expect(tx).toMatchObject({ type: "CONTACT_REQUEST", amount: 6_000, fee: 1_000 });
  });

  it("fails when the transaction failed in its block", async () => {
    const answers = {
      "/api/network-info": { chain_id: "test-chain" },
      "/api/tx": { status: "accepted", id: "x" },
      "/api/tx/": { status: "failed", block_index: 3, error: "The balance covers the fee but not the amount." },
    };
    const context = fakeCommandContext({ fetch: answering(answers) });
    expect(await run(["transfer", "--key", await plainKey(), "--to", OTHER, "--amount", "1", "--wait"], context)).toBe(1);
    expect(context.err.join("")).toMatch(/failed in block 3: The balance covers the fee/);
  });

  it("gives up waiting after a minute and says where to look", async () => {
    const answers = { "/api/network-info": { chain_id: "test-chain" }, "/api/tx": { status: "accepted", id: "x" } };
    const context = fakeCommandContext({ fetch: answering(answers) });
    expect(await run(["transfer", "--key", await plainKey(), "--to", OTHER, "--amount", "1", "--wait"], context)).toBe(1);
    expect(context.err.join("")).toContain('was not in a block after 60 s: check later with "parley tx x"');
  });
});

describe("lists of the command line", () => {
  it("show as much as documented where no limit is named", async () => {
    const program = await createProgram(fakeCommandContext(), { runNode: () => Promise.reject(new Error("no node was asked for")) });
    const all = program.commands.flatMap((command) => [command, ...command.commands.filter(({ commands }) => commands.length === 0)]);
    const limits = all.flatMap((command) => {
      const limit = command.options.find(({ long }) => long === "--limit");
      return limit === undefined ? [] : [[`${command.parent?.name()} ${command.name()}`, limit.defaultValue]];
    });
    expect(Object.fromEntries(limits)).toEqual({
      "channel list": 100,
      "contract list": 100,
      "contract logs": 20,
      "nft list": 100,
      "parley contacts": 100,
      "relay status": 100,
      "parley blocks": 20,
      "parley history": 50,
      "parley inbox": 50,
      "parley search": 10,
      "parley stats": 24,
      "parley transactions": 20,
      "token list": 100,
    });
  });
});

describe("inbox --delete", () => {
  const relay = boxKeyPair(new Uint8Array(32).fill(5));
  const itemOf = (n: number): Record<string, unknown> & { readonly id: string } => ({
    id: `e${n}`,
    sender_pub: toHex(relay.publicKey),
    sender_ed25519_pub: "",
    recipient_pub: "",
    fee_ut: 0,
    sent_at: 1,
    sent_at_human: "1970-01-01T00:00:01Z",
    nonce: "",
    ciphertext: "",
  });
  const answers = {
    "/api/network-info": { chain_id: "test-chain" },
    "/api/status": { relay_pub: toHex(relay.publicKey), inbox_auth_required: true },
    "/api/blocks": [{ index: 7 }],
  };

  it("signs for all nodes, at most 256 messages at once", async () => {
    const key = await plainKey();
    const requests: Request[] = [];
    const items = Array.from({ length: 600 }, (_, n) => itemOf(n));
    const deleted = { pub: "", count: 1, status: "deleted" };
    const fetch = answering({ ...answers, "/relay/inbox": { items, has_more: false }, "/relay/inbox/delete": deleted }, requests);
    expect(await run(["inbox", "--key", key, "--limit", "1000", "--delete"], fakeCommandContext({ fetch }))).toBe(0);
    const bodies = requests
      .filter(({ path }) => path.startsWith("/relay/inbox/"))
      .map(({ body }) => JSON.parse(body ?? "") as BoxDeletion & { readonly pub: string });
    expect(bodies.map(({ ids }) => ids.length)).toEqual([256, 256, 88]);
    expect(bodies.flatMap(({ ids }) => ids)).toEqual(items.map(({ id }) => id));
    const mailbox = deviceKeyOf(readKeyFile(key));
    for (const { pub, ids, height, signature } of bodies) {
      expect({ pub, height }).toEqual({ pub: mailbox, height: 7 });
      expect(await isSignedDeletion("test-chain", { mailbox, ids, height, signature }, verifyZip215)).toBe(true);
      expect(await isSignedDeletion("other-chain", { mailbox, ids, height, signature }, verifyZip215)).toBe(false);
    }
  });

  it("proves the mailbox key for each message where the node takes no signatures", async () => {
    const key = await plainKey();
    const requests: Request[] = [];
    const items = [itemOf(1), itemOf(2)];
    const fetch = answering(
      {
        ...answers,
        "/relay/inbox": { items, has_more: false },
        "/relay/inbox/e1": { id: "e1", status: "deleted" },
        "/relay/inbox/e2": { id: "e2", status: "deleted" },
      },
      requests,
    );
    const context = fakeCommandContext({ fetch });
    expect(await run(["inbox", "--key", key, "--delete"], context)).toBe(0);
    const line = `1970-01-01T00:00:01Z  unknown sender ${toHex(relay.publicKey)}: (cannot be opened with this key)`;
    expect(context.out).toEqual([line, line]);
    const secret = x25519(relay.secretKey, fromHex(deviceKeyOf(readKeyFile(key)))) ?? new Uint8Array();
    for (const { id } of items) {
      const path = `/relay/inbox/${id}`;
      const proof = requests.find((request) => request.path === path)?.headers[INBOX_PROOF_HEADER] ?? "";
      expect(isInboxProof(proof, secret, { method: "DELETE", path }, 1_767_225_600)).toBe(true);
    }
  });

  it("says so when the node does not delete, and asks for nothing where nothing waits", async () => {
    const key = await plainKey();
    const refusing = fakeCommandContext({ fetch: answering({ ...answers, "/relay/inbox": { items: [itemOf(1)], has_more: false } }) });
    expect(await run(["inbox", "--key", key, "--delete"], refusing)).toBe(1);
    expect(refusing.err.join("")).toContain("not found");
    const requests: Request[] = [];
    const none = { "/relay/inbox": { items: [], has_more: false }, "/api/identity/": { x25519_pub: deviceKeyOf(readKeyFile(key)) } };
    const devices = { "/api/devices/": { devices: [] } };
    const empty = fakeCommandContext({ fetch: answering({ ...answers, ...none, ...devices }, requests) });
    const code = await run(["inbox", "--key", key, "--delete"], empty);
    expect({ code, err: empty.err }).toEqual({ code: 0, err: [] });
    expect(requests.filter(({ path }) => path.startsWith("/relay/inbox/") || path === "/api/blocks")).toEqual([]);
  });
});

interface Request {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** A node with fixed answers by path; a path that ends in "/" matches all below it, any other path is a 404. */
function answering(answers: Readonly<Record<string, object>>, requests: Request[] = []): HttpFetch {
  return async (url, { headers, body }) => {
    const path = new URL(url).pathname;
    requests.push({ path, headers, body });
    const name =
      answers[path] === undefined ? Object.keys(answers).find((prefix) => prefix.endsWith("/") && path.startsWith(prefix)) : path;
    const answer = name === undefined ? undefined : answers[name];
    return { status: answer === undefined ? 404 : 200, text: async () => JSON.stringify(answer ?? { error: "not found" }) };
  };
}
