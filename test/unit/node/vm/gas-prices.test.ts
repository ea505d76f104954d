// What instructions and the loading of a module cost: prices that every node must agree on.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { METER_LOCALS, MOVES, WEIGHT } from "#node/vm/module/module-limits.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";
import {
  block,
  br,
  buildModule,
  type Code,
  call,
  type FunctionSpec,
  i32c,
  i64c,
  load,
  loop,
  store,
  W,
} from "#test/support/vm/wasm-builder.ts";
import { VmWorld } from "#test/support/worlds/vm-world.ts";

describe("the price", () => {
  it("of a load is higher where the memory can grow beyond what the processor keeps close; a store's is the same", () => {
    const usedBy = (code: Code, pages: number): number => {
      const world = new VmWorld();
      const id = world.install({ functions: [{ export: "run", code }], memory: [1, 1, pages] });
      return world.call(id).gasUsed - world.loadingGas(id);
    };
    const loading: Code = [i32c(0), load(), W.drop];
    const storing: Code = [i32c(0), i32c(7), store()];
    expect(usedBy(loading, 16) - usedBy([], 16)).toBe(1 + 5);
    expect(usedBy(loading, 17) - usedBy([], 17)).toBe(1 + 30);
    expect(usedBy(storing, 16) - usedBy([], 16)).toBe(2 + 3);
    expect(usedBy(storing, 17) - usedBy([], 17)).toBe(2 + 3);
  });

  it("of code behind a block is paid in front of it, unless something leads past the end of the block", () => {
    const imports = [{ name: "revert", params: [W.i32, W.i32] }];
    const behind = Array.from({ length: 500 }, () => [i32c(1), W.drop]);
    // The call is refused inside the block: what is paid of 500 instructions behind it was paid before.
    const paidBehind = (inside: Code): number => {
      const world = new VmWorld();
      const usedBy = (rest: Code): number => {
        const id = world.install({
          imports,
          functions: [{ export: "run", code: [block(W.void, inside, i32c(0), i32c(0), call(0)), rest] }],
        });
        return world.call(id).gasUsed - world.loadingGas(id);
      };
      return usedBy(behind) - usedBy([]);
    };
    const unless = (code: Code): Code => [i32c(0), 0x04, W.void, code, W.end];
    expect(paidBehind([])).toBe(500);
    expect(paidBehind(unless(br(1)))).toBe(500);
    expect(paidBehind(loop(W.void, i32c(0), 0x0d, 0))).toBe(500);
    const isLeft = unless(br(1));
    expect(paidBehind([isLeft, unless(br(2))])).toBe(0);
    expect(paidBehind([isLeft, unless(W.return)])).toBe(0);
    expect(paidBehind([isLeft, i32c(0), 0x0d, 1])).toBe(0);
    expect(paidBehind([isLeft, block(W.void, i32c(0), 0x0e, 1, 0, 2)])).toBe(0);
  });

  /** What a module weighs beside its bytes. */
  const beside = (run: Partial<FunctionSpec>): number => {
    const { weight, code } = instrumentModule(buildModule({ functions: [{ code: [], export: "run", ...run }, { code: [] }] }));
    return weight - code.length;
  };
  /** Moves of a function with 128 locals for each of them, beside those of its beginning and its first charge. */
  const moves = (code: Code): number => {
    const locals = [[128 - METER_LOCALS, W.i64]] as const;
    return beside({ locals, code }) - 2 * WEIGHT.function - 1 - MOVES.function - MOVES.charge;
  };

  it("of loading counts the metered module, each function, call and target of a table", () => {
    // The locals of the meters come to less than a byte in each.
    const empty = 2 * (WEIGHT.function + 1);
    expect(beside({})).toBe(empty);
    expect(beside({ code: [call(1), call(1), call(1)] })).toBe(empty + 3 * WEIGHT.call);
    expect(beside({ code: [i32c(0), 0x0e, 3, 0, 0, 0, 0] })).toBe(empty + 3 * WEIGHT.target + 1);
  });

  it("of loading counts every local where paths part or meet", () => {
    const { charge } = MOVES;
    expect(moves([])).toBe(0);
    expect(moves(block(W.void))).toBe(MOVES.block);
    expect(moves([block(W.void, br(0))])).toBe(MOVES.block + MOVES.branch);
    expect(moves(loop(W.void))).toBe(MOVES.loop + charge);
    // The condition is an operand until it is taken away.
    expect(moves([i32c(1), 0x0d, 0])).toBe(MOVES.branchIf + charge + 1);
    expect(moves([i32c(1), 0x04, W.void, W.end])).toBe(MOVES.if + charge);
    expect(moves([i32c(1), 0x04, W.void, W.else, W.end])).toBe(MOVES.if + MOVES.block + 2 * charge);
    expect(moves([W.return])).toBe(MOVES.branch);
    expect(moves([call(1)])).toBe(MOVES.call + WEIGHT.call);
  });

  it("of loading counts operands as locals", () => {
    const held = (count: number): number =>
      beside({ code: [Array.from({ length: count }, () => i64c(1)), loop(W.void), Array.from({ length: count }, () => W.drop)] });
    expect(held(256) - held(0)).toBe(2 * (MOVES.loop + MOVES.charge));
  });

  it("of loading is the same for everybody: the weights of two modules", () => {
    const weightOf = (name: string): number =>
      instrumentModule(Uint8Array.from(readFileSync(join(projectRoot, "test/vectors/contracts", name)))).weight;
    expect({ vault: weightOf("vault.wasm"), kernels: weightOf("kernels.wasm") }).toEqual({ vault: 3_544, kernels: 4_308 });
  });
});
