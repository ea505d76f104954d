// The transaction that each command signs, against a node of fixed answers.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { deploymentLimit } from "#node/contracts/check-module.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { emptyModule } from "#test/support/chain/contract-calls.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { buildModule } from "#test/support/vm/wasm-builder.ts";
import { alice, bob, deviceKey } from "#test/support/worlds/ledger-world.ts";

const MODULE = emptyModule();

const CHAIN_ID = "test-chain";
const [REGISTRY, TOKENS, NFTS] = [nativeContractId("username_registry"), nativeContractId("tokens"), nativeContractId("nfts")];
const ESCROW = nativeContractId("escrow");
const OTHER_REGISTRY = "00000000000000aa";
const CONTRACT = "0123456789abcdef";
const RELAY_PUB = deviceKey(40);
const OWN_DEVICE = toHex(boxKeyPair(new Uint8Array(32).fill(2)).publicKey);
const NOW_S = 1_767_225_600;

let folder: TemporaryFolder;
let key: string;
let nodeKey: string;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  [key, nodeKey] = [join(folder.path, "key.json"), join(folder.path, "node-key.json")];
  const device = { device_public_key: OWN_DEVICE, device_secret_key: "02".repeat(32) };
  await writeFile(
    key,
    JSON.stringify({ format: "parley-key", version: 1, public_key: alice.pub, secret_key: toHex(alice.seed), ...device }),
  );
  await writeFile(nodeKey, JSON.stringify({ kind: "ed25519", public_key: bob.pub, secret_key: toHex(bob.seed) }));
  await writeFile(join(folder.path, "c.wasm"), MODULE);
  await writeFile(join(folder.path, "c.json"), JSON.stringify({ contract: "shop", version: "1", methods: [] }));
});
afterAll(() => folder.remove());

interface Outcome {
  readonly code: number;
  readonly err: string;
  readonly result: Readonly<Record<string, unknown>>;
  readonly tx: Transaction | undefined;
}

const contractOf = (id: string): object => ({ contract_id: id, name: "n", deployed_at: 0 });

/** Runs a command with --json against a node that knows @bob, in one registry or another. */
async function run(args: readonly string[], environment = {}, nodes: Readonly<Record<string, object>> = {}): Promise<Outcome> {
  let submitted: string | undefined;
  const owner = (pub: string): object => ({ value_b64: Buffer.from(utf8(pub)).toString("base64") });
  const answers: Readonly<Record<string, object>> = {
    "/api/network-info": { chain_id: CHAIN_ID },
    "/api/status": { relay_pub: RELAY_PUB },
    "/api/well-known-contracts": {
      contracts: {
        username_registry: contractOf(REGISTRY),
        tokens: contractOf(TOKENS),
        nfts: contractOf(NFTS),
        escrow: contractOf(ESCROW),
      },
    },
    [`/api/contracts/${REGISTRY}/state/name%3Abob`]: owner(bob.pub),
    "/api/genesis": { params: { validator_bond_ut: 1_000_000 } },
    "/api/relays": [],
    [`/api/node/${alice.pub}`]: { node_balance_ut: 1_001_000 },
    [`/api/node/${bob.pub}`]: { node_balance_ut: 1_000_000 },
    [`/api/devices/${alice.pub}`]: {
      devices: [
        { x25519_pub_key: RELAY_PUB, device_name: "phone", added_at: 1 },
        { x25519_pub_key: deviceKey(41), device_name: "twin", added_at: 1 },
        { x25519_pub_key: deviceKey(42), device_name: "twin", added_at: 2 },
      ],
    },
    ...nodes,
    [`/api/contracts/${REGISTRY}/state/name%3Amissing`]: { value_b64: null },
    [`/api/contracts/${OTHER_REGISTRY}/state/name%3Abob`]: owner("no key"),
  };
  const fetch: HttpFetch = async (url, { body }) => {
    const { pathname } = new URL(url);
    if (pathname === "/api/tx") submitted = body;
    const answer = pathname === "/api/tx" ? { status: "accepted", id: JSON.parse(body ?? "").id } : answers[pathname];
    return { status: answer === undefined ? 404 : 200, text: async () => JSON.stringify(answer ?? { error: "not found" }) };
  };
  const context = fakeCommandContext({ fetch, environment, nowMs: NOW_S * 1000 });
  const code = await runCommandLine([...args, "--json"], context, () => Promise.reject(new Error("no node was asked for")));
  const result = context.out.length === 0 ? {} : JSON.parse(context.out.join(""));
  return {
    code,
    err: context.err.join("\n"),
    result,
    tx: submitted === undefined ? undefined : parseTransaction(JSON.parse(submitted), CHAIN_ID).tx,
  };
}

const call = (contractId: string, method: string, args_json: string, gas_limit = 1_000_000): object => ({
  contract_id: contractId,
  method,
  args_json,
  gas_limit,
});

describe("a command signs", () => {
  it.each<readonly [string, object, object]>([
    [
      "transfer --to @bob --amount 1.5T --fee 0.002T --memo hi",
      { type: "TRANSFER", to: bob.pub, amount: 1_500_000, fee: 2_000 },
      { memo: "hi" },
    ],
    [`transfer --to ${formatAddress(bob.pub)} --amount 7`, { type: "TRANSFER", to: bob.pub, amount: 7, fee: 1_000 }, {}],
    ["request-contact --to @BOB --fee 0.01T --intro Hi", { type: "CONTACT_REQUEST", to: bob.pub, amount: 10_000 }, { intro: "Hi" }],
    ["request-contact --to @bob", { type: "CONTACT_REQUEST", amount: 5_000 }, {}],
    ["accept-contact --to @bob", { type: "ACCEPT_CONTACT", to: bob.pub }, {}],
    ["block-contact --to @bob", { type: "BLOCK_CONTACT", to: bob.pub }, {}],
    ["register-key --nickname Al", { type: "REGISTER_KEY" }, { x25519_pub_key: OWN_DEVICE, nickname: "Al" }],
    ["link-device --name pc", { type: "LINK_DEVICE" }, { x25519_pub_key: OWN_DEVICE, device_name: "pc" }],
    [`unlink-device --device ${RELAY_PUB}`, { type: "UNLINK_DEVICE" }, { x25519_pub_key: RELAY_PUB }],
    ["register-username @Al.1", { type: "CALL_CONTRACT", amount: 10_000 }, call(REGISTRY, "register", '["al.1"]')],
    ["register-username al.1 --registry 00000000000000AA", { amount: 10_000 }, call(OTHER_REGISTRY, "register", '["al.1"]')],
    ["release-username al.1", { amount: 0 }, call(REGISTRY, "release", '["al.1"]')],
    ["transfer-username al.1 --to @bob", { amount: 0 }, call(REGISTRY, "transfer", `["al.1","${bob.pub}"]`)],
    [`call-contract --contract ${CONTRACT} --method m`, { type: "CALL_CONTRACT", amount: 0 }, call(CONTRACT, "m", "")],
    [
      `call-contract --contract ${CONTRACT} --method m --arg64 18446744073709551615 --arg 2 --arg64 007 --arg a"b --gas 5 --amount 2T`,
      { amount: 2_000_000 },
      call(CONTRACT, "m", '[18446744073709551615,"2",7,"a\\"b"]', 5),
    ],
    [
      `call-contract --contract ${CONTRACT} --method m --args [18446744073709551615,true,{"a":null}]`,
      { amount: 0 },
      call(CONTRACT, "m", '[18446744073709551615,true,{"a":null}]'),
    ],
    [
      "token issue au --name Gold --symbol AU --supply 18446744073709551615",
      {},
      call(TOKENS, "issue", '["au","Gold","AU",0,18446744073709551615]'),
    ],
    ["token transfer au --to @bob --amount 3", {}, call(TOKENS, "transfer", `["au","${bob.pub}",3]`)],
    ["token burn au --amount 3", {}, call(TOKENS, "burn", '["au",3]')],
    ["token approve au --spender @bob --amount 3", {}, call(TOKENS, "approve", `["au","${bob.pub}",3]`)],
    [
      `token transfer-from au --from ${alice.pub} --to @bob --amount 3`,
      {},
      call(TOKENS, "transfer_from", `["au","${alice.pub}","${bob.pub}",3]`),
    ],
    [
      "escrow open d-1 --seller @bob --amount 2T --expires 12h",
      { amount: 2_000_000 },
      call(ESCROW, "open", `["d-1","${bob.pub}","",${NOW_S + 43_200}]`),
    ],
    ["escrow release d-1", { amount: 0 }, call(ESCROW, "release", '["d-1"]')],
    ["escrow refund d-1", {}, call(ESCROW, "refund", '["d-1"]')],
    ["escrow dispute d-1", {}, call(ESCROW, "dispute", '["d-1"]')],
    ["escrow resolve d-1 --to seller", {}, call(ESCROW, "resolve", '["d-1",true]')],
    ["escrow resolve d-1 --to buyer", {}, call(ESCROW, "resolve", '["d-1",false]')],
    ["escrow timeout d-1", {}, call(ESCROW, "timeout", '["d-1"]')],
    ["nft mint one --name One", {}, call(NFTS, "mint", '["one","One",""]')],
    ["nft transfer one --to @bob", {}, call(NFTS, "transfer", `["one","${bob.pub}"]`)],
    ["nft burn one", {}, call(NFTS, "burn", '["one"]')],
    ["validator request", { type: "ADD_VALIDATOR" }, { pub_key: alice.pub }],
    ["validator approve @bob", { type: "ADD_VALIDATOR" }, { pub_key: bob.pub }],
    ["unlink-device --device phone", { type: "UNLINK_DEVICE" }, { x25519_pub_key: RELAY_PUB }],
    ["validator remove @bob", { type: "REMOVE_VALIDATOR" }, { pub_key: bob.pub }],
    ["relay register --relay-fee 0.0005T", { type: "REGISTER_RELAY" }, { x25519_pub_key: RELAY_PUB, fee_per_msg_ut: 500 }],
    [
      `relay register --relay-fee 0 --x25519 ${RELAY_PUB.toUpperCase()} --multiaddr /dns/a`,
      { type: "REGISTER_RELAY" },
      { x25519_pub_key: RELAY_PUB, fee_per_msg_ut: 0, multiaddr: "/dns/a" },
    ],
    [
      "relay register --relay-fee 0 --multiaddr /ip4/81.2.69.142/tcp/1 --bond 0.5T",
      { type: "REGISTER_RELAY", amount: 0 },
      { x25519_pub_key: RELAY_PUB, fee_per_msg_ut: 0, multiaddr: "/ip4/81.2.69.142/tcp/1", bond_ut: 500_000 },
    ],
    ["heartbeat", { type: "HEARTBEAT", amount: 0 }, {}],
  ])("%s", async (line, fields, payload) => {
    const { code, err, tx } = await run([...line.split(" "), "--key", key]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(tx).toMatchObject({ from: alice.pub, ...fields });
    expect(decodePayload(tx?.payload ?? "")).toEqual(payload);
  });

  it("relay withdraw takes the bond back, and what was announced stays", async () => {
    const announced = { x25519_pub_key: RELAY_PUB, fee_per_msg_ut: 7, multiaddr: "/ip4/81.2.69.142/tcp/1" };
    const relayWith = (keeper?: object): Record<string, object> => ({
      "/api/relays": [{ pub_key: alice.pub, address: formatAddress(alice.pub), relay: announced, ...(keeper && { keeper }) }],
    });
    const { tx } = await run(["relay", "withdraw", "--key", key], {}, relayWith({ bond_ut: 50_000, standing: "in" }));
    expect([tx?.type, decodePayload(tx?.payload ?? "")]).toEqual(["REGISTER_RELAY", { ...announced, bond_ut: 0 }]);
    const fetched = await run(["relay", "withdraw", "--key", key], {}, relayWith({ bond_ut: 0, withdrawn_ut: 5, available_at: NOW_S }));
    expect(fetched.tx).toMatchObject({ type: "REGISTER_RELAY" });
  });

  it.each([
    ["has no bond", undefined],
    ["has no bond", { bond_ut: 0, standing: "none" }],
    ["is locked until 2026-01-01T00:00:01Z", { bond_ut: 0, withdrawn_ut: 5, available_at: NOW_S + 1 }],
  ])("relay withdraw pays no fee for what is not there: %s, of %j", async (words, keeper) => {
    const relay = { pub_key: alice.pub, address: formatAddress(alice.pub), relay: { x25519_pub_key: RELAY_PUB, fee_per_msg_ut: 7 } };
    const { code, err, tx } = await run(
      ["relay", "withdraw", "--key", key],
      {},
      { "/api/relays": [{ ...relay, ...(keeper && { keeper }) }] },
    );
    expect([code, tx, err]).toEqual([1, undefined, expect.stringContaining(words)]);
  });

  it.each([
    ["no public address", "--bond 500T --multiaddr /ip4/192.168.1.2/tcp/1", "--multiaddr"],
    ["no address", "--bond 500T", "--multiaddr"],
    ["nothing in it", "--bond 0 --multiaddr /ip4/81.2.69.142/tcp/1", "relay withdraw"],
    ["too little in it", "--bond 0.049999T --multiaddr /ip4/81.2.69.142/tcp/1", "is 0.05 T or more, not 0.049999 T"],
    [
      "more in it than there is",
      "--bond 2T --multiaddr /ip4/81.2.69.142/tcp/1",
      "has 1.001 T: 1 T are missing for a bond of 2 T and the fee",
    ],
  ])("relay register takes no bond with %s", async (_name, options, words) => {
    const { code, err, tx } = await run(["relay", "register", "--relay-fee", "0", ...options.split(" "), "--key", key]);
    expect([code > 0, tx, err]).toEqual([true, undefined, expect.stringContaining(words)]);
  });

  it.each([
    ["0.3T", "0.4 T are locked already"],
    ["1.402T", "0.002 T are missing"],
    ["1.4T", undefined],
  ])("relay register with a bond of %s, where 0.4 T are locked or on their way back", async (bond, words) => {
    const keeper = { bond_ut: 0, withdrawn_ut: 400_000, available_at: NOW_S + 1, standing: "out" };
    const relay = { pub_key: alice.pub, relay: { x25519_pub_key: RELAY_PUB, fee_per_msg_ut: 7 }, keeper };
    const options = ["--relay-fee", "0", "--multiaddr", "/ip4/81.2.69.142/tcp/1", "--bond", bond];
    const { err, tx } = await run(["relay", "register", ...options, "--key", key], {}, { "/api/relays": [relay] });
    expect([tx === undefined, err]).toEqual([words !== undefined, expect.stringContaining(words ?? "")]);
  });

  it.each<readonly [string, string, object, string | undefined]>([
    [
      "validator request",
      alice.pub,
      { node_balance_ut: 400_000 },
      "has 0.4 T and pays a fee of 0.001 T now; the bond of a validator is 1 T: 0.601 T are missing",
    ],
    [
      "validator request --fee 5000",
      alice.pub,
      { node_balance_ut: 1_001_000 },
      "pays a fee of 0.005 T now; the bond of a validator is 1 T: 0.004 T are missing",
    ],
    [
      "validator approve @bob",
      bob.pub,
      { node_balance_ut: 999_999 },
      "has 0.999999 T; the bond of a validator is 1 T: 0.000001 T are missing",
    ],
    ["validator request", alice.pub, { node_balance_ut: 401_000, validator: { in_set: false, bond_ut: 600_000 } }, undefined],
    ["validator request", alice.pub, { node_balance_ut: 0, validator: { in_set: true, bond_ut: 1_000_000 } }, undefined],
  ])("%s of a candidate of whom %s says %j after it has warned", async (line, candidate, stats, warning) => {
    const { code, err, tx } = await run([...line.split(" "), "--key", key], {}, { [`/api/node/${candidate}`]: stats });
    expect({ code, type: tx?.type }).toEqual({ code: 0, type: "ADD_VALIDATOR" });
    if (warning === undefined) expect(err).toBe("");
    else {
      expect(err).toContain(warning);
      expect(err).toMatch(new RegExp(`^Warning: ${formatAddress(candidate)} .* fails until they are there\\.$`, "u"));
    }
  });

  it.each([
    [`transfer --to ${formatAddress(bob.pub)} --amount 7`, 4_000],
    [`transfer --to ${formatAddress(bob.pub)} --amount 7 --fee 5000`, 5_000],
    ["accept-contact --to @bob", 4_000],
    [`call-contract --contract ${CONTRACT} --method m`, 4_000],
  ])("%s with the smallest fee that the network has by now, or the given one", async (line, fee) => {
    const { tx } = await run([...line.split(" "), "--key", key], {}, { "/api/params": { params: { min_fee_ut: 4_000 } } });
    expect(tx?.fee).toBe(fee);
  });

  it.each([1_000_001, 9e15, 0, 1.5, "2"])("nothing where the node reports %s µT as the smallest fee", async (least) => {
    const nodes = { "/api/params": { params: { min_fee_ut: least } } };
    const { code, err, tx } = await run(["transfer", "--to", formatAddress(bob.pub), "--amount", "7", "--key", key], {}, nodes);
    expect([code, tx]).toEqual([1, undefined]);
    expect(err).toContain("which no network can have");
  });

  it("deploy-contract with the gas that storing the module costs, or the given one", async () => {
    const files = ["--wasm", join(folder.path, "c.wasm"), "--abi", join(folder.path, "c.json"), "--key", key];
    const { tx, result } = await run(["deploy-contract", ...files]);
    const abiJson = '{"contract":"shop","version":"1","methods":[]}';
    const gas = 100_000 + 200 * (MODULE.length + abiJson.length);
    expect(decodePayload(tx?.payload ?? "")).toEqual({ wasm_b64: toBase64(MODULE), abi_json: abiJson, gas_limit: gas });
    expect(result.contract_id).toMatch(/^[0-9a-f]{16}$/);
    const initialised = await run(["deploy-contract", ...files, "--init-args", "[]"]);
    expect(decodePayload(initialised.tx?.payload ?? "")).toMatchObject({
      init_args_json: "[]",
      gas_limit: deploymentLimit({ code: MODULE, abiJson }, true),
    });
  });

  it.each<[string, Uint8Array, string, readonly string[]]>([
    ["a module that the network refuses", buildModule({ memory: null }), "[]", []],
    ["a method that is not exported", MODULE, '[{"name":"sing","args":[]}]', []],
    ["arguments for nothing", MODULE, "[]", ["--init-args", "[1]"]],
  ])("deploy-contract stops at %s before anything is paid", async (name, code, methods, more) => {
    const [wasm, abi] = [join(folder.path, "bad.wasm"), join(folder.path, "bad.json")];
    await writeFile(wasm, code);
    await writeFile(abi, `{"contract":"shop","version":"1","methods":${methods}}`);
    const { code: exitCode, err, tx } = await run(["deploy-contract", "--wasm", wasm, "--abi", abi, "--key", key, ...more]);
    expect([exitCode, tx]).toEqual([2, undefined]);
    const words = { "a module that the network refuses": "it has no memory", "a method that is not exported": "exports no function sing" };
    expect(err).toContain(words[name as keyof typeof words] ?? "a method init");
  });

  it("channel open with a fresh id and a time of its own", async () => {
    const { tx, result } = await run(["channel", "open", "--to", "@bob", "--amount", "3T", "--expires", "90s", "--key", key]);
    expect(tx).toMatchObject({ type: "OPEN_PAY_CHAN", to: bob.pub, amount: 3_000_000 });
    expect(decodePayload(tx?.payload ?? "")).toEqual({ channel_id: result.channel_id, expires_at: NOW_S + 90 });
    expect(result.channel_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it("bind-wallet with the node's key and the wallet's consent", async () => {
    const { tx } = await run(["bind-wallet", "--key", nodeKey, "--wallet-key", key]);
    expect(tx).toMatchObject({ type: "BIND_WALLET", from: bob.pub });
    expect(decodePayload(tx?.payload ?? "")).toEqual({ wallet_pub: alice.pub, wallet_sig: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/) });
  });
});

describe("a command signs nothing and says why", () => {
  it.each([
    ["transfer --to @missing --amount 1T", 1, "No account has the username @missing."],
    ["transfer --to @bob --amount 1.5", 2, "write T with the unit"],
    ["transfer-username al.1 --to @bob --registry 00000000000000aa", 1, "holds no key for @bob: it is not a username registry"],
    ["call-contract --contract 0123 --method m", 2, "A contract id has 16 hex characters"],
    [
      `call-contract --contract ${CONTRACT} --method m --arg64 18446744073709551616`,
      2,
      "It is a whole number from 0 to 18446744073709551615",
    ],
    [`call-contract --contract ${CONTRACT} --method m --arg64 -1`, 2, "It is a whole number"],
    [`call-contract --contract ${CONTRACT} --method m --args [1.5]`, 2, "--args is a JSON list without fractions"],
    [`call-contract --contract ${CONTRACT} --method m --args [] --arg a`, 2, "--args cannot be combined"],
    [`call-contract --contract ${CONTRACT} --method m --gas 100000001`, 2, "Gas is a whole number from 1 to 100000000"],
    ["deploy-contract --wasm nowhere.wasm --abi nowhere.json", 2, "nowhere.wasm cannot be read"],
    ["deploy-contract --wasm package.json --abi package.json", 2, "package.json is not a WebAssembly module"],
    ["channel open --to @bob --amount 1T --expires 365d", 2, "Use a duration like 90s"],
    ["channel close", 2, "Specify one channel: --voucher or --channel"],
    ["channel close --voucher abc", 2, "A voucher is the text that parley channel voucher printed"],
    ["relay register --relay-fee 0.5", 2, "has no unit"],
    ["relay register --relay-fee 5 --x25519 abc", 2, "--x25519 is an X25519 key"],
    ["unlink-device --device laptop", 1, "No device is named laptop: there are phone, twin, twin"],
    ["unlink-device --device twin", 2, "2 devices are named twin: give the key of one"],
    ["escrow open d-1 --seller @bob --amount 1T --expires 365d", 2, "Use a duration like 90s, 30m, 12h or 7d, at most 364d"],
    ["escrow resolve d-1 --to me", 2, "Allowed choices are seller, buyer"],
    ["validator leave", 1, "is no validator"],
    ["validator withdraw", 1, "has no bond to take back"],
    ["link-device --name pc --device abc", 2, "devicePub is 64 hex characters"],
  ])("%s", async (line, exitCode, sentence) => {
    const { code, err, tx } = await run([...line.split(" "), "--key", key]);
    expect({ code, tx }).toEqual({ code: exitCode, tx: undefined });
    expect(JSON.parse(err)).toEqual({ error: expect.stringContaining(sentence), code: expect.any(String) });
  });

  it("before it asks for a password", async () => {
    const sealed = join(folder.path, "sealed.json");
    const context = fakeCommandContext({ environment: { keyPassword: "p" } });
    expect(await runCommandLine(["keygen", "--out", sealed], context, () => Promise.reject(new Error("no node")))).toBe(0);
    expect(await run(["transfer", "--to", "@missing", "--amount", "1T", "--key", sealed])).toMatchObject({
      code: 1,
      err: expect.stringContaining("No account has the username"),
    });
  });
});

describe("validators", () => {
  const at = (stats: object): Readonly<Record<string, object>> => ({
    [`/api/node/${alice.pub}`]: { node_balance_ut: 0, validator: stats },
  });

  it("leave, and take their bond back once it is free", async () => {
    const left = await run(["validator", "leave", "--key", key], {}, at({ in_set: true, bond_ut: 5 }));
    expect(left.tx).toMatchObject({ type: "REMOVE_VALIDATOR" });
    expect(decodePayload(left.tx?.payload ?? "")).toEqual({ pub_key: alice.pub });
    const waiting = { in_set: false, bond_ut: 5, bond_available_at: NOW_S + 1 };
    expect(await run(["validator", "withdraw", "--key", key], {}, at(waiting))).toMatchObject({
      code: 1,
      tx: undefined,
      err: expect.stringContaining("is locked until 2026-01-01T00:00:01Z"),
    });
    const free = await run(["validator", "withdraw", "--key", key], {}, at({ ...waiting, bond_available_at: NOW_S }));
    expect(free.tx).toMatchObject({ type: "REMOVE_VALIDATOR" });
    expect(free.result).toMatchObject({ bond_ut: 5 });
  });
});

describe("an address that begins and ends like one that was paid before", () => {
  /** Made for Alice's key: pl132yw8…g2fds beside pl132yw8…jnfds. */
  const IMITATION = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf37488010187865c";
  const history = (from: string, to: string): Readonly<Record<string, object>> => ({
    [`/api/address/${bob.pub}`]: { transactions: [{ type: "TRANSFER", from, to, status: "ok" }] },
  });

  it.each([
    "transfer --amount 1T --to",
    "channel open --amount 1T --to",
    "token transfer au --amount 1 --to",
    "token approve au --amount 1 --spender",
    "nft transfer one --to",
    "escrow open d --amount 1T --seller",
    "transfer-username bob --to",
    "request-contact --to",
  ])("is refused by %s unless it is meant", async (line) => {
    const words = [...line.split(" "), formatAddress(IMITATION), "--key", nodeKey];
    const refused = await run(words, {}, history(bob.pub, alice.pub));
    expect(refused).toMatchObject({ code: 1, tx: undefined });
    expect(refused.err).toContain(`begins and ends like ${formatAddress(alice.pub)}`);
    expect((await run([...words, "--look-alike"], {}, history(bob.pub, alice.pub))).tx).toBeDefined();
    expect((await run(words, {}, history(bob.pub, IMITATION))).tx).toBeDefined();
    // Who sent something is none that one chose.
    expect((await run(words, {}, history(alice.pub, bob.pub))).tx).toBeDefined();
  });
});

describe("a command that waits", () => {
  it("shows for how long, on a terminal, and takes the line away", async () => {
    const shown: (string | undefined)[] = [];
    let asked = 0;
    const context = fakeCommandContext({
      fetch: async (url) => {
        const { pathname } = new URL(url);
        const answers: Readonly<Record<string, object>> = {
          "/api/network-info": { chain_id: CHAIN_ID },
          "/api/tx": { status: "accepted", id: "x" },
        };
        if (pathname.startsWith("/api/tx/")) asked += 1;
        const answer = pathname.startsWith("/api/tx/") && asked > 30 ? { status: "ok", block_index: 9 } : answers[pathname];
        return { status: answer === undefined ? 404 : 200, text: async () => JSON.stringify(answer ?? { error: "not found" }) };
      },
    });
    const terminal = { ...context.terminal, progress: (line: string | undefined): void => void shown.push(line) };
    const exitCode = await runCommandLine(["heartbeat", "--key", key, "--wait"], { ...context, terminal }, () =>
      Promise.reject(new Error("no node")),
    );
    expect(exitCode).toBe(0);
    expect(new Set(shown)).toEqual(new Set(["Waiting for a block: 0 s", "Waiting for a block: 1 s", undefined]));
    expect(shown.at(-1)).toBeUndefined();
    expect(context.out).toEqual(["Heartbeat: in block 9", "x"]);
  });
});
