// What instructions and the loading of a module cost: prices that every node must agree on.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";
import { buildModule, type Code, call, i32c, load, store, W } from "#test/support/vm/wasm-builder.ts";
import { VmWorld } from "#test/support/worlds/vm-world.ts";

describe("the price", () => {
  it("of a load is higher where the memory can grow beyond what the processor keeps close; a store's is the same", () => {
    const usedBy = (code: Code, pages: number): number => {
      const world = new VmWorld();
      const id = world.install({ functions: [{ export: "run", code }], memory: [1, 1, pages] });
      return world.call(id).gasUsed - GAS.wasmWeight * world.record(id).wasmWeight;
    };
    const loading: Code = [i32c(0), load(), W.drop];
    const storing: Code = [i32c(0), i32c(7), store()];
    expect(usedBy(loading, 16) - usedBy([], 16)).toBe(1 + 5);
    expect(usedBy(loading, 17) - usedBy([], 17)).toBe(1 + 25);
    expect(usedBy(storing, 16) - usedBy([], 16)).toBe(2 + 3);
    expect(usedBy(storing, 17) - usedBy([], 17)).toBe(2 + 3);
  });

  it("of loading counts the metered module, and two bytes more for each call in it", () => {
    const callee = { code: [] };
    const without = instrumentModule(buildModule({ functions: [{ export: "run", code: [] }, callee] }));
    const spec = buildModule({ functions: [{ export: "run", code: [call(1), call(1), call(1)] }, callee] });
    const metered = instrumentModule(spec);
    expect(without.weight).toBe(without.code.length);
    expect(metered.weight).toBe(metered.code.length + 6);
  });

  it("of loading is the same for everybody: the weights of two modules", () => {
    const weightOf = (name: string): number =>
      instrumentModule(Uint8Array.from(readFileSync(join(projectRoot, "test/vectors/contracts", name)))).weight;
    expect({ vault: weightOf("vault.wasm"), kernels: weightOf("kernels.wasm") }).toEqual({ vault: 3_336, kernels: 3_921 });
  });
});
