// Random modules over all instructions, and mutants of them: the engine, the interpreter and a plain machine agree. `npm run mutants --
// --modules N` tries more.
import { beforeAll, describe, expect, it } from "vitest";
import { INSTRUCTIONS } from "#node/vm/module/opcodes.ts";
import { prepareThread } from "#node/vm/prepare-thread.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { fuzzEngines } from "#test/support/vm/fuzz/fuzz-engines.ts";
import { numbersOf, typedModule } from "#test/support/vm/typed-module.ts";

const FIRST_SEED = 7;
const MODULES = extent(120, 300);

beforeAll(prepareThread);

describe("modules over all instructions", () => {
  it("come to the same on the engine, in the interpreter and on a plain machine, for the same gas", async () => {
    const { findings, ends } = await fuzzEngines(FIRST_SEED, MODULES);
    expect(findings).toEqual([]);
    // They must be worth it: many end well, some by each meter that a short run reaches.
    expect(ends.ok).toBeGreaterThan(MODULES / 5);
    expect(ends.CONTRACT_TRAPPED).toBeGreaterThan(MODULES / 8);
    expect(ends.CONTRACT_OUT_OF_GAS).toBeGreaterThan(MODULES / 15);
  });

  it("come to the same, too, when binaryen's generator or a compiler made them", async () => {
    // One of the generator, then a contract as it is.
    const [generated, contract] = [await fuzzEngines(5, 60, "binaryen"), await fuzzEngines(7, 60, "binaryen")];
    expect([...generated.findings, ...contract.findings]).toEqual([]);
    for (const { ends, hostCalls } of [generated, contract]) {
      expect(ends.ok).toBeGreaterThan(60);
      expect(ends.CONTRACT_TRAPPED).toBeGreaterThan(10);
      expect(Object.keys(hostCalls).length).toBeGreaterThan(20);
    }
  });

  it("have every instruction in them", () => {
    const text = Array.from({ length: 60 }, (_, index) => Buffer.from(typedModule(FIRST_SEED + index)).toString("latin1")).join("");
    const missing = INSTRUCTIONS.flatMap((item, opcode) =>
      item !== undefined && !text.includes(String.fromCharCode(opcode)) ? [opcode] : [],
    );
    expect(missing).toEqual([]);
  });

  it("are the same for a seed, and others for a mutation", () => {
    const bytes = (at?: number): string =>
      Buffer.from(typedModule(FIRST_SEED, at === undefined ? undefined : { at, by: 1 })).toString("hex");
    expect(bytes()).toBe(bytes());
    const numbers = numbersOf(FIRST_SEED);
    const mutants = new Set(Array.from({ length: 50 }, (_, index) => bytes(Math.floor((index * numbers) / 50))));
    expect(mutants.size).toBeGreaterThan(20);
  });
});
