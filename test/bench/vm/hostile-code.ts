// Code and memory that push each other out of the processor's caches: functions of straight lines in turn, with walks through the memory
// in between. What loading them cost is left out, since it is paid once a call.
import {
  add,
  br,
  brIf,
  type Code,
  call,
  get,
  grow,
  i32c,
  load,
  loop,
  type ModuleSpec,
  set,
  store,
  W,
} from "../../support/vm/wasm-builder.ts";
import { type HostileCase, many } from "./hostile-case.ts";

const { i32 } = W;
const GAS = 50_000_000;
/** 60 bytes of code or so for 2 gas. */
const BRANCH: Code = [i32c(0), brIf(0)];
const LOADS = 32;

interface Shape {
  readonly functions: number;
  readonly count: number;
  readonly line: Code;
  /** Memory that is walked through in each round, with each address out of the one before. */
  readonly kibibytes?: number;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  "5,000 branches": { functions: 1, count: 5_000, line: BRANCH },
  "12 functions of 5,000 branches": { functions: 12, count: 5_000, line: BRANCH },
  "4 functions of 60,000 comparisons": { functions: 4, count: 1_200, line: comparisons(50) },
  "1,000 branches, walks through 512 KiB": { functions: 1, count: 1_000, line: BRANCH, kibibytes: 512 },
  "29,000 comparisons, walks through 512 KiB": { functions: 1, count: 550, line: comparisons(50), kibibytes: 512 },
  "29,000 comparisons, walks through 1 MiB": { functions: 1, count: 550, line: comparisons(50), kibibytes: 1_024 },
  "5 functions of 5,000 branches, walks through 512 KiB": { functions: 5, count: 5_000, line: BRANCH, kibibytes: 512 },
  "5 functions of 5,000 branches, walks through 1 MiB": { functions: 5, count: 5_000, line: BRANCH, kibibytes: 1_024 },
};

/** Modules whose code or memory does not stay where it was. */
export function codeCases(): readonly HostileCase[] {
  return Object.entries(SHAPES).map(([what, shape]) => ({
    what: `code: ${what}`,
    prepare: (world) => {
      const id = world.install(moduleOf(shape));
      const loading = world.loadingGas(id);
      return () => world.call(id, "run", { gas: loading + GAS }).gasUsed - loading;
    },
  }));
}

function comparisons(count: number): Code {
  return [get(0), many(count, 0x45), set(0)];
}

function moduleOf({ functions, count, line, kibibytes = 64 }: Shape): ModuleSpec {
  const pages = kibibytes / 64;
  const straight = Array.from({ length: functions }, () => ({ locals: [[1, i32]] as const, code: many(count, line) }));
  const calls = straight.map((_, index) => call(1 + index));
  const round: Code = [calls, kibibytes === 64 ? [] : walk(kibibytes)];
  const code: Code = [i32c(pages - 1), grow, W.drop, lay(kibibytes), loop(W.void, round, br(0))];
  return { functions: [{ export: "run", locals: [[3, i32]], code }, ...straight], memory: [1, 1, pages] };
}

/** Lets every 64 bytes name others, in an order against caches. */
function lay(kibibytes: number): Code {
  const last = kibibytes * 1_024 - 64;
  const other: Code = [get(1), i32c(1_103_515_245), 0x6c, i32c(12_345 * 64), add, i32c(last), 0x71];
  return loop(W.void, get(1), other, store(), get(1), i32c(64), add, 0x22, 1, i32c(kibibytes * 1_024), 0x49, brIf(0));
}

/** Goes through all of it once. */
function walk(kibibytes: number): Code {
  const rounds = (kibibytes * 16) / LOADS;
  const next: Code = [get(0), many(LOADS, load()), set(0), get(2), i32c(1), add, 0x22, 2, i32c(rounds), 0x49, brIf(0)];
  return [i32c(0), set(2), loop(W.void, next)];
}
