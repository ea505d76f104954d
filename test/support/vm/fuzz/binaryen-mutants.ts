// Modules of binaryen's generator and contracts, and mutants of them, which know the structure of code: most stay valid and differ in an
// operation, a constant, a local, an address, or a part of their code; some are broken, and those who check them must say so.
import type { Signature } from "#node/vm/module/host-signatures.ts";
import { HOST_SIGNATURES } from "#node/vm/module/host-signatures.ts";
import { I32, INSTRUCTIONS, OP } from "#node/vm/module/opcodes.ts";
import { randomNumbers } from "../random-module.ts";
import { flat, u32 } from "../wasm-builder.ts";
import { type BaseModule, binaryenModule } from "./binaryen-module.ts";
import { ENTRY_LOCALS, encodeModule } from "./encode-module.ts";
import type { FuzzModule } from "./fuzz-module.ts";
import { constantOf, type FunctionBody, HOST_NAMES, type Instruction, type IntegerModule, indexIn } from "./integer-module.ts";
import { type CodeRange, type Names, rangesFrom } from "./ranges.ts";
import { calleesOf, reachedFrom } from "./reached-functions.ts";
import { hostCall, interesting, type Place, type Random, statement } from "./statements.ts";

/** Rounds and calls that a function may make before the generator's code traps. */
const HANG_LIMIT = 100n;
/** Where results and globals are kept at the end. */
const [KEPT_RESULTS, KEPT_GLOBALS] = [32_768, 40_960];
/** Of so many changes one may break the module. */
const BROKEN_PART = 16;
const LIMITS = [3_000, 60_000, 150_000, 300_000, 300_000, 900_000] as const;
const INITIALISERS: readonly string[] = ["_initialize", "_start"];

/** A source of mutants of the module of a seed. The number 0 is the module itself, with entries of its own. */
export async function binaryenMutants(seed: number, signal?: AbortSignal): Promise<(number: number) => FuzzModule> {
  const { module, argumentsFor } = await binaryenModule(seed, signal);
  const source = new MutantSource(withHostCalls(module, randomNumbers(seed + 1)), argumentsFor);
  return (number) => source.mutant(randomNumbers(Math.imul(seed, 65_537) + number), number === 0);
}

/** What was imported from elsewhere asks the host for something. */
function withHostCalls(module: IntegerModule, random: Random): IntegerModule {
  const imported = module.functions.length - module.ownFunctions;
  return {
    ...module,
    functions: module.functions.map((body, index) => {
      if (index >= imported) return body;
      const locals = [I32] as const;
      return { ...body, locals, code: [...hostCall(placeOf(module, { ...body, locals }, random)), ...body.code] };
    }),
  };
}

class MutantSource {
  readonly #module: IntegerModule;
  readonly #names: Names;
  readonly #argumentsFor: BaseModule["argumentsFor"];

  constructor(module: IntegerModule, argumentsFor: BaseModule["argumentsFor"]) {
    this.#module = module;
    this.#argumentsFor = argumentsFor;
    const functionOf = (index: number): Signature => signatureOf(module, index);
    this.#names = { functionOf, types: module.types };
  }

  mutant(random: Random, isItself: boolean): FuzzModule {
    const targets = this.#targets(random);
    const near = [
      ...targets,
      ...targets.flatMap((index) => calleesOf(this.#module.functions[index]).map((called) => called - HOST_NAMES.length)),
    ];
    let { functions } = this.#module;
    for (let changes = isItself ? 0 : 1 + random(4); changes > 0; changes -= 1) {
      const at = near[random(near.length)] ?? 0;
      functions = functions.map((body, index) => (index === at ? { ...body, code: this.#changed(body, random) } : body));
    }
    const module = reachedFrom({ ...this.#module, functions }, targets);
    const entries = [...targets.map((index, at) => this.#entry(index, at, random)), this.#globals()];
    const mostPages = module.pages + ([0, 1, 3, 12][random(4)] ?? 0);
    return {
      code: encodeModule(module, { entries, mostPages }),
      isValid: isItself,
      run: {
        entries: entries.map((_, index) => ({
          name: `e${index}`,
          gas: index === targets.length ? 1_000_000 : (LIMITS[random(LIMITS.length)] ?? 0),
        })),
        argsJson: this.#argumentsFor(random),
      },
    };
  }

  /** What a language does at the start, then some functions, mostly exported ones. */
  #targets(random: Random): readonly number[] {
    const { exported, functions } = this.#module;
    const own = exported.map(({ index }) => index);
    const first = exported.filter(({ name }) => INITIALISERS.includes(name)).map(({ index }) => index);
    const chosen = Array.from({ length: 1 + random(4) }, () =>
      own.length > 0 && random(4) > 0 ? (own[random(own.length)] ?? 0) : random(functions.length),
    );
    return [...first, ...chosen];
  }

  /** Calls a function with constants and keeps what it returns, between pieces of code of our own. */
  #entry(index: number, at: number, random: Random): readonly Instruction[] {
    const { hangLimit, functions } = this.#module;
    const refill = hangLimit === undefined ? [] : [constantOf(I32, HANG_LIMIT), { opcode: OP.globalSet, immediates: u32(hangLimit) }];
    const body = functions[index];
    const place = placeOf(this.#module, { params: [], locals: ENTRY_LOCALS, results: [] }, random);
    const values = body?.params.map((type) => constantOf(type, interesting(random))) ?? [];
    const called = [...values, { opcode: OP.call, immediates: u32(HOST_NAMES.length + index) }];
    const [result] = body?.results ?? [];
    const [before, after] = [5, 4].map((most) => Array.from({ length: random(most + 1) }, () => statement(place)).flat());
    return [
      ...refill,
      ...(before ?? []),
      ...(result === undefined ? called : kept(result, called, KEPT_RESULTS + 8 * at)),
      ...(after ?? []),
    ];
  }

  #globals(): readonly Instruction[] {
    return [...this.#module.variables].flatMap(([index, type]) =>
      kept(type, [{ opcode: OP.globalGet, immediates: u32(index) }], KEPT_GLOBALS + 8 * index),
    );
  }

  #changed(body: FunctionBody, random: Random): readonly Instruction[] {
    const { code } = body;
    // Code at the start is reached more often.
    const at = Math.min(random(code.length + 1), random(code.length + 1));
    const put = (from: number, to: number, part: readonly Instruction[]): readonly Instruction[] => [
      ...code.slice(0, from),
      ...part,
      ...code.slice(to),
    ];
    const kind = random(10);
    if (kind < 3) return put(at, at, statement(placeOf(this.#module, body, random)));
    if (kind < 6) return this.#moved(body, at, random);
    const instruction = code[at];
    if (instruction === undefined) return code;
    if (random(BROKEN_PART) === 0) return put(at, at + 1, broken(instruction, random));
    return code.with(at, changedInstruction(instruction, body, random));
  }

  /** A part is gone, twice there, or stands for another one that leaves the same. */
  #moved(body: FunctionBody, at: number, random: Random): readonly Instruction[] {
    const { code } = body;
    const range = oneOf(rangesFrom(body, at, this.#names), random);
    if (range === undefined) return code;
    const part = code.slice(range.from, range.to);
    const other = oneOf(this.#alike(body, range, random), random);
    const copy = other === undefined ? [] : code.slice(other.from, other.to);
    const replaced = (by: readonly Instruction[]): readonly Instruction[] => [...code.slice(0, range.from), ...by, ...code.slice(range.to)];
    if (range.type === 0) return replaced([[], [...part, ...part], [...part, ...copy], copy][random(4)] ?? part);
    return replaced(random(2) === 0 ? [constantOf(range.type, interesting(random))] : copy.length > 0 ? copy : part);
  }

  /** Other parts of the function that leave the same. */
  #alike(body: FunctionBody, { type }: CodeRange, random: Random): readonly CodeRange[] {
    const starts = Array.from({ length: 6 }, () => random(Math.max(1, body.code.length)));
    return starts.flatMap((from) => rangesFrom(body, from, this.#names)).filter((range) => range.type === type);
  }
}

function placeOf(module: IntegerModule, body: Pick<FunctionBody, "params" | "locals" | "results">, random: Random): Place {
  const { table, variables, hangLimit, functions } = module;
  return {
    random,
    locals: [...body.params, ...body.locals],
    result: body.results[0],
    variables: new Map([...variables].filter(([index]) => index !== hangLimit)),
    tableTypes: table.map((index) => ({ type: functions[index - HOST_NAMES.length]?.type ?? 0, signature: signatureOf(module, index) })),
    pages: module.pages,
  };
}

function signatureOf({ functions }: IntegerModule, index: number): Signature {
  const host = HOST_SIGNATURES.get(HOST_NAMES[index] ?? "");
  const { params, results } = functions[index - HOST_NAMES.length] ?? { params: [], results: [] };
  return host ?? { params, result: results[0] ?? 0 };
}

function kept(type: number, code: readonly Instruction[], address: number): readonly Instruction[] {
  const [opcode, align] = type === I32 ? [0x36, 2] : [0x37, 3];
  return [constantOf(I32, BigInt(address)), ...code, { opcode, immediates: [align, 0] }];
}

/** Gone, twice there, another, or with the number of another label, local or function. */
function broken(instruction: Instruction, random: Random): readonly Instruction[] {
  const kind = random(4);
  if (kind === 0) return [];
  if (kind === 1) return [instruction, instruction];
  if (kind === 2 || instruction.immediates.length === 0) return [{ opcode: random(0xc5), immediates: [] }];
  const [first = 0, ...others] = instruction.immediates;
  return [{ ...instruction, immediates: [(first & 0x80) | ((first + 1) & 0x7f), ...others] }];
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
  const type = types[indexIn(instruction)];
  const fitting = [...types.keys()].filter((index) => types[index] === type);
  return { opcode, immediates: u32(fitting[random(Math.max(1, fitting.length))] ?? 0) };
}

function memoryAccess(opcode: number, random: Random): Instruction {
  const offset = [0, random(64), random(60_000), random(60_000), 2 ** 32 - 1 - random(9)][random(5)] ?? 0;
  const align = random((INSTRUCTIONS[opcode]?.maxAlign ?? 0) + 1);
  return { opcode, immediates: flat([align, u32(offset)]) };
}

/** An opcode of the same operands, result and immediates. */
function alike(opcode: number, random: Random): number {
  return oneOf(ALIKE.get(shapeOf(opcode)) ?? [opcode], random) ?? opcode;
}

function shapeOf(opcode: number): string {
  const { pops = [], pushes = 0, immediate = "special" } = INSTRUCTIONS[opcode] ?? {};
  return `${immediate} ${pops.join()} ${pushes}`;
}

const ALIKE = Map.groupBy(
  [...INSTRUCTIONS.keys()].filter((opcode) => INSTRUCTIONS[opcode] !== undefined),
  shapeOf,
);

function oneOf<T>(items: readonly T[], random: Random): T | undefined {
  return items[random(Math.max(1, items.length))];
}
