// Modules of binaryen's generator and mutants of them, which know the structure of code: most stay valid and differ in an operation, a
// constant, a local or an address; some are broken, and those who check them must say so.
import { INSTRUCTIONS, OP } from "#node/vm/module/opcodes.ts";
import { binaryenModule } from "./binaryen-module.ts";
import { constantOf, encodeModule, type FunctionBody, type Instruction, type IntegerModule, integerModule } from "./integer-module.ts";
import { randomNumbers } from "./random-module.ts";
import { flat, u32 } from "./wasm-builder.ts";

type Random = (below: number) => number;

/** Functions that an entry calls, at most: the first that traps ends the run. */
const CALLED = 6;
const INTERESTING = [0n, 1n, -1n, 2n, 31n, 255n, 65_536n, -(2n ** 31n), 2n ** 31n - 1n, 2n ** 32n, 2n ** 63n - 1n, -(2n ** 63n)];
/** Of so many mutants one may be broken. */
const BROKEN_PART = 8;

/** A source of mutants of the module of a seed. The number 0 is the module itself. */
export function binaryenMutants(seed: number): (number: number) => Uint8Array {
  const module = integerModule(binaryenModule(seed));
  return (number) => {
    const random = randomNumbers(seed * 65_537 + number);
    const mutant = number === 0 ? module : mutate(module, random);
    return encodeModule(mutant, calledOf(mutant, random));
  };
}

function calledOf({ functions }: IntegerModule, random: Random): Parameters<typeof encodeModule>[1] {
  const count = Math.min(CALLED, functions.length);
  return Array.from({ length: count }, () => ({
    index: random(functions.length),
    constants: Array.from({ length: 3 }, () => interesting(random)),
  }));
}

/** One to three changes. */
function mutate(module: IntegerModule, random: Random): IntegerModule {
  let { functions } = module;
  for (let changes = 1 + random(3); changes > 0; changes -= 1) {
    const at = random(functions.length);
    functions = functions.map((body, index) => (index === at ? { ...body, code: changed(body, random) } : body));
  }
  return { ...module, functions };
}

function changed(body: FunctionBody, random: Random): readonly Instruction[] {
  const { code } = body;
  const at = random(Math.max(1, code.length));
  const instruction = code[at];
  if (instruction === undefined) return code;
  if (random(BROKEN_PART) === 0) return [...code.slice(0, at), ...broken(instruction, code[at + 1], random), ...code.slice(at + 1)];
  return code.with(at, changedInstruction(instruction, body, random));
}

/** Gone, twice there, or with the number of another label, local or function. */
function broken(instruction: Instruction, next: Instruction | undefined, random: Random): readonly Instruction[] {
  const kind = random(3);
  if (kind === 0) return [];
  if (kind === 1) return [instruction, instruction];
  const [first = 0, ...others] = instruction.immediates;
  if (next === undefined || instruction.immediates.length === 0) return [{ opcode: random(0xc5), immediates: [] }];
  return [{ ...instruction, immediates: [(first + 1) & 0x7f, ...others] }];
}

/** Another of the same type, so that the module stays valid. */
function changedInstruction(instruction: Instruction, { params, locals }: FunctionBody, random: Random): Instruction {
  const { opcode } = instruction;
  const { immediate } = INSTRUCTIONS[opcode] ?? { immediate: "special" };
  if (immediate === "i32") return constantOf(0x7f, interesting(random));
  if (immediate === "i64") return constantOf(0x7e, interesting(random));
  if (immediate === "none") return { opcode: alike(opcode, random), immediates: [] };
  if (immediate === "memory") return memoryAccess(alike(opcode, random), random);
  if (opcode !== OP.localGet && opcode !== OP.localSet && opcode !== OP.localTee) return instruction;
  const types = [...params, ...locals];
  const type = types[indexOf(instruction)];
  const fitting = [...types.keys()].filter((index) => types[index] === type);
  return { opcode, immediates: u32(fitting[random(Math.max(1, fitting.length))] ?? 0) };
}

function memoryAccess(opcode: number, random: Random): Instruction {
  const offset = [0, random(64), random(65_536), 2 ** 20 - random(16), 2 ** 32 - 1 - random(9)][random(5)] ?? 0;
  const align = random((INSTRUCTIONS[opcode]?.maxAlign ?? 0) + 1);
  return { opcode, immediates: flat([align, u32(offset)]) };
}

/** An opcode of the same operands, result and immediates. */
function alike(opcode: number, random: Random): number {
  const fitting = ALIKE.get(shapeOf(opcode)) ?? [opcode];
  return fitting[random(fitting.length)] ?? opcode;
}

function shapeOf(opcode: number): string {
  const { pops = [], pushes = 0, immediate = "special" } = INSTRUCTIONS[opcode] ?? {};
  return `${immediate} ${pops.join()} ${pushes}`;
}

const ALIKE = Map.groupBy(
  [...INSTRUCTIONS.keys()].filter((opcode) => INSTRUCTIONS[opcode] !== undefined),
  shapeOf,
);

function indexOf({ immediates }: Instruction): number {
  return immediates.reduce((index, byte, at) => index + (byte & 0x7f) * 2 ** (7 * at), 0);
}

function interesting(random: Random): bigint {
  return random(3) === 0 ? BigInt(random(2 ** 31)) : (INTERESTING[random(INTERESTING.length)] ?? 0n);
}
