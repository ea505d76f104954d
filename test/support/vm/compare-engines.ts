// One module on the runtime's engine and in the interpreter, metered, and on the engine as it was: what it comes to must be the same.
import { crc32 } from "node:zlib";
import { type Engine, type EngineGlobal, type EngineMemory, engine } from "#node/vm/engine.ts";
import { interpretedEngine } from "#node/vm/interpreter/interpreted-engine.ts";
import { ENTRY_PREFIX, instrumentModule, METERED } from "#node/vm/module/instrument-module.ts";
import { STACK_WORDS } from "#node/vm/module/module-limits.ts";

/** What a run came to. */
export interface EngineOutcome {
  readonly end: "ok" | "trap" | "gas" | "stack";
  readonly gas: number;
  readonly stack: number;
  readonly memory: string;
}

/** The entry of a module without parameters; it may import `gas_left`. */
const ENTRY = "run";

/** Outcomes, and what differs between them; undefined when nothing does. */
export function compareEngines(
  module: Uint8Array,
  gas: number,
): { readonly outcome: EngineOutcome; readonly difference: string | undefined } {
  const { code } = instrumentModule(module);
  const seen: bigint[] = [];
  const outcome = runMetered(engine, code, gas, seen);
  const interpreted = runMetered(interpretedEngine, code, gas, []);
  if (JSON.stringify(outcome) !== JSON.stringify(interpreted))
    return { outcome, difference: `interpreted: ${JSON.stringify(interpreted)}, engine: ${JSON.stringify(outcome)}` };
  // Without meters a run that they end has none.
  if (outcome.end === "gas" || outcome.end === "stack") return { outcome, difference: undefined };
  const raw = runRaw(Uint8Array.from(module), seen);
  const metered = `${outcome.end} ${outcome.memory}`;
  return { outcome, difference: raw === metered ? undefined : `raw: ${raw}, metered: ${metered}` };
}

function runMetered(used: Engine, code: Uint8Array<ArrayBuffer>, limit: number, seen: bigint[]): EngineOutcome {
  const meters: { gas?: EngineGlobal } = {};
  const gas_left = (): bigint => {
    const left = BigInt(meters.gas?.value ?? 0);
    seen.push(left);
    return left;
  };
  const { exports } = new used.Instance(new used.Module(code), { env: { gas_left } });
  const [gas, stack] = [exports[METERED.gas] as EngineGlobal, exports[METERED.stack] as EngineGlobal];
  meters.gas = gas;
  [gas.value, stack.value] = [limit, STACK_WORDS];
  const hasTrapped = endsByTrap(used, exports[`${ENTRY_PREFIX}${ENTRY}`] as () => void);
  const end = !hasTrapped ? "ok" : gas.value < 0 ? "gas" : stack.value < 0 ? "stack" : "trap";
  return { end, gas: gas.value, stack: stack.value, memory: hashOf((exports[METERED.memory] as EngineMemory).buffer) };
}

/** What the host said in the metered run is said again. */
function runRaw(code: Uint8Array<ArrayBuffer>, seen: readonly bigint[]): string {
  let at = 0;
  const gas_left = (): bigint => {
    at += 1;
    return seen[at - 1] ?? 0n;
  };
  const { exports } = new engine.Instance(new engine.Module(code), { env: { gas_left } });
  const end = endsByTrap(engine, exports[ENTRY] as () => void) ? "trap" : "ok";
  return `${end} ${hashOf((exports[METERED.memory] as EngineMemory).buffer)}`;
}

function endsByTrap(used: Engine, run: () => void): boolean {
  try {
    run();
    return false;
  } catch (error) {
    if (error instanceof used.RuntimeError) return true;
    throw error;
  }
}

function hashOf(buffer: ArrayBuffer): string {
  return `${buffer.byteLength} ${crc32(new Uint8Array(buffer))}`;
}
