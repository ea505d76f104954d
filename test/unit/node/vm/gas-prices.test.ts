// What instructions and the loading of a module cost: prices that every node must agree on.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { readContract, readContractBytes } from "#node/ledger/records/contract-records.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { FREE_TABLE_PLACES, FREE_TYPES, METER_LOCALS, MOVES, NEAR_WEIGHT, TYPE_WEIGHT, WEIGHT } from "#node/vm/module/module-limits.ts";
import { parseModule } from "#node/vm/module/parse-module.ts";
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
  u32,
  W,
} from "#test/support/vm/wasm-builder.ts";
import { VmWorld } from "#test/support/worlds/vm-world.ts";

/** A page of memory, and the empty list of arguments. */
const PAGE_AND_ARGUMENTS = 24_000 + 2 * 30;

describe("the price", () => {
  /** What code pays in a module whose memory can grow to so many pages, beside functions that are never called. */
  const usedIn = (code: Code, pages: number, others: readonly FunctionSpec[] = []): number => {
    const world = new VmWorld();
    const id = world.install({ functions: [{ export: "run", code }, ...others], memory: [1, 1, pages] });
    const { gasUsed, failure } = world.call(id, "run", { gas: 50_000_000 });
    expect(failure).toBeUndefined();
    return gasUsed - world.loadingGas(id) - PAGE_AND_ARGUMENTS;
  };
  const loading: Code = [i32c(0), load(), W.drop];
  const storing: Code = [i32c(0), i32c(7), store()];

  it("of a load is higher where the memory can grow beyond what the processor keeps close; a store's is the same", () => {
    expect(usedIn(loading, 8) - usedIn([], 8)).toBe(1 + 5);
    expect(usedIn(loading, 9) - usedIn([], 9)).toBe(1 + 80);
    expect(usedIn(storing, 8) - usedIn([], 8)).toBe(2 + 3);
    expect(usedIn(storing, 9) - usedIn([], 9)).toBe(2 + 3);
  });

  it("of a module that weighs more than the processor keeps close is higher for everything that runs", () => {
    const plain = (count: number): FunctionSpec => ({ code: Array.from({ length: count }, () => W.nop) });
    const { weight } = instrumentModule(buildModule({ functions: [{ export: "run", code: [] }, plain(32_000)], memory: [1, 1, 1] }));
    const rest = 32_000 + NEAR_WEIGHT - weight;
    const [most, over] = [[plain(rest)], [plain(rest + 1)]];
    expect(usedIn([], 1, most)).toBe(4);
    expect(usedIn([], 1, over)).toBe(2 * 4 + 10);
    expect(usedIn(loading, 1, over)).toBe(2 * (4 + 1) + 80 + 10);
    expect(usedIn(storing, 1, over)).toBe(2 * (4 + 2 + 3) + 10);
    // A loop is a stretch of its own, and so is what follows a branch; one that costs nothing costs nothing.
    expect(usedIn(loop(W.void), 1, over)).toBe(2 * 4 + 10 + 2 * 1 + 10);
    expect(usedIn([i32c(0), 0x0d, 0, i32c(0), W.drop], 1, over)).toBe(2 * (4 + 2) + 10 + 2 * 1 + 10);
    expect(usedIn([i32c(0), 0x0d, 0], 1, over)).toBe(2 * (4 + 2) + 10);
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

  it("of loading counts the places of a table and what is put there, beyond 512", () => {
    const run = { export: "run", code: [] };
    /** Weight of a module with a table and segments of so many elements, beside its bytes and without a table. */
    const table = (places: number, ...segments: number[]): number => {
      const elements = segments.map((count) => [0, i32c(0), W.end, u32(count), Array.from({ length: count }, () => 0)]);
      const { weight, code } = instrumentModule(buildModule({ functions: [run], table: [0x70, 0, u32(places)], elements }));
      return weight - code.length - WEIGHT.function - 1;
    };
    expect([table(0), table(FREE_TABLE_PLACES), table(FREE_TABLE_PLACES + 1)]).toEqual([0, 0, 1]);
    expect([table(256, 256), table(256, 256, 1), table(4_096, 4_096)]).toEqual([0, 1, 2 * 4_096 - FREE_TABLE_PLACES]);
    // The same places filled again and again cost as often.
    expect(table(100, ...Array.from({ length: 64 }, () => 100))).toBe(65 * 100 - FREE_TABLE_PLACES);
  });

  it("of loading counts the places of a table by the weight that is stored, in each call", () => {
    const world = new VmWorld();
    const elements = [[0, i32c(0), W.end, u32(4_096), Array.from({ length: 4_096 }, () => 0)]];
    const [few, many] = [[], elements].map((given) => {
      const id = world.install({ functions: [{ export: "run", code: [] }], table: [0x70, 0, u32(4_096)], elements: given });
      const stored = readContractBytes(world.state, id)?.length ?? 0;
      const weight = readContract(world.state, id)?.wasmWeight ?? 0;
      return { weight, gas: world.call(id).gasUsed - GAS.contractByte * stored - GAS.wasmWeight * weight };
    });
    // Each element is a byte of the module, and weighs another one.
    expect((many?.weight ?? 0) - (few?.weight ?? 0)).toBeGreaterThan(2 * 4_096);
    expect(many?.gas).toBe(few?.gas);
  });

  it("of loading counts types of functions beyond 64", () => {
    /** Weight of a module of so many functions, beside its bytes; all of one type, or each of its own. */
    const besideOf = (count: number, isOne: boolean): number => {
      const params = (at: number): readonly number[] => Array.from({ length: 8 }, (_, bit) => ((at >> bit) & 1 ? W.i64 : W.i32));
      const module = buildModule({ functions: Array.from({ length: count }, (_, at) => ({ params: params(isOne ? 0 : at), code: [] })) });
      expect(parseModule(module).types).toHaveLength(isOne ? 1 : count);
      const { weight, code } = instrumentModule(module);
      return weight - code.length;
    };
    const types = (count: number): number => besideOf(count, false) - besideOf(count, true);
    expect([types(1), types(FREE_TYPES), types(FREE_TYPES + 1), types(100)]).toEqual([0, 0, TYPE_WEIGHT, 36 * TYPE_WEIGHT]);
  });

  it("of loading is the same for everybody: the weights of two modules", () => {
    const weightOf = (name: string): number =>
      instrumentModule(Uint8Array.from(readFileSync(join(projectRoot, "test/vectors/contracts", name)))).weight;
    expect({ vault: weightOf("vault.wasm"), kernels: weightOf("kernels.wasm") }).toEqual({ vault: 3_608, kernels: 4_452 });
  });
});
