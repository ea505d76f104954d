// One module on the runtime's engine and in the node's interpreter, metered, and on a plain machine as its author wrote it: what it comes to
// must be the same, and cost what its instructions and its calls of the host cost one by one.
import { engine } from "#node/vm/engine.ts";
import { interpretedEngine } from "#node/vm/interpreter/interpreted-engine.ts";
import type { MeteredModule } from "#node/vm/module/instrument-module.ts";
import { NEAR_PAGES, NEAR_WEIGHT, STACK_WORDS } from "#node/vm/module/module-limits.ts";
import { FAR_CODE_GAS } from "#node/vm/module/opcodes.ts";
import { parseModule } from "#node/vm/module/parse-module.ts";
import { PlainHostEnd, PlainMachine, type PlainRun } from "../plain/plain-machine.ts";
import type { FuzzModule } from "./fuzz-module.ts";
import { hostPrice } from "./host-prices.ts";
import { type EntryRun, type HostCallTrace, hashOf, type RunRecord, runEntries } from "./host-run.ts";

/** What was seen. */
export interface Comparison {
  /** How the entries ended on the engine. */
  readonly ends: readonly string[];
  /** What differs first, if anything does. */
  readonly difference: string | undefined;
  /** Instructions that the plain machine ran, by their opcode, and calls of the host by name. */
  readonly executed: Uint32Array;
  readonly hostCalls: readonly string[];
}

/** Runs a module that was metered everywhere. */
export function compareRuns(module: FuzzModule, metered: MeteredModule): Comparison {
  const record = runEntries(engine, metered, module.run, true);
  const { runs } = record;
  const { executed, difference } = comparePlain(module, metered, runs);
  return {
    ends: runs.map(({ outcome }) => outcome.end.split(" ")[0] ?? ""),
    difference: interpretedDifference(record, runEntries(interpretedEngine, metered, module.run)) ?? priceDifference(runs) ?? difference,
    executed,
    hostCalls: runs.flatMap(({ calls }) => calls.map(({ name }) => name)),
  };
}

function interpretedDifference({ runs, again }: RunRecord, interpreted: RunRecord): string | undefined {
  const first = JSON.stringify(runs[0]?.outcome);
  for (const outcome of [again, interpreted.again])
    if (outcome !== undefined && JSON.stringify(outcome) !== first) return `again ${JSON.stringify(outcome)}, first ${first}`;
  for (const [index, { outcome }] of runs.entries()) {
    const [a, b] = [JSON.stringify(outcome), JSON.stringify(interpreted.runs[index]?.outcome)];
    if (a !== b) return `entry ${index}: engine ${a}, interpreted ${b}`;
    if (outcome.end === "ok" && outcome.stack !== STACK_WORDS) return `entry ${index}: ${outcome.stack} words of the stack are left`;
  }
  return undefined;
}

function priceDifference(runs: readonly EntryRun[]): string | undefined {
  const wrong = runs.flatMap(({ calls }) => calls).find((call) => call.gas !== undefined && call.gas !== hostPrice(call));
  return wrong === undefined ? undefined : `${wrong.name}(${wrong.args.join()}) cost ${wrong.gas} and not ${hostPrice(wrong)}`;
}

/** As far as the meters do not end it: what they do not let happen is there no more. */
function comparePlain(
  { code, run }: FuzzModule,
  metered: MeteredModule,
  runs: readonly EntryRun[],
): Pick<Comparison, "difference" | "executed"> {
  const replay = new Replay();
  const isFar = metered.weight > NEAR_WEIGHT;
  const machine = new PlainMachine(code, {
    host: (name, args): ReturnType<Replay["call"]> => replay.call(name, args, machine),
    hasFarLoads: parseModule(code).memory.most > NEAR_PAGES,
    hasFarCode: isFar,
  });
  let difference: string | undefined;
  for (const [index, { name, gas }] of run.entries.entries()) {
    const seen = runs[index];
    if (seen === undefined || seen.outcome.end === "CONTRACT_STACK_OVERFLOW") break;
    replay.begin(seen.calls);
    const plain = machine.run(name, gas);
    const wrong = replay.difference ?? differenceOf(seen, plain, { gas, isFar, memory: hashOf(machine.memory.bytes) });
    if (wrong !== undefined)
      difference = `entry ${index}: ${wrong}; plain ${JSON.stringify(plain)}, engine ${JSON.stringify(seen.outcome)}`;
    if (wrong !== undefined || seen.outcome.end === "CONTRACT_OUT_OF_GAS") break;
  }
  return { difference, executed: machine.executed };
}

interface Expected {
  readonly gas: number;
  readonly isFar: boolean;
  readonly memory: string;
}

function differenceOf({ outcome }: EntryRun, plain: PlainRun, { gas, isFar, memory }: Expected): string | undefined {
  const used = gas - outcome.gas;
  const { end } = outcome;
  if (end === "CONTRACT_OUT_OF_GAS") {
    const most = plain.gas + (isFar ? FAR_CODE_GAS.charge * plain.stretches : 0);
    return plain.end === "ok" && most <= gas ? "it had enough gas" : undefined;
  }
  const expected = end === "ok" ? ["ok"] : end === "CONTRACT_TRAPPED" ? ["trap", "host"] : ["host"];
  if (!expected.includes(plain.end)) return "it ended otherwise";
  if (outcome.memory !== memory) return "the memory is another";
  // A stretch that ends in its middle is paid whole.
  if (used < plain.gas) return "it cost too little";
  return end !== "ok" || isExplained(used - plain.gas, plain, isFar) ? undefined : "it cost too much";
}

/** What far code costs beside its instructions: each stretch that is paid for as much. */
function isExplained(more: number, { stretches }: PlainRun, isFar: boolean): boolean {
  const charges = more / FAR_CODE_GAS.charge;
  return more === 0 || (isFar && Number.isInteger(charges) && charges <= stretches);
}

/** What the host said to the engine is said again. */
class Replay {
  difference: string | undefined;
  #calls: readonly HostCallTrace[] = [];
  #at = 0;

  begin(calls: readonly HostCallTrace[]): void {
    [this.#calls, this.#at] = [calls, 0];
  }

  call(
    name: string,
    args: HostCallTrace["args"],
    { memory }: PlainMachine,
  ): { readonly result: HostCallTrace["result"]; readonly gas: number } {
    const call = this.#calls[this.#at];
    this.#at += 1;
    // The engine's run was over by then.
    if (call === undefined) throw new PlainHostEnd();
    if (call.name !== name || call.args.join() !== args.join())
      this.difference ??= `${name}(${args.join()}) was ${call.name}(${call.args.join()})`;
    if (call.gas === undefined) throw new PlainHostEnd();
    memory.write(call.address, call.written);
    return { result: call.result, gas: call.gas };
  }
}
