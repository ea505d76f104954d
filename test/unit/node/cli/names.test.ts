// Names in place of addresses and ids: the address book of a user, and the names of contracts.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { AddressBook, isBookName, MAX_NAMES } from "#node/cli/session/names/address-book.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { type FakeCommandContext, fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob } from "#test/support/worlds/ledger-world.ts";

const [ALICE, BOB] = [formatAddress(alice.pub), formatAddress(bob.pub)];
const REGISTRY = nativeContractId("username_registry");

let folder: TemporaryFolder;
let file: string;
let key: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  file = join(folder.path, "config", "address-book.json");
  key = join(folder.path, "key.json");
  const device = { device_public_key: "03".repeat(32), device_secret_key: "02".repeat(32) };
  writeFileSync(key, JSON.stringify({ format: "parley-key", version: 1, public_key: alice.pub, secret_key: toHex(alice.seed), ...device }));
});
afterEach(() => folder.remove());

/** A node that knows @bob; the paths that it was asked for. */
function node(asked: string[] = [], answers: Readonly<Record<string, unknown>> = {}): HttpFetch {
  const all: Readonly<Record<string, unknown>> = {
    "/api/network-info": { chain_id: "test-chain" },
    "/api/tx": { status: "accepted", id: "x" },
    "/api/well-known-contracts": { count: 1, contracts: { username_registry: { contract_id: REGISTRY } } },
    [`/api/contracts/${REGISTRY}/state/name:bob`]: { value_b64: toBase64(utf8(bob.pub)) },
    [`/api/address/${bob.pub}`]: { balance: "7 T", balance_ut: 7_000_000 },
    ...answers,
  };
  return async (url, { body }) => {
    const path = decodeURIComponent(new URL(url).pathname);
    asked.push(body === undefined ? path : `${path} ${body}`);
    return { status: all[path] === undefined ? 404 : 200, text: async () => JSON.stringify(all[path] ?? { error: "not found" }) };
  };
}

/** Runs a command as a program of its own: the book is read again. */
async function run(line: string, fetch: HttpFetch = node()): Promise<FakeCommandContext & { readonly code: number }> {
  const context = fakeCommandContext({ fetch, addressBook: new AddressBook(file) });
  const code = await runCommandLine(line.split(" "), context, () => Promise.reject(new Error("no node was asked for")));
  return { ...context, code };
}

describe("parley address-book", () => {
  it("names an account once and for all commands, in upper and lower case, for this user alone", async () => {
    expect((await run("address-book add Bob @bob")).out).toEqual([`Bob is ${BOB}`]);
    expect((await run("balance BOB")).out).toEqual(["7 T"]);
    expect((await run("address bob")).out[0]).toBe(BOB);
    expect((await run("address-book list")).out).toEqual(["NAME  ADDRESS", `bob   ${BOB}`]);
    expect(JSON.parse((await run("address-book list --json")).out.join(""))).toEqual({
      count: 1,
      accounts: [{ name: "bob", address: BOB, pub_key: bob.pub }],
    });
    if (process.platform !== "win32")
      expect([statSync(file).mode & 0o777, statSync(join(file, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("pays a name and says whom it means", async () => {
    await run(`address-book add bob ${BOB}`);
    const asked: string[] = [];
    expect((await run(`transfer --key ${key} --to Bob --amount 1T`, node(asked))).out[0]).toBe(
      `1 T to Bob (${BOB}): accepted by the node, not in a block yet`,
    );
    expect(asked.find((line) => line.startsWith("/api/tx "))).toContain(`"to":"${bob.pub}"`);
  });

  it("gives a name to another account only when that is meant", async () => {
    await run(`address-book add bob ${BOB}`);
    const refused = await run(`address-book add BOB ${ALICE}`);
    expect([refused.code, refused.err.join("")]).toEqual([2, `BOB is the name of ${BOB}: add --replace to give it to another account.`]);
    expect((await run(`address-book add bob ${ALICE} --replace`)).code).toBe(0);
    expect((await run("address bob")).out[0]).toBe(ALICE);
    expect((await run("address-book remove bob")).out).toEqual(["bob removed"]);
    expect((await run("address-book remove bob")).code).toBe(1);
    expect((await run("address-book list")).out).toEqual(["No names."]);
  });

  it("tells a name that is not given from an address that is wrong, before anything is signed", async () => {
    const asked: string[] = [];
    const unknown = await run(`transfer --key ${key} --to bob --amount 1T`, node(asked));
    expect(unknown.code).toBe(2);
    expect(unknown.err.join("")).toMatch(/"bob" is neither an address .* your address book has no such name: a username is written @bob/);
    const mistyped = await run(`transfer --key ${key} --to ${BOB.slice(0, -8)}qqqqqqqq --amount 1T`, node(asked));
    expect(mistyped.err.join("")).not.toContain("address book");
    expect(asked.filter((line) => line.startsWith("/api/tx "))).toEqual([]);
  });

  it.each(["pl1bob", "PL1x", "3d40".repeat(16), "@bob", "-x", "a b", "a\u202eb", "../x", "", "x".repeat(65)])(
    "takes no name like %j",
    async (name) => {
      expect(isBookName(name)).toBe(false);
      await expect(new AddressBook(file).set(name, bob.pub)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    },
  );

  it("takes names of other scripts, one form of a letter like the other", async () => {
    await new AddressBook(file).set("J\u00f6rg", bob.pub);
    expect(new AddressBook(file).keyOf("jo\u0308rg")).toBe(bob.pub);
    expect(new AddressBook(file).keyOf("constructor")).toBeUndefined();
  });

  it.each([
    "no json",
    "[]",
    "null",
    '{"format":"parley-address-book","version":2,"accounts":{}}',
    '{"format":"parley-address-book","version":1,"accounts":{"bob":"pl1wrong"}}',
    '{"format":"parley-address-book","version":1,"accounts":{"bob":7}}',
  ])("refuses to guess at a damaged book, and leaves it as it is: %s", async (text) => {
    mkdirSync(join(file, ".."));
    writeFileSync(file, text);
    for (const line of ["balance bob", "address-book list", `address-book add carol ${ALICE}`, "address-book remove bob"]) {
      const { code, err } = await run(line);
      expect([code, err.join("")]).toEqual([2, `The address book ${file} is damaged, or of a newer version: mend it, or move it away.`]);
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("holds so many names and no more", async () => {
    mkdirSync(join(file, ".."));
    const accounts = Object.fromEntries(Array.from({ length: MAX_NAMES }, (_, at) => [`n${at}`, BOB]));
    writeFileSync(file, JSON.stringify({ format: "parley-address-book", version: 1, accounts }));
    expect((await run(`address-book add one-more ${BOB}`)).err.join("")).toContain(`full: ${MAX_NAMES} names`);
    expect((await run(`address-book add n7 ${ALICE} --replace`)).code).toBe(0);
  });

  it("shows the names in lists, and the whole address in a CSV file", async () => {
    await run(`address-book add bob ${BOB}`);
    const entry = {
      id: "tx1",
      type: "TRANSFER",
      from: alice.pub,
      from_addr: ALICE,
      to: bob.pub,
      to_addr: BOB,
      amount_ut: 1,
      fee_ut: 1_000,
    };
    const where = { time: "2026-01-01T00:00:00Z", block_index: 1, status: "ok" };
    const answers = {
      [`/api/address/${alice.pub}`]: { tx_count: 1, has_more: false, transactions: [{ ...entry, ...where }] },
      [`/v2/chain/accounts/${alice.pub}/transactions`]: { transactions: [{ id: "tx1", memo: "" }] },
    };
    expect((await run(`history ${ALICE}`, node([], answers))).out[1]).toMatch(/ ok {6}bob {9}tx1/);
    expect((await run(`history ${ALICE} --csv`, node([], answers))).out[1]).toContain(`"${BOB}"`);
  });
});

describe("names of contracts", () => {
  it.each([
    ["call-contract", `--key KEY --method get`, "/api/tx"],
    ["view-contract", "--method get", "/api/contracts/00000000000000aa/call"],
    ["estimate-contract", `--from ${ALICE} --method get`, "/api/contracts/00000000000000aa/estimate"],
  ])("%s takes them where it takes an id", async (command, options, path) => {
    const names = join(folder.path, "contract-names.json");
    writeFileSync(names, JSON.stringify({ "test-chain": { shop: "00000000000000aa" } }));
    const asked: string[] = [];
    const outcome = { status: "ok", result_b64: "", gas_used: 1, gas_price_ut: 1, gas_limit: 2, logs: [] };
    const fetch = node(asked, { [path]: path === "/api/tx" ? { status: "accepted", id: "x" } : outcome });
    const line = `${command} --contract shop --names ${names} ${options.replace("KEY", key)}`;
    const { code, err } = await run(line, fetch);
    expect(err).toEqual([]);
    expect(code).toBe(0);
    const request = asked.find((text) => text.startsWith(`${path} `)) ?? "";
    const payload = path === "/api/tx" ? JSON.parse(request.slice(path.length)).payload : "";
    if (path === "/api/tx")
      expect(JSON.parse(Buffer.from(payload, "base64").toString())).toMatchObject({ contract_id: "00000000000000aa" });
    expect((await run(line.replace("shop", "shopp"), fetch)).err.join("")).toMatch(/No contract is named shopp on the chain test-chain/);
  });

  it("resolve a username in a registry by its name", async () => {
    const { out } = await run(`send-msg --key ${key} --to @bob --msg hi --registry username_registry --json`);
    expect(out).toEqual([]);
    const asked: string[] = [];
    await run(`send-msg --key ${key} --to @bob --msg hi --registry username_registry`, node(asked));
    expect(asked).toContain(`/api/contracts/${REGISTRY}/state/name:bob`);
    expect(asked).not.toContain("/api/well-known-contracts");
  });
});
