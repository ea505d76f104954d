// Contracts in C and in Rust: the interface of the host belongs to no language.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { figuresOf } from "#node/contracts/check-module.ts";
import { type TestAccount, TestChain, type TestContract } from "#node/contracts/testing/test-chain.ts";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";

const file = (name: string): string => fileURLToPath(new URL(`../../../vectors/contracts/${name}`, import.meta.url));

function deployed(chain: TestChain, owner: TestAccount, name: string): TestContract {
  const abiJson = readFileSync(file(`${name}.abi.json`), "utf8");
  const abi = parseContractAbi(abiJson);
  assertInvariant(abi !== undefined, "The contract has an ABI");
  return chain.deployBuilt(owner, { code: readFileSync(file(`${name}.wasm`)), abi, abiJson });
}

describe("the vault, in C", () => {
  let chain: TestChain;
  let vault: TestContract;
  let alice: TestAccount;

  beforeEach(() => {
    chain = new TestChain();
    alice = chain.account("alice");
    vault = deployed(chain, alice, "vault");
  });

  it("keeps µT until their time", () => {
    expect(vault.call(alice, "lock", [chain.time + 100], { amount: 70 })).toMatchObject({ isOk: true, logs: ["lock 70"] });
    expect(vault.call(alice, "lock", [chain.time + 50], { amount: 30 }).isOk).toBe(true);
    expect(vault.call(alice, "locked").result).toBe(100);
    expect(vault.call(alice, "unlock").reason).toBe("it is too early");
    chain.advance(99);
    expect(vault.call(alice, "unlock").reason).toBe("it is too early");
    chain.advance(1);
    expect(vault.balance).toBe(100);
    const before = alice.balance;
    const outcome = vault.call(alice, "unlock");
    expect([outcome.isOk, vault.balance, alice.balance - before]).toEqual([true, 0, 100 - 1_000 - Math.ceil(outcome.gasUsed / 1_000)]);
    expect(vault.call(alice, "unlock").reason).toBe("nothing waits");
  });

  it("keeps people apart, and refuses what makes no sense", () => {
    vault.call(alice, "lock", [chain.time + 100], { amount: 70 });
    const bob = chain.account("bob");
    expect(vault.call(bob, "locked").result).toBe(0);
    expect(vault.call(bob, "unlock").reason).toBe("nothing waits");
    expect(vault.call(bob, "lock", [chain.time], { amount: 1 }).reason).toBe("the time has passed");
    expect(vault.call(bob, "lock", [chain.time + 5]).reason).toBe("nothing is attached");
    expect(vault.call(bob, "lock", ["soon"], { amount: 1 }).code).toBe("CONTRACT_ARGUMENTS");
  });
});

describe("the tally, in Rust", () => {
  it("keeps each account's sum and refuses one that is too large", () => {
    const chain = new TestChain();
    const [alice, bob] = [chain.account("alice"), chain.account("bob")];
    const tally = deployed(chain, alice, "tally");
    expect(tally.call(alice, "add", [5])).toMatchObject({ isOk: true, logs: ["added"] });
    expect(tally.call(alice, "add", [1_000_000]).isOk).toBe(true);
    expect(tally.call(bob, "add", ["18446744073709551615"]).isOk).toBe(true);
    expect(tally.call(bob, "add", [1]).reason).toBe("the sum is too large");
    expect(tally.call(alice, "get").result).toBe(1_000_005);
  });
});

describe.each(["c", "rust", "zig"])("the template in %s", (language) => {
  it("counts like the example in AssemblyScript", () => {
    const abiJson = readFileSync(new URL("../../../../node/contracts/examples/counter/abi.json", import.meta.url), "utf8");
    const abi = parseContractAbi(abiJson);
    assertInvariant(abi !== undefined, "The example has an ABI");
    const chain = new TestChain();
    const [alice, bob] = [chain.account("alice"), chain.account("bob")];
    const counter = chain.deployBuilt(alice, { code: readFileSync(file(`templates/${language}.wasm`)), abi, abiJson });
    expect(counter.call(bob, "add", [18_446_744_073_709_551_614n])).toMatchObject({ logs: ["count 18446744073709551614"] });
    expect(counter.call(bob, "add", [2]).reason).toBe("the count would overflow");
    expect(counter.view("get")).toBe("18446744073709551614");
    expect(counter.call(bob, "reset").reason).toBe("only the owner resets");
    expect([counter.call(alice, "reset").isOk, counter.view("get"), counter.text("count")]).toEqual([true, 0, undefined]);
  });
});

describe("the price of loading", () => {
  it.each(["c", "rust", "zig"])("of the template in %s is what a call costs beside its own work", (language) => {
    const abiJson = JSON.stringify({ contract: "t", version: "1", methods: [{ name: "get", args: [], view: true }] });
    const abi = parseContractAbi(abiJson);
    assertInvariant(abi !== undefined, "It is an ABI");
    const built = { code: readFileSync(file(`templates/${language}.wasm`)), abi, abiJson };
    const { loadingGas } = figuresOf(built);
    const chain = new TestChain();
    const alice = chain.account("alice");
    const contract = chain.deployBuilt(alice, built);
    const atLoading = contract.call(alice, "get", [], { gas: loadingGas });
    expect(atLoading.code).toBe("CONTRACT_OUT_OF_GAS");
    const { gasUsed } = contract.call(alice, "get");
    expect(gasUsed - loadingGas).toBeGreaterThan(GAS.stateGet);
    expect(gasUsed - loadingGas).toBeLessThan(2 * GAS.stateGet + 2_000);
  });

  it("covers every height at which it can be deployed, to the last unit", () => {
    const abiJson = JSON.stringify({ contract: "t", version: "1", methods: [{ name: "get", args: [], view: true }] });
    const abi = parseContractAbi(abiJson);
    assertInvariant(abi !== undefined, "It is an ABI");
    const built = { code: readFileSync(file("templates/c.wasm")), abi, abiJson };
    const { loadingRange, loadingGas } = figuresOf(built);
    const chain = new TestChain();
    const alice = chain.account("alice");
    const used = new Map<number, number>();
    for (const height of [1, 24, 300]) {
      while (chain.height < height) chain.advance(1);
      used.set(height, chain.deployBuilt(alice, built).call(alice, "get").gasUsed);
    }
    const own = (used.get(1) ?? 0) - loadingRange.least;
    expect(own).toBeGreaterThan(GAS.stateGet);
    expect([used.get(24), used.get(300)]).toEqual([own + loadingRange.least + GAS.contractByte, own + loadingGas]);
    expect(loadingRange.most).toBe(loadingGas + 2 * GAS.contractByte);
  });
});
