// Upgrades behind a proxy: the state and the µT of one version come to the next one whole, and no one else can do what only the proxy does.
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildContract } from "#node/contracts/build-contract.ts";
import type { BuiltContract } from "#node/contracts/check-module.ts";
import { EXAMPLES_FOLDER } from "#node/contracts/new-contract.ts";
import { type TestAccount, TestChain, type TestContract, type TestOutcome } from "#node/contracts/testing/test-chain.ts";
import { buildSource } from "#test/support/vm/source-contract.ts";

const DAY_S = 86_400;
const GAS = { gas: 90_000_000 };

/** A till: deposits by their payers. The second one pays bonuses on top, from the state of the first. */
const till = (bonus: number): string => `
import { Address, checkedAdd, demand, Json, StorageMap, StorageQueue, transfer, value } from "parley";
import * as version from "parley/library/version";
export const NAME = "till-${bonus}";
const deposits = new StorageMap<Address, u64>("deposits");
const notes = new StorageQueue<string>("notes");
@payable export function pay(by: Address, note: string): u64 {
  version.demandProxy();
  deposits.set(by, checkedAdd<u64>(deposits.get(by), value() + ${bonus}));
  notes.push(note);
  return deposits.get(by);
}
export function take(by: Address): void {
  version.demandProxy();
  const amount = deposits.get(by);
  deposits.remove(by);
  demand(transfer(by, amount), "the till cannot pay");
}
@view export function count(by: Address): u64 { version.demandProxy(); return notes.length; }
@view export function note(by: Address, at: u64): string { version.demandProxy(); return notes.at(at); }
export function adopt(proxy: Address): void { version.adopt(proxy); }
@view export function proxy(): Address { return version.proxy(); }
export function export_state(after: string): Json { return version.exportState(after); }
export function import_state(page: Json): void { version.importState(page); }
export function hand_over(next: Address): void { version.handOver(next); }
`;

let proxyBuilt: BuiltContract;
let builds: readonly BuiltContract[];
beforeAll(async () => {
  proxyBuilt = await buildContract(join(EXAMPLES_FOLDER, "proxy"), () => undefined);
  builds = [await buildSource(till(0)), await buildSource(till(1))];
}, 120_000);

describe("a proxy", () => {
  let chain: TestChain;
  let proxy: TestContract;
  let first: TestContract;
  let second: TestContract;
  let alice: TestAccount;
  let bob: TestAccount;

  const adopted = (built: BuiltContract | undefined): TestContract => {
    if (built === undefined) throw new Error("The version was built");
    const version = chain.deployBuilt(alice, built);
    expect(version.call(alice, "adopt", [proxy.id], GAS).isOk).toBe(true);
    return version;
  };
  const call = (from: TestAccount, method: string, args: readonly (string | number)[], amount = 0): TestOutcome =>
    proxy.call(from, "call", [method, args], { ...GAS, amount });
  const said = (from: TestAccount, method: string, args: readonly string[] = []): string =>
    proxy.call(from, method, args, GAS).reason || "ok";
  const ask = (method: string, ...args: readonly number[]): unknown => proxy.view("ask", [method, args]);
  const moved = (): number => {
    let steps = 1;
    for (let outcome = proxy.call(bob, "step", [], GAS); outcome.result !== true; outcome = proxy.call(bob, "step", [], GAS)) {
      expect(outcome.reason).toBe("");
      steps += 1;
    }
    return steps;
  };

  beforeEach(() => {
    chain = new TestChain();
    [alice, bob] = [chain.account("alice"), chain.account("bob")];
    proxy = chain.deployBuilt(alice, proxyBuilt, [DAY_S]);
    [first, second] = [adopted(builds[0]), adopted(builds[1])];
    expect([said(alice, "propose", [first.id]), moved()]).toEqual(["ok", 1]);
  });

  it("passes calls, callers, µT and results on", () => {
    expect(call(bob, "pay", ["tea"], 30)).toMatchObject({ isOk: true, result: 30 });
    expect(call(bob, "pay", ['"], ["'], 5).result).toBe(35);
    expect([ask("count"), ask("note", 1), first.balance, proxy.balance]).toEqual([2, '"], ["', 35, 0]);
    expect(call(alice, "take", []).isOk).toBe(true);
    expect(call(bob, "take", [])).toMatchObject({ isOk: true });
    expect(first.balance).toBe(0);
    expect(call(bob, "fly", []).reason).toBe("CONTRACT_METHOD_UNKNOWN");
  });

  it("is the only one that its version obeys", () => {
    call(bob, "pay", ["tea"], 30);
    for (const [method, ...args] of [
      ["take", bob.key],
      ["hand_over", bob.key],
      ["import_state", {}],
      ["export_state", ""],
    ])
      expect(first.call(bob, method as string, args, GAS).reason).toBe("only the proxy calls this");
    for (const method of ["hand_over", "import_state", "export_state"])
      expect(call(alice, method, []).reason).toBe(`only an upgrade calls ${method}`);
    expect(call(alice, "adopt", []).isOk).toBe(false);
    expect(first.call(alice, "adopt", [bob.key], GAS).reason).toBe("the version has its proxy already");
  });

  it("moves all of the state and the µT to the next version, after the delay", () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${"x".repeat(900)} ü`);
    for (const text of texts) call(bob, "pay", [text], 1);
    expect(said(bob, "propose", [second.id])).toBe("only the owner does that");
    expect(said(alice, "propose", [second.id])).toBe("ok");
    expect(said(bob, "step")).toBe("the delay has not passed");
    chain.advance(DAY_S - 1);
    expect(call(bob, "pay", ["last"], 1).isOk).toBe(true);
    chain.advance(1);
    expect(proxy.call(bob, "step", [], GAS).result).toBe(false);
    expect(call(bob, "pay", ["late"], 1).reason).toBe("an upgrade is under way");
    expect(moved()).toBeGreaterThan(1);
    expect(proxy.view("status")).toMatchObject({ version: second.id, proposed: "" });
    expect([first.balance, second.balance, ask("count")]).toEqual([0, 41, 41]);
    expect([...texts, "last"].map((_, index) => ask("note", index))).toEqual([...texts, "last"]);
    expect(call(bob, "pay", ["new"], 1).result).toBe(43);
    expect(said(alice, "propose", [first.id])).toBe("a version is used once");
  });

  it("takes a proposal back, also in the middle of a move, and never uses that version again", () => {
    for (let index = 0; index < 30; index += 1) call(bob, "pay", ["y".repeat(900)], 1);
    said(alice, "propose", [second.id]);
    expect([said(bob, "cancel"), said(alice, "cancel")]).toEqual(["only the owner does that", "ok"]);
    said(alice, "propose", [second.id]);
    chain.advance(DAY_S);
    expect(proxy.call(bob, "step", [], GAS).result).toBe(false);
    expect(said(alice, "cancel")).toBe("ok");
    expect(call(bob, "pay", ["on"], 1).result).toBe(31);
    expect(said(alice, "propose", [second.id])).toBe("a version is used once");
    const third = adopted(builds[1]);
    said(alice, "propose", [third.id]);
    chain.advance(DAY_S);
    moved();
    expect([ask("count"), third.balance]).toEqual([31, 31]);
  });

  it("takes no version of another proxy", () => {
    const other = chain.deployBuilt(alice, proxyBuilt, [DAY_S]);
    const theirs = chain.deployBuilt(alice, builds[1] ?? proxyBuilt);
    theirs.call(alice, "adopt", [other.id], GAS);
    expect(said(alice, "propose", [theirs.id])).toBe("the contract is no version of this proxy");
  });
});
