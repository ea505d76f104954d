// Whether the native stack of this thread holds all that the meter lets modules use. Asked of the engine by a recursion that ends at its
// limit, because that limit is set by flags, by the embedder and by what starts a thread.
import { engine } from "./engine.ts";
import { ENTRY_PREFIX, instrumentModule, METERED } from "./module/instrument-module.ts";
import { STACK_WORDS } from "./module/module-limits.ts";

/**
 * The native stack must hold this many times the words that the meter gives out: what is beyond one is for what lies around and between
 * modules, functions of the host above all, and for shapes of frames that are a little larger than those of the probe.
 */
export const STACK_RESERVE = 1.25;

/** `(module (memory 1) (func (export "f") (local i64 × 200) call 0))` */
const RECURSION = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 0x66, 0, 0],
  ...[10, 9, 1, 7, 1, 0xc8, 0x01, 0x7e, 0x10, 0, 0x0b],
];
const ENDLESS = 2 ** 31 - 1;

/** True when the meter's limit comes well before the engine's own one on this thread. */
export function isStackSufficient(): boolean {
  return wordsUntilFull(Uint8Array.from(RECURSION), "f") >= STACK_RESERVE * STACK_WORDS;
}

/** Words that the recursion of a module has counted when the native stack of this thread is full. */
export function wordsUntilFull(module: Uint8Array, entry: string): number {
  const { code, imports } = instrumentModule(module);
  const env = Object.fromEntries(imports.map((name) => [name, (): bigint => 0n]));
  const { exports } = new engine.Instance(new engine.Module(code), { env });
  const { [METERED.gas]: gas, [METERED.stack]: stack, [`${ENTRY_PREFIX}${entry}`]: run } = exports;
  if (!(gas instanceof engine.Global && stack instanceof engine.Global && typeof run === "function"))
    throw new TypeError("The module has no such entry");
  gas.value = ENDLESS;
  stack.value = ENDLESS;
  try {
    run();
  } catch (error) {
    if (error instanceof RangeError) return ENDLESS - stack.value;
    throw error;
  }
  throw new TypeError("The recursion ends");
}
