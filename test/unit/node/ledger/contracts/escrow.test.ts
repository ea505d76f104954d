// The escrow contract: every method, whom it obeys, what it writes. The native one and one in AssemblyScript pass the same tests.
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildContract } from "#node/contracts/build-contract.ts";
import type { BuiltContract } from "#node/contracts/check-module.ts";
import { contractStateKey, readContractBalance } from "#node/ledger/records/contract-records.ts";
import { type ContractId, deployedContractId, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { LedgerWorld } from "#test/support/chain/ledger-payloads.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";
import { type Actor, actor, alice, bob, carol, type Draft } from "#test/support/worlds/ledger-world.ts";

const dora = actor(4);
/** "ok", or the message with which the contract refused. */
const said = ({ isOk, code, logs }: Receipt): string => (isOk ? "ok" : code === "CONTRACT_ABORTED" ? (logs[0]?.message ?? "") : code);

let example: BuiltContract;
beforeAll(async () => {
  const report: string[] = [];
  example = await buildContract(join(projectRoot, "test/vectors/contracts/escrow"), (line) => void report.push(line));
  expect(report).toEqual([]);
});

function deployExample(world: LedgerWorld): ContractId {
  const payload = { wasm_b64: toBase64(example.code), abi_json: example.abiJson, gas_limit: 3_000_000 };
  const { txId, isOk } = world.run(bob, { type: "DEPLOY_CONTRACT", payload });
  expect(isOk).toBe(true);
  return deployedContractId(bob.pub, txId);
}

describe.each(["native", "AssemblyScript"] as const)("the %s escrow", (kind) => {
  let world: LedgerWorld;
  let id: ContractId;
  beforeEach(() => {
    world = new LedgerWorld();
    for (const { pub } of [carol, dora]) world.run(alice, { type: "TRANSFER", to: pub, amount: 1_000_000, payload: {} });
    id = kind === "native" ? nativeContractId("escrow") : deployExample(world);
  });

  const callOfEscrow = (method: string, args: readonly unknown[], amount = 0): Draft<"CALL_CONTRACT"> => ({
    type: "CALL_CONTRACT",
    amount,
    payload: { contract_id: id, method, args_json: JSON.stringify(args), gas_limit: 1_000_000 },
  });
  const bytesOf = (key: string): Uint8Array | undefined => world.state.get("contract_state", contractStateKey(id, utf8(key)));
  const textOf = (key: string): string | undefined => {
    const value = bytesOf(key);
    return value === undefined ? undefined : new TextDecoder().decode(value);
  };
  const u64Of = (key: string): bigint | undefined => {
    const value = bytesOf(key);
    return value === undefined ? undefined : BigInt(`0x${toHex(value)}`);
  };
  const [buyer, seller, arbiter, stranger] = [alice, bob, carol, dora];
  const call = (sender: Actor, method: string, ...args: readonly unknown[]): string => said(world.run(sender, callOfEscrow(method, args)));
  const open = (over: Readonly<Record<number, unknown>> = {}, amount = 5_000): string => {
    const args = ["d1", seller.pub, arbiter.pub, world.now + 3_600].map((value, index) => over[index] ?? value);
    return said(world.run(buyer, callOfEscrow("open", args, amount)));
  };
  const stateOf = (): string => toHex(bytesOf("e:d1:x") ?? new Uint8Array(0));
  const [ACTIVE, DISPUTED, RELEASED, REFUNDED] = ["61", "64", "72", "66"];
  const held = (): number => readContractBalance(world.state, id);
  /** What a party gained through a call, fees left out. */
  const gain = (party: Actor, work: () => unknown): number => {
    const before = world.balance(party);
    work();
    return world.balance(party) - before;
  };

  it("holds the amount of an open deal, in one byte of state and readable keys", () => {
    expect(open()).toBe("ok");
    expect([stateOf(), held()]).toEqual([ACTIVE, 5_000]);
    expect(["b", "s", "m"].map((field) => textOf(`e:d1:${field}`))).toEqual([buyer.pub, seller.pub, arbiter.pub]);
    expect(["v", "t"].map((field) => u64Of(`e:d1:${field}`))).toEqual([5_000n, BigInt(world.now + 3_600)]);
  });

  it.each<[string, Readonly<Record<number, unknown>>, number, string]>([
    ["no amount", {}, 0, "attached amount"],
    ["a colon in the id", { 0: "a:b" }, 5, "a deal id"],
    ["the buyer as seller", { 1: alice.pub }, 5, "are three"],
    ["the seller as arbiter", { 2: bob.pub }, 5, "are three"],
    ["a seller that is no key", { 1: "bob" }, 5, "no public key"],
    ["a seller that is no usable key", { 1: `01${"00".repeat(31)}` }, 5, "no usable key"],
    ["a deadline in the past", { 3: 1 }, 5, "deadline"],
    ["a deadline far ahead", { 3: "99999999999" }, 5, "deadline"],
  ])("refuses %s", (_name, over, amount, words) => {
    expect(open(over, amount)).toContain(words);
    expect(held()).toBe(0);
  });

  it("takes a deal id once", () => {
    open();
    expect(open()).toContain("taken");
    call(buyer, "release", "d1");
    expect(open()).toContain("taken");
  });

  it.each(["active", "disputed"])("pays the seller when the buyer releases an %s deal", (phase) => {
    open();
    if (phase === "disputed") call(seller, "dispute", "d1");
    for (const other of [seller, arbiter, stranger]) expect(call(other, "release", "d1")).toContain("only the buyer");
    expect(gain(seller, () => expect(call(buyer, "release", "d1")).toBe("ok"))).toBe(5_000);
    expect([stateOf(), held()]).toEqual([RELEASED, 0]);
  });

  it.each(["active", "disputed"])("pays the buyer when the seller refunds an %s deal", (phase) => {
    open();
    if (phase === "disputed") call(buyer, "dispute", "d1");
    for (const other of [buyer, arbiter, stranger]) expect(call(other, "refund", "d1")).toContain("only the seller");
    expect(gain(buyer, () => expect(call(seller, "refund", "d1")).toBe("ok"))).toBe(5_000);
    expect([stateOf(), held()]).toEqual([REFUNDED, 0]);
  });

  it.each([
    [true, "seller", RELEASED],
    [false, "buyer", REFUNDED],
  ] as const)("lets the arbiter decide a disputed deal (to seller: %s)", (toSeller, winner, state) => {
    open();
    expect(call(arbiter, "resolve", "d1", toSeller)).toContain("only a disputed");
    for (const other of [arbiter, stranger]) expect(call(other, "dispute", "d1")).toContain("only buyer and seller");
    expect(call(buyer, "dispute", "d1")).toBe("ok");
    expect(stateOf()).toBe(DISPUTED);
    expect(call(seller, "dispute", "d1")).toContain("disputed already");
    for (const other of [buyer, seller, stranger]) expect(call(other, "resolve", "d1", toSeller)).toContain("only the arbiter");
    const party = winner === "seller" ? seller : buyer;
    expect(gain(party, () => expect(call(arbiter, "resolve", "d1", toSeller)).toBe("ok"))).toBe(5_000);
    expect([stateOf(), held()]).toEqual([state, 0]);
  });

  it("takes a deadline that is ahead, not one of this moment", () => {
    expect(open({ 3: world.now })).toContain("deadline");
    expect(open({ 3: world.now + 1 })).toBe("ok");
  });

  it("gives the buyer the amount back after the deadline, at anybody's call, unless the deal is disputed", () => {
    open();
    world.pass(3_599);
    expect(call(stranger, "timeout", "d1")).toContain("has not passed");
    world.pass(1);
    expect(gain(buyer, () => expect(call(stranger, "timeout", "d1")).toBe("ok"))).toBe(5_000);
    expect(stateOf()).toBe(REFUNDED);
  });

  it("lets a disputed deal wait for its arbiter beyond the deadline", () => {
    open();
    call(seller, "dispute", "d1");
    world.pass(99_999);
    expect(call(buyer, "timeout", "d1")).toContain("waits for its arbiter");
    expect(call(arbiter, "resolve", "d1", true)).toBe("ok");
  });

  it("without an arbiter knows no dispute", () => {
    open({ 2: "" });
    expect(textOf("e:d1:m")).toBe("");
    expect(call(buyer, "dispute", "d1")).toContain("has no arbiter");
    expect(call(buyer, "release", "d1")).toBe("ok");
  });

  it("settles once", () => {
    open();
    call(buyer, "release", "d1");
    for (const [sender, method, ...more] of [
      [buyer, "release"],
      [seller, "refund"],
      [buyer, "dispute"],
      [arbiter, "resolve", true],
      [stranger, "timeout"],
    ] as const)
      expect(call(sender, method, "d1", ...more)).toContain("no such open deal");
    expect(call(buyer, "release", "d2")).toContain("no such open deal");
  });

  it("pays only from the deal's own amount", () => {
    open();
    expect(open({ 0: "d2" }, 7_000)).toBe("ok");
    expect(held()).toBe(12_000);
    call(buyer, "release", "d1");
    expect(held()).toBe(7_000);
  });
});
