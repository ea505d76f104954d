// The native contracts: every method, whom it obeys, what it writes under which key.
import { beforeEach, describe, expect, it } from "vitest";
import { contractStateKey, readContractBalance } from "#node/ledger/records/contract-records.ts";
import { readSupply } from "#node/ledger/records/records.ts";
import { type NativeContractName, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { type CallOptions, callOf, LedgerWorld } from "#test/support/chain/ledger-payloads.ts";
import { type Actor, actor, alice, bob, carol } from "#test/support/worlds/ledger-world.ts";

let world: LedgerWorld;
beforeEach(() => {
  world = new LedgerWorld();
  for (const { pub } of [carol, dora]) world.run(alice, { type: "TRANSFER", to: pub, amount: 1_000_000, payload: {} });
});

const dora = actor(4);
const bytesOf = (contract: NativeContractName, key: string): Uint8Array | undefined =>
  world.state.get("contract_state", contractStateKey(nativeContractId(contract), utf8(key)));
const textOf = (contract: NativeContractName, key: string): string | undefined => {
  const value = bytesOf(contract, key);
  return value === undefined ? undefined : new TextDecoder().decode(value);
};
const u64Of = (contract: NativeContractName, key: string): bigint | undefined => {
  const value = bytesOf(contract, key);
  return value === undefined ? undefined : BigInt(`0x${toHex(value)}`);
};
/** "ok", or the message with which the contract refused. */
const said = ({ isOk, code, logs }: Receipt): string => (isOk ? "ok" : code === "CONTRACT_ABORTED" ? (logs[0]?.message ?? "") : code);

describe("username_registry", () => {
  const call = (sender: Actor, method: string, args: readonly unknown[], options?: CallOptions): string =>
    said(world.run(sender, callOf("username_registry", method, args, options)));
  const register = (sender: Actor, name: string, amount = 10_000): string => call(sender, "register", [name], { amount });
  const owner = (name: string): string | undefined => textOf("username_registry", `name:${name}`);
  const nameOf = ({ pub }: Actor): string | undefined => textOf("username_registry", `addr:${pub}`);

  it("registers a name in both directions, and burns the price", () => {
    const supply = readSupply(world.state);
    const receipt = world.run(alice, callOf("username_registry", "register", ["alice.1"], { amount: 10_000 }));
    expect(receipt.logs).toEqual([{ contractId: nativeContractId("username_registry"), message: `register alice.1 ${alice.pub}` }]);
    expect([owner("alice.1"), nameOf(alice)]).toEqual([alice.pub, "alice.1"]);
    expect(readSupply(world.state)).toBe(supply - 10_000);
    expect(readContractBalance(world.state, nativeContractId("username_registry"))).toBe(0);
  });

  it.each(["abcd", "a".repeat(32), "0000", "a-b_c.d", "a1b2"])("takes %s", (name) => expect(register(alice, name)).toBe("ok"));

  it.each(["abc", "a".repeat(33), "Abcd", "ab cd", ".abc", "abc.", "a..b", "a-_b", "äbcd", "abc\n", "", "name:x", "abcd\u200b"])(
    "refuses %j",
    (name) => expect(register(alice, name)).toContain("4 to 32"),
  );

  it.each([0, 9_999, 10_001, 20_000])("costs exactly 10,000 µT, not %i", (amount) => {
    expect(register(alice, "alice", amount)).toContain("exactly 10000");
    expect(owner("alice")).toBeUndefined();
  });

  it("gives a name to one key, and a key one name", () => {
    register(alice, "alice");
    expect(register(bob, "alice")).toContain("taken");
    expect(register(alice, "alice2")).toContain("release it first");
  });

  it("releases a name, which is free again", () => {
    register(alice, "alice");
    expect(call(bob, "release", ["alice"])).toContain("not the caller's");
    expect(call(alice, "release", ["alice"])).toBe("ok");
    expect([owner("alice"), nameOf(alice)]).toEqual([undefined, undefined]);
    expect(call(alice, "release", ["alice"])).toContain("not the caller's");
    expect(register(bob, "alice")).toBe("ok");
  });

  it("transfers a name to a key without one", () => {
    register(alice, "alice");
    register(bob, "bobby");
    expect(call(alice, "transfer", ["alice", bob.pub])).toContain("has a username");
    expect(call(alice, "transfer", ["alice", alice.pub])).toContain("has a username");
    expect(call(bob, "transfer", ["alice", carol.pub])).toContain("not the caller's");
    expect(call(alice, "transfer", ["alice", "carol"])).toContain("no public key");
    expect(call(alice, "transfer", ["alice", `01${"00".repeat(31)}`])).toContain("no usable key");
    expect(call(alice, "transfer", ["alice", carol.pub.toUpperCase()])).toBe("ok");
    expect([owner("alice"), nameOf(alice), nameOf(carol)]).toEqual([carol.pub, undefined, "alice"]);
  });
});

describe("tokens", () => {
  const call = (sender: Actor, method: string, ...args: readonly unknown[]): string =>
    said(world.run(sender, callOf("tokens", method, args)));
  const issue = (over: Readonly<Record<number, unknown>> = {}, sender: Actor = alice): string =>
    call(sender, "issue", ...["coin", "Coin", "COIN", 6, "1000"].map((value, index) => over[index] ?? value));
  const balance = ({ pub }: Actor): bigint | undefined => u64Of("tokens", `b:coin:${pub}`);

  it("issues a token to its issuer", () => {
    expect(issue()).toBe("ok");
    expect(["name", "symbol", "issuer"].map((field) => textOf("tokens", `t:coin:${field}`))).toEqual(["Coin", "COIN", alice.pub]);
    expect(["decimals", "supply"].map((field) => u64Of("tokens", `t:coin:${field}`))).toEqual([6n, 1_000n]);
    expect(balance(alice)).toBe(1_000n);
    expect(issue({}, bob)).toContain("taken");
  });

  it("keeps the largest supply exactly", () => {
    expect(issue({ 4: "18446744073709551615" })).toBe("ok");
    expect(toHex(bytesOf("tokens", `b:coin:${alice.pub}`) ?? new Uint8Array(0))).toBe("ff".repeat(8));
    expect(call(alice, "transfer", "coin", bob.pub, "18446744073709551614")).toBe("ok");
    expect([balance(alice), balance(bob)]).toEqual([1n, 18_446_744_073_709_551_614n]);
  });

  it.each<[string, Readonly<Record<number, unknown>>]>([
    ["a colon in the id", { 0: "a:b" }],
    ["an empty id", { 0: "" }],
    ["an id of 33 characters", { 0: "a".repeat(33) }],
    ["an upper-case id", { 0: "Coin" }],
    ["an empty name", { 1: "" }],
    ["a name of 65 characters", { 1: "x".repeat(65) }],
    ["a line feed in the name", { 1: "a\nb" }],
    ["a symbol with a space", { 2: "A B" }],
    ["19 decimals", { 3: 19 }],
    ["no supply", { 4: "0" }],
  ])("refuses %s", (_name, over) => expect(issue(over)).not.toBe("ok"));

  it("transfers what the caller has", () => {
    issue();
    expect(call(alice, "transfer", "coin", bob.pub, 300)).toBe("ok");
    expect([balance(alice), balance(bob)]).toEqual([700n, 300n]);
    expect(call(alice, "transfer", "coin", bob.pub, 701)).toContain("suffice");
    expect(call(alice, "transfer", "coin", bob.pub, 0)).toContain("is 0");
    expect(call(carol, "transfer", "coin", bob.pub, 1)).toContain("suffice");
    expect(call(alice, "transfer", "other", bob.pub, 1)).toContain("suffice");
    expect(call(alice, "transfer", "coin", alice.pub, 700)).toBe("ok");
    expect(call(alice, "transfer", "coin", bob.pub, 700)).toBe("ok");
    expect([balance(alice), balance(bob)]).toEqual([undefined, 1_000n]);
  });

  it("burns what the caller has, down to nothing, and never frees the id", () => {
    issue();
    expect(call(alice, "burn", "coin", 1_001)).toContain("suffice");
    expect(call(alice, "burn", "coin", 400)).toBe("ok");
    expect(u64Of("tokens", "t:coin:supply")).toBe(600n);
    expect(call(alice, "burn", "coin", 600)).toBe("ok");
    expect(u64Of("tokens", "t:coin:supply")).toBeUndefined();
    expect(issue({}, bob)).toContain("taken");
  });

  it("lets a spender take up to what was approved", () => {
    issue();
    const take = (amount: number): string => call(bob, "transfer_from", "coin", alice.pub, carol.pub, amount);
    expect(take(1)).toContain("not approved");
    expect(call(alice, "approve", "coin", bob.pub, 100)).toBe("ok");
    expect(call(carol, "transfer_from", "coin", alice.pub, carol.pub, 1)).toContain("not approved");
    expect([take(60), take(41), take(40), take(1)]).toEqual([
      "ok",
      "the owner has not approved that much",
      "ok",
      "the owner has not approved that much",
    ]);
    expect([balance(alice), balance(carol)]).toEqual([900n, 100n]);
    expect(u64Of("tokens", `a:coin:${alice.pub}:${bob.pub}`)).toBeUndefined();
    call(alice, "approve", "coin", bob.pub, "5000");
    expect(take(901)).toContain("suffice");
    expect(call(alice, "approve", "coin", bob.pub, 0)).toBe("ok");
    expect(take(1)).toContain("not approved");
    expect(call(alice, "approve", "other", bob.pub, 1)).toContain("no such token");
  });
});

describe("nfts", () => {
  const call = (sender: Actor, method: string, ...args: readonly unknown[]): string =>
    said(world.run(sender, callOf("nfts", method, args)));
  const mint = (sender: Actor = alice, id = "moon", metadata = '{"image":"ipfs://x"}'): string =>
    call(sender, "mint", id, "The Moon", metadata);
  const field = (name: string): string | undefined => textOf("nfts", `n:moon:${name}`);

  it("mints a thing once, with its metadata", () => {
    expect(mint()).toBe("ok");
    expect(["owner", "minter", "name", "metadata"].map(field)).toEqual([alice.pub, alice.pub, "The Moon", '{"image":"ipfs://x"}']);
    expect(textOf("nfts", `o:${alice.pub}:moon`)).toBe("moon");
    expect(mint(bob)).toContain("taken");
    expect(mint(bob, "a:b")).toContain("an id has");
    expect(mint(bob, "sun", "x".repeat(4_097))).toContain("at most 4096 bytes");
    expect(mint(bob, "sun", "x".repeat(4_096))).toBe("ok");
    expect(call(bob, "mint", "mars", "", "")).toContain("a name");
  });

  it("changes owners at the owner's word", () => {
    mint();
    expect(call(bob, "transfer", "moon", bob.pub)).toContain("does not own");
    expect(call(alice, "transfer", "sun", bob.pub)).toContain("does not own");
    expect(call(alice, "transfer", "moon", bob.pub)).toBe("ok");
    expect([field("owner"), field("minter")]).toEqual([bob.pub, alice.pub]);
    expect([textOf("nfts", `o:${alice.pub}:moon`), textOf("nfts", `o:${bob.pub}:moon`)]).toEqual([undefined, "moon"]);
    expect(call(bob, "transfer", "moon", bob.pub)).toBe("ok");
    expect(textOf("nfts", `o:${bob.pub}:moon`)).toBe("moon");
  });

  it("burns at the owner's word, and never mints the id again", () => {
    mint();
    expect(call(bob, "burn", "moon")).toContain("does not own");
    expect(call(alice, "burn", "moon")).toBe("ok");
    expect(["owner", "name", "metadata"].map(field)).toEqual([undefined, undefined, undefined]);
    expect(textOf("nfts", `o:${alice.pub}:moon`)).toBeUndefined();
    expect(call(alice, "burn", "moon")).toContain("does not own");
    expect(mint()).toContain("taken");
  });
});
