// Valid modules over the whole set of instructions, from a seed: every instruction with operands of its types, blocks that leave values,
// branches out of them with values, tables of branches and of functions, code that is never reached, memories of every kind. A mutant is made
// from the same numbers but for one, so that it is valid as well, and differs from there on.
import { INSTRUCTIONS } from "#node/vm/module/opcodes.ts";
import { randomNumbers } from "./random-module.ts";
import {
  block,
  br,
  brIf,
  buildModule,
  type Code,
  call,
  data,
  get,
  getGlobal,
  grow,
  i32c,
  i64c,
  loop,
  name,
  set,
  setGlobal,
  signed,
  u32,
  vector,
  W,
  when,
} from "./wasm-builder.ts";

type Type = typeof W.i32 | typeof W.i64;
/** What a branch to a label carries: a type, or nothing. */
type Label = Type | 0;
type Random = (below: number) => number;

/** One number of the sequence is another. */
export interface Mutation {
  readonly at: number;
  readonly by: number;
}

interface Shape {
  readonly params: readonly Type[];
  readonly result: Label;
  readonly locals: readonly Type[];
}

const { i32, i64 } = W;
const NODES = 70;
const DEPTH = 7;
const ENTRY = "run";
const IMPORTS = [{ name: "gas_left", params: [], results: [i64] }] as const;
const INTERESTING = [
  0n,
  1n,
  -1n,
  2n,
  7n,
  31n,
  63n,
  255n,
  65_535n,
  65_536n,
  -(2n ** 31n),
  2n ** 31n - 1n,
  2n ** 32n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];
const PLAIN = INSTRUCTIONS.flatMap((item, opcode) => (item?.immediate === "none" ? [{ ...item, opcode }] : []));
const ACCESSES = INSTRUCTIONS.flatMap((item, opcode) => (item?.immediate === "memory" ? [{ ...item, opcode }] : []));
const [LOADS, STORES] = [ACCESSES.filter(({ pushes }) => pushes !== 0), ACCESSES.filter(({ pushes }) => pushes === 0)];
/** Variables, then a constant; the last one ends loops sooner or later. */
const GLOBALS = [i32, i64, i32, i64] as const;
const CONSTANT = 3;

/** Numbers that a module takes from its seed, to choose a mutation among them. */
export function numbersOf(seed: number): number {
  const generator = new Generator(seed);
  generator.module();
  return generator.numbers;
}

/** The module of a seed, or a mutant of it. It exports `run`, and its memory as `m`. */
export function typedModule(seed: number, mutation?: Mutation): Uint8Array {
  return new Generator(seed, mutation).module();
}

class Generator {
  readonly #random: Random;
  /** Numbers so far. */
  numbers = 0;
  #nodes = 0;
  #shapes: readonly Shape[] = [];
  #pages = 1;
  #locals: readonly Type[] = [];
  /** From the inside out. */
  #labels: readonly Label[] = [];

  constructor(seed: number, mutation?: Mutation) {
    const source = randomNumbers(seed);
    this.#random = (below): number => {
      const number = source(below);
      this.numbers += 1;
      return mutation !== undefined && this.numbers - 1 === mutation.at ? (number + mutation.by) % below : number;
    };
  }

  module(): Uint8Array {
    const random = this.#random;
    this.#pages = [0, 1, 1, 1, 1, 1, 1, 2][random(8)] ?? 1;
    const most = this.#pages + ([0, 1, 16, 40][random(4)] ?? 0);
    this.#shapes = [{ params: [], result: 0, locals: this.#types(4) }, ...Array.from({ length: 2 + random(4) }, () => this.#shape())];
    const functions = this.#shapes.map((shape, index) => this.#function(shape, index));
    const table = 1 + random(8);
    const targets = Array.from({ length: random(table + 1) }, () => u32(random(this.#shapes.length + IMPORTS.length)));
    return buildModule({
      imports: IMPORTS,
      functions,
      memory: [1, u32(this.#pages), u32(most)],
      table: [0x70, 0, u32(table)],
      globals: GLOBALS.map((type, index) => [type, index === CONSTANT ? 0 : 1, this.#constant(type), W.end]),
      exports: [[name("m"), 2, 0]],
      elements: [[0, i32c(random(table - targets.length + 1)), W.end, vector(targets)]],
      ...(this.#pages === 0 ? {} : { data: [data(random(65_000), "segment")] }),
    });
  }

  #types(most: number): readonly Type[] {
    return Array.from({ length: this.#random(most + 1) }, () => this.#type());
  }

  #type(): Type {
    return this.#random(2) === 0 ? i32 : i64;
  }

  #shape(): Shape {
    return { params: this.#types(3), result: [0, i32, i64][this.#random(3)] as Label, locals: this.#types(3) };
  }

  #function({ params, result, locals }: Shape, index: number): NonNullable<Parameters<typeof buildModule>[0]["functions"]>[number] {
    this.#nodes = NODES;
    this.#locals = [...params, ...locals];
    this.#labels = [result];
    const code = [this.#statements(6), result === 0 ? [] : this.#value(result, 0)];
    return {
      params,
      results: result === 0 ? [] : [result],
      locals: locals.map((type) => [1, type] as const),
      code,
      ...(index === 0 ? { export: ENTRY } : {}),
    };
  }

  #statements(most: number, depth = 0): Code {
    return Array.from({ length: 1 + this.#random(most) }, () => this.#statement(depth));
  }

  #statement(depth: number): Code {
    this.#nodes -= 1;
    if (this.#nodes < 0 || depth > DEPTH) return W.nop;
    switch (this.#random(16)) {
      case 0:
      case 1:
        return this.#assign(depth);
      case 2:
      case 3:
        return this.#store(depth);
      case 4:
        return [this.#value(this.#type(), depth + 1), W.drop];
      case 5:
        return this.#call(0, depth);
      default:
        return this.#control(depth);
    }
  }

  #control(depth: number): Code {
    switch (this.#random(9)) {
      case 0:
        return block(W.void, this.#inside(0, depth, 3));
      case 1:
        return this.#loop(depth);
      case 2: {
        const label = this.#label(0);
        return label === undefined ? W.nop : [this.#value(i32, depth + 1), brIf(label)];
      }
      case 3:
        return this.#call(0, depth);
      case 4:
        return this.#bulk(depth);
      case 5:
        return [this.#value(i32, depth + 1), 0x04, W.void, this.#under(0, () => this.#leave(depth)), W.end];
      case 6:
        return block(
          W.void,
          this.#under(0, () =>
            block(
              W.void,
              this.#under(0, () => [this.#statements(2, depth + 1), this.#table(depth)]),
            ),
          ),
        );
      case 7:
        return [this.#value(i32, depth + 1), when(W.void, this.#inside(0, depth, 2), this.#inside(0, depth, 2))];
      default:
        return [this.#value(i32, depth + 1), when(W.void, this.#inside(0, depth, 2))];
    }
  }

  /** Rounds are few, unless its body sets the counter. */
  #loop(depth: number): Code {
    const again = [getGlobal(2), i32c(1), 0x6b, setGlobal(2), getGlobal(2), i32c(7), 0x71, brIf(0)];
    return loop(W.void, this.#inside(0, depth, 3), this.#random(8) === 0 ? [] : again);
  }

  /** Code with one label more. */
  #under<T>(label: Label, work: () => T): T {
    const outer = this.#labels;
    this.#labels = [label, ...outer];
    const result = work();
    this.#labels = outer;
    return result;
  }

  #inside(label: Label, depth: number, most: number): Code {
    return this.#under(label, () => [this.#statements(most, depth + 1), label === 0 ? [] : this.#value(label, depth + 1)]);
  }

  /** Depth of a label that carries this, if there is one. */
  #label(carried: Label): number | undefined {
    const depths = [...this.#labels.keys()].filter((depth) => this.#labels[depth] === carried);
    return depths[this.#random(Math.max(1, depths.length))];
  }

  /** What nothing behind it in the block is reached after, so that any value seems to be there. */
  #leave(depth: number): Code {
    const [result] = this.#labels.slice(-1);
    const kind = this.#random(12);
    if (kind === 0) return W.unreachable;
    if (kind === 1) return [result === 0 || result === undefined ? [] : this.#value(result, depth + 1), W.return];
    if (kind === 2) return this.#table(depth);
    const label = this.#random(this.#labels.length);
    const carried = this.#labels[label] ?? 0;
    return [carried === 0 ? [] : this.#value(carried, depth + 1), br(label)];
  }

  #table(depth: number): Code {
    const carried = this.#labels[this.#random(this.#labels.length)] ?? 0;
    const targets = Array.from({ length: 1 + this.#random(5) }, () => u32(this.#label(carried) ?? 0));
    const [last = 0, ...others] = targets;
    return [carried === 0 ? [] : this.#value(carried, depth + 1), this.#value(i32, depth + 1), 0x0e, vector(others), last];
  }

  #assign(depth: number): Code {
    const at = this.#random(this.#locals.length + CONSTANT);
    const local = this.#locals[at];
    if (local !== undefined) return [this.#value(local, depth + 1), set(at)];
    const global = at - this.#locals.length;
    return [this.#value(GLOBALS[global] ?? i32, depth + 1), setGlobal(global)];
  }

  #store(depth: number): Code {
    const { pops, opcode, maxAlign } = oneOf(STORES, this.#random);
    return [this.#address(depth), this.#value(pops[1] ?? i32, depth + 1), opcode, this.#random(maxAlign + 1), u32(this.#offset())];
  }

  /** Mostly inside the memory. */
  #address(depth: number): Code {
    const value = this.#value(i32, depth + 1);
    return this.#random(40) === 0 ? value : [value, i32c(0x7fff), 0x71];
  }

  #offset(): number {
    return this.#random(90) === 0 ? 2 ** 32 - 1 - this.#random(9) : this.#random(64);
  }

  #bulk(depth: number): Code {
    const size = this.#random(40) === 0 ? this.#value(i32, depth + 1) : i32c(this.#random(300));
    const second = this.#random(2) === 0;
    return [this.#address(depth), second ? this.#address(depth) : this.#value(i32, depth + 1), size, 0xfc, second ? [10, 0, 0] : [11, 0]];
  }

  /** A call of a function with this result, or nothing. */
  #call(result: Label, depth: number): Code {
    const fitting = [...this.#shapes.entries()].filter(([index, shape]) => index > 0 && shape.result === result);
    const chosen = fitting[this.#random(Math.max(1, fitting.length))];
    if (chosen === undefined) return result === 0 ? W.nop : this.#constant(result);
    const [index, { params }] = chosen;
    const values = params.map((type) => this.#value(type, depth + 1));
    if (this.#random(3) > 0) return [values, call(IMPORTS.length + index)];
    return [values, this.#random(6) === 0 ? this.#value(i32, depth + 1) : i32c(this.#random(4)), 0x11, u32(this.#typeIndex(index)), 0];
  }

  /** As the builder numbers types: by their first use. */
  #typeIndex(index: number): number {
    const text = ({ params, result }: Pick<Shape, "params" | "result">): string => `${params.join()}:${result}`;
    const types = [...new Set([":126", ...this.#shapes.map(text)])];
    const shape = this.#shapes[index];
    return shape === undefined ? 0 : types.indexOf(text(shape));
  }

  #constant(type: Type): Code {
    const value = this.#random(3) === 0 ? BigInt(this.#random(2 ** 31)) : (INTERESTING[this.#random(INTERESTING.length)] ?? 0n);
    return type === i32 ? [0x41, signed(BigInt.asIntN(32, value))] : i64c(value);
  }

  #value(type: Type, depth: number): Code {
    this.#nodes -= 1;
    if (this.#nodes < 0 || depth > DEPTH) return this.#constant(type);
    switch (this.#random(14)) {
      case 0:
        return this.#constant(type);
      case 1:
      case 2:
      case 3:
        return this.#variable(type, depth);
      case 4:
        return this.#load(type, depth);
      case 5:
        return [this.#value(type, depth + 1), this.#value(type, depth + 1), this.#value(i32, depth + 1), W.select];
      case 6:
        return this.#blockValue(type, depth);
      case 7:
        return this.#call(type, depth);
      case 8:
        return this.#special(type, depth);
      default:
        return this.#plain(type, depth);
    }
  }

  #plain(type: Type, depth: number): Code {
    // Divisions trap at zero: there are fewer of them.
    const mayTrap = this.#random(6) === 0;
    const fitting = PLAIN.filter(({ pushes, gas }) => pushes === type && (mayTrap || gas === 1));
    const { pops, opcode } = oneOf(fitting, this.#random);
    return [pops.map((operand) => this.#value(operand, depth + 1)), opcode];
  }

  #variable(type: Type, depth: number): Code {
    const locals = [...this.#locals.keys()].filter((index) => this.#locals[index] === type);
    const globals = [...GLOBALS.keys()].filter((index) => GLOBALS[index] === type);
    const at = this.#random(locals.length + globals.length);
    const local = locals[at];
    if (local === undefined) return getGlobal(globals[at - locals.length] ?? 0);
    return this.#random(4) === 0 ? [this.#value(type, depth + 1), 0x22, u32(local)] : get(local);
  }

  #load(type: Type, depth: number): Code {
    const fitting = LOADS.filter(({ pushes }) => pushes === type);
    const { opcode, maxAlign } = oneOf(fitting, this.#random);
    return [this.#address(depth), opcode, this.#random(maxAlign + 1), u32(this.#offset())];
  }

  #blockValue(type: Type, depth: number): Code {
    switch (this.#random(5)) {
      case 0:
        return [0x03, type, this.#under(0, () => [this.#statements(2, depth + 1), this.#value(type, depth + 1)]), W.end];
      case 1:
        return [this.#value(i32, depth + 1), when(type, this.#inside(type, depth, 2), this.#inside(type, depth, 2))];
      case 2: {
        const branch = this.#under(type, () => [this.#value(type, depth + 1), this.#value(i32, depth + 1), brIf(0)]);
        return block(type, branch, W.drop, this.#inside(type, depth, 1));
      }
      case 3:
        return block(
          type,
          this.#under(type, () => [this.#statements(1, depth + 1), this.#leave(depth)]),
        );
      default:
        return block(type, this.#inside(type, depth, 2));
    }
  }

  #special(type: Type, depth: number): Code {
    if (type === i64) return this.#random(3) === 0 ? call(0) : [this.#value(i32, depth + 1), 0xad];
    if (this.#random(3) === 0) return [i32c(this.#random(3)), grow];
    return [0x3f, 0];
  }
}

function oneOf<T>(items: readonly T[], random: Random): T {
  const item = items[random(items.length)];
  if (item === undefined) throw new RangeError("There is nothing to choose from");
  return item;
}
