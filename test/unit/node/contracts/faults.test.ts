// Why calls break off, in words for authors: by the names and lines that compilers leave in a module.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { TestChain, type TestContract } from "#node/contracts/testing/test-chain.ts";
import { withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import { parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";

const file = (name: string): string => fileURLToPath(new URL(`../../../vectors/contracts/${name}`, import.meta.url));
const abiJson = readFileSync(file("faults.abi.json"), "utf8");
const abi = parseContractAbi(abiJson);
assertInvariant(abi !== undefined, "The contract has an ABI");

function deployed(chain: TestChain, code: Uint8Array): TestContract {
  assertInvariant(abi !== undefined, "The contract has an ABI");
  return chain.deployBuilt(chain.account("alice"), { code, abi, abiJson });
}

const CASES = [
  ["by_zero", [0], "CONTRACT_TRAPPED", "division by zero", "in divide (faults.c:5:12), called by by_zero (faults.c:9:14)"],
  ["outside", [], "CONTRACT_TRAPPED", "a load or store outside of the memory", "in outside (faults.c:13:31)"],
  [
    "far_line",
    [],
    "CONTRACT_TRAPPED",
    "10 bytes from 900000 on leave the memory, which has 65536 in log(line: 900000, line length: 10)",
    "in far_line (faults.c:17:3)",
  ],
  [
    "no_argument",
    [],
    "CONTRACT_TRAPPED",
    "there is no argument 3: the call has 0, the first is 0 in arg_u64(index: 3)",
    "in no_argument (faults.c:21:14)",
  ],
  ["refuse", [5], "CONTRACT_ABORTED", "five at most", "in refuse (faults.c:25:3)"],
  ["spin", [], "CONTRACT_OUT_OF_GAS", "the gas ran out", /^in spin \(faults\.c:29:\d+\)$/],
  [
    "sink",
    [],
    "CONTRACT_STACK_OVERFLOW",
    "calls are nested too deep",
    /^in deep \(faults\.c:3[23](:\d+)?\), called by deep \(faults\.c:33:\d+\)/,
  ],
] as const;

describe.each(["faults.wasm", "faults-dwarf5.wasm"])("a call of %s that breaks off", (name) => {
  let chain: TestChain;
  let faults: TestContract;
  const code = readFileSync(file(name));

  beforeEach(() => {
    chain = new TestChain();
    faults = deployed(chain, code);
  });

  it.each(CASES)("by %s says why and where", (...[method, args, failure, reason, where]) => {
    const outcome = faults.call(chain.account("alice"), method, args, { gas: 5_000_000 });
    expect([outcome.code, outcome.reason, outcome.inner]).toEqual([failure, reason, []]);
    if (typeof where === "string") expect(outcome.where).toBe(where);
    else expect(outcome.where).toMatch(where);
  });

  it("inside another call is reported as well", () => {
    const other = deployed(chain, code);
    const outcome = other.call(chain.account("alice"), "pass_on", [faults.id]);
    expect(outcome).toMatchObject({ isOk: true, result: 2, where: "" });
    expect(outcome.inner).toEqual(["faults.by_zero: division by zero, in divide (faults.c:5:12), called by by_zero (faults.c:9:14)"]);
  });

  it("before it is loaded says so", () => {
    expect(faults.call(chain.account("alice"), "outside", [], { gas: 3_000 })).toMatchObject({
      code: "CONTRACT_OUT_OF_GAS",
      reason: expect.stringContaining("does not suffice to load the contract"),
      where: "",
    });
  });

  it("has positions where names and lines were taken out", () => {
    const bare = deployed(chain, withoutCustomSections(code));
    const outcome = bare.call(chain.account("alice"), "by_zero", [0]);
    expect(outcome.where).toMatch(/^in function \d+ \(offset 0x[0-9a-f]+\), called by by_zero \(offset 0x[0-9a-f]+\)$/);
    // The instruction there is i64.div_u.
    const at = Number.parseInt(/offset 0x([0-9a-f]+)/.exec(outcome.where)?.[1] ?? "", 16);
    expect(withoutCustomSections(code)[at]).toBe(0x80);
  });
});

describe("a view that breaks off", () => {
  it("fails with the reason alone, and has the line beside it", () => {
    const faults = deployed(new TestChain(), readFileSync(file("faults.wasm")));
    const view = (): unknown => faults.view("refuse", [5]);
    expect(view).toThrow(/^five at most$/);
    expect(view).toThrow(expect.objectContaining({ where: "in refuse (faults.c:25:3)" }));
  });
});
