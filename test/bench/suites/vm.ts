// The machine for contracts: what a unit of gas costs for every kind of operation, what metering costs, deployments and calls. All times
// are processor time of the thread, so that other work on the machine does not count.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildContract } from "#node/contracts/build-contract.ts";
import { EXAMPLES_FOLDER } from "#node/contracts/new-contract.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { inspectModule } from "#node/vm/contract-vm.ts";
import { ENTRY_PREFIX, instrumentModule, METERED } from "#node/vm/module/instrument-module.ts";
import { STACK_WORDS } from "#node/vm/module/module-limits.ts";
import { prepareThread } from "#node/vm/prepare-thread.ts";
import { MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { INIT_METHOD } from "#shared/protocol/transactions/contracts.ts";
import { projectRoot } from "../../support/nodes/run-program.ts";
import { fewestWords } from "../../support/vm/frame-shapes.ts";
import { buildModule, type Code, i32c, type ModuleSpec, W } from "../../support/vm/wasm-builder.ts";
import { bob } from "../../support/worlds/ledger-world.ts";
import { VmWorld } from "../../support/worlds/vm-world.ts";
import { median, round, table } from "../measure/statistics.ts";
import { coldBlocks } from "../vm/cold-state.ts";
import type { HostileCase } from "../vm/hostile-case.ts";
import { hostileCases } from "../vm/hostile-cases.ts";
import { operations } from "../vm/operations.ts";
import { randomMixes } from "../vm/random-mixes.ts";
import type { Bench } from "./bench.ts";

const KERNELS = ["fib", "xorshift", "sieve", "matmul", "quicksort", "hashing", "parsing"] as const;
const REPEATS = 5;
/** Times that a module is loaded as if for the first time: one is short, and the collector falls into some. */
const LOADINGS = 9;
const STACK_SHAPES = 1_000;
/** How many times the words of the meter the native stack must hold. */
const LEAST_STACK = 1.75;
const RANDOM_MIXES = 100;
const FIRST_SEED = 1;
/** Rows of the table of hostile cases. */
const SHOWN = 25;
/** Shortest measurement, µs of processor time. */
const LEAST_US = 40_000;
/** What 1 gas may cost at most, ns: 1,000,000 gas are then 2 ms. */
const MOST_NS_PER_GAS = 2;

const vmOptions = (): { readonly sha256: typeof nativeSha256; readonly verify: ReturnType<typeof createNativeVerifier> } => ({
  sha256: nativeSha256,
  verify: createNativeVerifier(),
});

/** All tables of the machine. */
export async function vmSuite(bench: Bench): Promise<void> {
  // Raw modules are compared with metered ones under the compiler that contracts have.
  prepareThread();
  gasTable(bench);
  hostileTable(bench);
  coldStateTable(bench);
  meteringTable(bench);
  await deploymentTable(bench);
  await callTable(bench);
  stackTable(bench);
}

/** Processor time of the thread for some work, µs. */
function processorUs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** Processor time of the thread for one unit of some work, ns: the work is repeated until the clock, which is coarse, is exact enough. */
function timed(work: () => unknown): number {
  const before = process.threadCpuUsage();
  let units = 0;
  for (;;) {
    const done = work();
    units += typeof done === "number" ? done : 1;
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= LEAST_US) return ((user + system) * 1_000) / units;
  }
}

function gasTable(bench: Bench): void {
  const rows = operations().map(({ what, spec, methods, gas = 20_000_000, setup }) => {
    const world = new VmWorld(vmOptions());
    const id = world.install(spec, methods);
    setup?.(world, id);
    const samples = Array.from({ length: REPEATS }, () => timed(() => world.call(id, "run", { gas }).gasUsed));
    return { what, ns: median(samples), first: samples[0] ?? 0 };
  });
  const figures = rows.map(({ ns }) => ns);
  const worst = Math.max(...figures);
  const body = [...rows].sort((a, b) => b.ns - a.ns).map(({ what, ns, first }) => [what, round(ns), round(first)]);
  bench.print(table("Gas: processor time of one unit, ns (median, and the first calls)", ["operation", "ns/gas", "first"], body));
  bench.print(`Spread: ${round(Math.min(...figures))} to ${round(worst)} ns, median ${round(median(figures))} ns. State is in memory.\n`);
  bench.goals.push({ what: "worst processor time of a unit of gas", value: worst, unit: "ns", bound: { atMost: MOST_NS_PER_GAS } });
}

/** Combinations, sizes, depths and caches that are cold: the worst of them are shown. */
function hostileTable(bench: Bench): void {
  const cases = [...hostileCases(), ...randomMixes(FIRST_SEED, RANDOM_MIXES)];
  const rows = cases.map((item) => ({ what: item.what, ns: nanosecondsPerGas(item) })).sort((a, b) => b.ns - a.ns);
  const shown = rows.slice(0, SHOWN).map(({ what, ns }) => [what, round(ns)]);
  bench.print(table(`Gas: the worst ${SHOWN} of ${rows.length} combinations`, ["what", "ns/gas"], shown));
  const worstOf = (isMeant: (what: string) => boolean): number => rows.find(({ what }) => isMeant(what))?.ns ?? 0;
  const isLoading = (what: string): boolean => what.startsWith("loading: ");
  const bound = { atMost: MOST_NS_PER_GAS };
  bench.goals.push({
    what: "worst processor time of a unit of gas, combinations",
    value: worstOf((what) => !isLoading(what)),
    unit: "ns",
    bound,
  });
  bench.goals.push({ what: "worst processor time of a unit of gas, loading", value: worstOf(isLoading), unit: "ns", bound });
}

function nanosecondsPerGas({ prepare, cacheBytes, isFirstOnly = false }: HostileCase): number {
  const options = { ...vmOptions(), ...(cacheBytes === undefined ? {} : { cacheBytes }) };
  if (!isFirstOnly) {
    const work = prepare(new VmWorld(options));
    return median(Array.from({ length: 3 }, () => timed(work)));
  }
  const rounds = Array.from({ length: LOADINGS }, () => {
    const work = prepare(new VmWorld(options));
    let gas = 0;
    const us = processorUs(() => {
      gas = work();
    });
    return (us * 1_000) / gas;
  });
  return median(rounds);
}

function coldStateTable(bench: Bench): void {
  const rows = coldBlocks(bench.folder).map(({ what, gas, us, ms }) => ({ what, ns: (us * 1_000) / gas, ms }));
  const body = rows.map(({ what, ns, ms }) => [what, round(ns), round(ms)]);
  bench.print(table("Gas: blocks over a database of 300,000 keys, nothing in caches", ["a block of", "ns/gas", "until durable, ms"], body));
  const worst = Math.max(...rows.map(({ ns }) => ns));
  bench.goals.push({
    what: "worst processor time of a unit of gas, cold state",
    value: worst,
    unit: "ns",
    bound: { atMost: MOST_NS_PER_GAS },
  });
  const slowest = Math.max(...rows.map(({ ms }) => ms));
  bench.goals.push({ what: "full block of the worst, until durable", value: slowest, unit: "ms", bound: { atMost: 1_000 } });
}

function kernelsOf(code: Uint8Array<ArrayBuffer>, prefix: string): { readonly [name: string]: () => void } {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), {});
  const [gas, stack] = [exports[METERED.gas], exports[METERED.stack]];
  return Object.fromEntries(
    KERNELS.map((kernel) => [
      kernel,
      (): void => {
        if (gas instanceof WebAssembly.Global) gas.value = 2_000_000_000;
        if (stack instanceof WebAssembly.Global) stack.value = STACK_WORDS;
        (exports[`${prefix}${kernel}`] as () => void)();
      },
    ]),
  );
}

function meteringTable(bench: Bench): void {
  const code = Uint8Array.from(readFileSync(join(projectRoot, "test/vectors/contracts/kernels.wasm")));
  const [raw, metered] = [kernelsOf(code, ""), kernelsOf(instrumentModule(code).code, ENTRY_PREFIX)];
  const ratios = KERNELS.map((kernel) => {
    const [plain, counted] = [raw[kernel], metered[kernel]];
    if (plain === undefined || counted === undefined) throw new Error("A kernel is missing");
    for (let warm = 0; warm < 40; warm += 1) {
      plain();
      counted();
    }
    const times = Array.from({ length: REPEATS }, () => [timed(plain), timed(counted)] as const);
    const [best, bestCounted] = [Math.min(...times.map(([ns]) => ns)), Math.min(...times.map(([, ns]) => ns))];
    return { kernel, best, bestCounted, ratio: bestCounted / best };
  });
  const geomean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
  const rows = ratios.map(({ kernel, best, bestCounted, ratio }) => [kernel, round(best / 1e6), round(bestCounted / 1e6), round(ratio)]);
  bench.print(
    table(
      `Metering: a run raw and metered (best of ${REPEATS})`,
      ["kernel", "raw ms", "metered ms", "ratio"],
      [...rows, ["geometric mean", "", "", round(geomean)]],
    ),
  );
  bench.goals.push({ what: "metered / raw run time, geometric mean", value: geomean, unit: "×", bound: { atMost: 1.35 } });
}

async function deploymentTable(bench: Bench): Promise<void> {
  const token = await buildContract(join(EXAMPLES_FOLDER, "token"), (line) => bench.print(line));
  const modules: readonly (readonly [string, Uint8Array])[] = [
    ["vault (C)", readFileSync(join(projectRoot, "test/vectors/contracts/vault.wasm"))],
    ["token (AssemblyScript)", token.code],
    ["straight lines", buildModule(straightLines(4))],
    ["branches", buildModule(branches(4))],
  ];
  const rows = modules.map(([what, code]) => {
    for (let warm = 0; warm < 5; warm += 1) inspectModule(code);
    const ns = median(Array.from({ length: REPEATS }, () => timed(() => void inspectModule(code))));
    const metered = instrumentModule(code).code;
    const compile = median(Array.from({ length: REPEATS }, () => timed(() => void new WebAssembly.Module(metered))));
    const size = String(code.length);
    return [what, size, round(metered.length / code.length), round(ns / 1e6), round(ns / code.length), round(compile / 1e6)];
  });
  bench.print(
    table("Deployment: checking and metering a module", ["module", "bytes", "metered ×", "ms", "ns/byte", "engine's part, ms"], rows),
  );
}

async function callTable(bench: Bench): Promise<void> {
  const kept = new VmWorld(vmOptions());
  const fresh = new VmWorld({ ...vmOptions(), idleInstances: 0 });
  const empty = buildModule({ functions: [{ code: [], export: "run" }] });
  const loads = new VmWorld({ ...vmOptions(), cacheBytes: 1 });
  const vault = readFileSync(join(projectRoot, "test/vectors/contracts/vault.wasm"));
  const perCall = (world: VmWorld, code: Uint8Array, method: string): number => {
    const other = world.install(empty);
    const id = world.install(code, [{ name: method, args: [], view: true }]);
    const calls = (): void => {
      if (world === loads) world.call(other);
      world.call(id, method, { gas: MAX_GAS_LIMIT });
    };
    for (let warm = 0; warm < 200; warm += 1) calls();
    return median(Array.from({ length: REPEATS }, () => timed(calls))) / 1_000;
  };
  const rows = [
    ["empty method, instance used again", round(perCall(kept, empty, "run"))],
    ["empty method, new instance", round(perCall(fresh, empty, "run"))],
    ["method of a C contract that reads state", round(perCall(kept, vault, "locked"))],
    ["the same, new instance", round(perCall(fresh, vault, "locked"))],
    ["the same, module not in the cache (two calls)", round(perCall(loads, vault, "locked"))],
  ];
  const plain = await tokenTransferUs(kept, { folder: join(projectRoot, "test/vectors/contracts/plain-token"), init: [1e9], amount: 1 });
  const init = ["Token", "TOK", 0, "1000000000"];
  const library = await tokenTransferUs(kept, { folder: join(EXAMPLES_FOLDER, "token"), init, amount: "1" });
  rows.push(["transfer of a token of balances alone (AssemblyScript)", round(plain)]);
  rows.push(["transfer of the library's token: 128-bit amounts, typed event", round(library)]);
  bench.print(table("Calls: processor time of a whole call in the ledger, state in memory", ["call", "µs"], rows));
  bench.goals.push({ what: "transfer of a token", value: plain, unit: "µs", bound: { atMost: 15 } });
}

interface BenchedToken {
  readonly folder: string;
  readonly init: readonly unknown[];
  readonly amount: unknown;
}

async function tokenTransferUs(world: VmWorld, { folder, init, amount }: BenchedToken): Promise<number> {
  const { code, abi } = await buildContract(folder, () => undefined);
  const id = world.install(code, abi.methods);
  const call = (method: string, args: readonly unknown[]): void => {
    const { failure, logs } = world.call(id, method, { args, gas: MAX_GAS_LIMIT, isDeployment: method === INIT_METHOD });
    if (failure !== undefined) throw new Error(`${method}: ${failure}: ${logs[0]?.message}`);
  };
  call(INIT_METHOD, init);
  const transfer = (): void => call("transfer", [bob.pub, amount]);
  for (let warm = 0; warm < 200; warm += 1) transfer();
  return median(Array.from({ length: REPEATS }, () => timed(transfer))) / 1_000;
}

/** Recursions whose frames are as large as a search over shapes finds, down to the end of the native stack. */
function stackTable(bench: Bench): void {
  const { words, seed } = fewestWords(Math.floor(Math.random() * 1e9), STACK_SHAPES);
  const rows = [[String(STACK_SHAPES), String(words), round(words / STACK_WORDS), String(seed)]];
  bench.print(table("Native stack: words of the meter that fill it, at least", ["shapes", "words", "× limit", "seed"], rows));
  bench.goals.push({ what: "native stack / stack of the meter", value: words / STACK_WORDS, unit: "×", bound: { atLeast: LEAST_STACK } });
}

function straightLines(functions: number, seed = 0): ModuleSpec {
  return leftAtOnce(functions, seed, many(9_000, [i32c(1), i32c(2), 0x6a, W.drop]));
}

function branches(functions: number, seed = 0): ModuleSpec {
  return leftAtOnce(functions, seed, many(15_000, [i32c(1), 0x0d, 0]));
}

/** Functions that are left before their code, which is compiled all the same; the first can be called. Another seed, another module. */
function leftAtOnce(functions: number, seed: number, code: Code): ModuleSpec {
  const body: Code = [i32c(seed), W.drop, i32c(1), 0x0d, 0, code];
  return { functions: Array.from({ length: functions }, (_, index) => (index === 0 ? { export: "run", code: body } : { code: body })) };
}

function many(count: number, code: Code): Code {
  return Array.from({ length: count }, () => code);
}
