// A plain machine for modules as their authors wrote them: it goes through the instructions one by one and adds up the price of each, so
// that what the engine computes and what the metering charges have something to be compared with.

import { type MeteredParts, readMetered, zeroOf } from "#node/vm/interpreter/read-metered.ts";
import { ByteReader } from "#node/vm/module/byte-reader.ts";
import {
  ENTRY_GAS,
  FAR_CODE_GAS,
  INSTRUCTIONS,
  type Instruction,
  isLoad,
  LOAD_GAS,
  MEMORY_GAS,
  OP,
  PREFIXED,
} from "#node/vm/module/opcodes.ts";
import { type ParsedModule, parseModule } from "#node/vm/module/parse-module.ts";
import { type PlainFunction, type PlainInstruction, readBody } from "./plain-code.ts";
import { PlainMemory } from "./plain-memory.ts";
import { NUMERIC, type Numeric, PlainTrap, type PlainValue } from "./plain-numbers.ts";

/** What a run came to. With far code the price of stretches is left out, and `stretches` is the most that there can have been. */
export interface PlainRun {
  readonly end: "ok" | "trap" | "gas" | "host";
  readonly gas: number;
  readonly stretches: number;
}

/** Ends a run from within the host. */
export class PlainHostEnd extends Error {}

/** Says what a function of the host returns, and charges. */
export type PlainHost = (name: string, args: readonly PlainValue[]) => { readonly result: PlainValue | undefined; readonly gas: number };

/** What a machine is made with. */
export interface PlainOptions {
  readonly host?: PlainHost;
  /** Loads wait for the main memory. */
  readonly hasFarLoads?: boolean;
  readonly hasFarCode?: boolean;
}

interface Label {
  readonly height: number;
  readonly arity: number;
  /** Instruction to continue with. */
  readonly next: number;
}

interface Frame {
  readonly code: readonly PlainInstruction[];
  readonly locals: PlainValue[];
  readonly labels: Label[];
  readonly height: number;
  readonly arity: number;
  at: number;
}

const [FIRST_ACCESS, LAST_ACCESS] = [0x28, 0x3e];

class OutOfGas extends Error {}

export class PlainMachine {
  readonly memory: PlainMemory;
  /** How often each instruction was run, by its opcode. */
  readonly executed = new Uint32Array(256);
  readonly #module: ParsedModule;
  readonly #parts: MeteredParts;
  readonly #host: PlainHost | undefined;
  readonly #prices: { readonly of: readonly number[]; readonly times: number };
  readonly #bodies = new Map<number, PlainFunction>();
  readonly #table: number[] = [];
  readonly #globals: PlainValue[];
  #stack: PlainValue[] = [];
  #frames: Frame[] = [];
  #gas = 0;
  #limit = 0;
  #stretches = 0;

  constructor(code: Uint8Array, { host, hasFarLoads = false, hasFarCode = false }: PlainOptions = {}) {
    this.#module = parseModule(code);
    this.#parts = readMetered(code);
    this.#host = host;
    const [load, times] = [hasFarLoads || hasFarCode ? LOAD_GAS.far : LOAD_GAS.near, hasFarCode ? FAR_CODE_GAS.times : 1];
    const priceOf = (item: Instruction): number => (isLoad(item) ? load : item.gas * times);
    this.#prices = { of: INSTRUCTIONS.map((item) => (item === undefined ? 0 : priceOf(item))), times };
    this.#globals = [...this.#parts.globals];
    this.memory = new PlainMemory(this.#module.memory);
    for (const { offset, functions } of this.#parts.elements)
      for (const [at, index] of functions.entries()) this.#table[offset + at] = index;
    for (const { offset, bytes } of this.#parts.data) this.memory.write(offset, bytes);
  }

  /** Runs an exported function without parameters and result. */
  run(entry: string, limit = Number.POSITIVE_INFINITY): PlainRun {
    [this.#stack, this.#frames, this.#gas, this.#limit, this.#stretches] = [[], [], 0, limit, 0];
    const end = this.#runToEnd(this.#module.exports.get(entry) ?? -1);
    return { end, gas: this.#gas, stretches: this.#stretches };
  }

  #runToEnd(index: number): PlainRun["end"] {
    try {
      this.#call(index);
      for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) this.#step(frame);
      return "ok";
    } catch (error) {
      if (error instanceof PlainTrap) return "trap";
      if (error instanceof OutOfGas) return "gas";
      if (error instanceof PlainHostEnd) return "host";
      throw error;
    }
  }

  #step(frame: Frame): void {
    const instruction = frame.code[frame.at];
    if (instruction === undefined) {
      this.#leave(frame);
      return;
    }
    const { op } = instruction;
    frame.at += 1;
    this.executed[op] = (this.executed[op] ?? 0) + 1;
    this.#pay(this.#prices.of[op] ?? 0);
    const numeric = NUMERIC[op];
    if (numeric !== undefined) this.#compute(numeric);
    else if (op >= FIRST_ACCESS && op <= LAST_ACCESS) this.#access(instruction);
    else if (op <= OP.return) this.#control(frame, instruction);
    else this.#simple(frame, instruction);
  }

  #pay(gas: number): void {
    this.#gas += gas;
    if (this.#gas > this.#limit) throw new OutOfGas();
  }

  #compute({ operands, compute }: Numeric): void {
    const b = operands === 2 ? this.#any() : 0;
    const a = this.#any();
    this.#stack.push(compute(a, b));
  }

  #access({ op, numbers: [, offset = 0] }: PlainInstruction): void {
    if (INSTRUCTIONS[op]?.pushes !== 0) this.#stack.push(this.memory.load(op, this.#address() + offset));
    else {
      const value = this.#any();
      this.memory.store(op, this.#address() + offset, value);
    }
  }

  #control(frame: Frame, instruction: PlainInstruction): void {
    const { op, numbers, end } = instruction;
    const [first = 0] = numbers;
    if (op === OP.unreachable) throw new PlainTrap();
    else if (op === OP.block) this.#enter(frame, first, end + 1);
    else if (op === OP.loop) this.#enterLoop(frame);
    else if (op === OP.if) this.#if(frame, instruction);
    else if (op === OP.else) frame.at = end;
    else if (op === OP.end) {
      frame.labels.pop();
      this.#stretches += 1;
    } else if (op === OP.br) this.#branch(frame, first);
    else if (op === OP.brIf) {
      this.#stretches += 1;
      if (this.#int() !== 0) this.#branch(frame, first);
    } else if (op === OP.brTable) this.#branch(frame, numbers[Math.min(this.#address(), numbers.length - 1)] ?? 0);
    else if (op === OP.return) this.#branch(frame, frame.labels.length - 1);
  }

  #enter(frame: Frame, type: number, next: number): void {
    frame.labels.push({ height: this.#stack.length, arity: type === 0x40 ? 0 : 1, next });
  }

  /** A branch to it comes back to the loop itself, which is paid in every round. */
  #enterLoop(frame: Frame): void {
    this.#pay(this.#prices.times);
    this.#stretches += 1;
    frame.labels.push({ height: this.#stack.length, arity: 0, next: frame.at - 1 });
  }

  #if(frame: Frame, { numbers: [type = 0], end, otherwise }: PlainInstruction): void {
    this.#stretches += 2;
    const isTaken = this.#int() !== 0;
    if (isTaken || otherwise > 0) this.#enter(frame, type, end + 1);
    if (!isTaken) frame.at = otherwise > 0 ? otherwise + 1 : end + 1;
  }

  #branch(frame: Frame, depth: number): void {
    this.#stretches += 1;
    const target = frame.labels[frame.labels.length - 1 - depth];
    if (target === undefined) throw new Error("A branch leads nowhere");
    this.#keep(target.height, target.arity);
    frame.labels.length -= depth + 1;
    frame.at = target.next;
  }

  #simple(frame: Frame, { op, numbers, long }: PlainInstruction): void {
    const [index = 0] = numbers;
    if (op >= OP.localGet && op <= OP.globalSet) this.#variable(frame, op, index);
    else if (op === OP.call) this.#call(index);
    else if (op === OP.callIndirect) this.#callIndirect(index);
    else if (op === OP.drop) this.#any();
    else if (op === OP.select) {
      const [condition, second, first] = [this.#int(), this.#any(), this.#any()];
      this.#stack.push(condition === 0 ? second : first);
    } else if (op === OP.i32Const) this.#stack.push(index);
    else if (op === OP.i64Const) this.#stack.push(long);
    else this.#memoryInstruction(op, index);
  }

  #variable({ locals }: Frame, op: number, index: number): void {
    if (op === OP.localGet) this.#stack.push(locals[index] ?? 0);
    else if (op === OP.localSet) locals[index] = this.#any();
    else if (op === OP.localTee) locals[index] = this.#stack.at(-1) ?? 0;
    else if (op === OP.globalGet) this.#stack.push(this.#globals[index] ?? 0);
    else this.#globals[index] = this.#any();
  }

  #memoryInstruction(op: number, kind: number): void {
    if (op === OP.memorySize) this.#stack.push(this.memory.pages);
    else if (op === OP.memoryGrow) {
      const pages = this.#address();
      if (this.memory.canGrow(pages)) this.#pay(MEMORY_GAS.page * pages);
      this.#stack.push(this.memory.grow(pages));
    } else {
      const [length, second, target] = [this.#address(), this.#int(), this.#address()];
      const price = kind === PREFIXED.memoryCopy ? MEMORY_GAS.copy : MEMORY_GAS.fill;
      this.#pay(price * this.#prices.times + Math.floor(length / 8));
      if (kind === PREFIXED.memoryCopy) this.memory.copy(target, second >>> 0, length);
      else this.memory.fill(target, second, length);
    }
  }

  #call(index: number): void {
    const name = this.#parts.imports[index];
    const { params, result, body } = this.#parts.functions[index] ?? { params: [], result: 0, body: undefined };
    const args = this.#stack.splice(this.#stack.length - params.length, params.length);
    if (name !== undefined || body === undefined) {
      this.#callHost(name ?? "", args);
      return;
    }
    const known = this.#bodies.get(index) ?? readBody(new ByteReader(body.bytes, body.at, body.end));
    this.#bodies.set(index, known);
    const locals = [...args, ...known.locals.map(zeroOf)];
    this.#stretches += 1;
    this.#pay((ENTRY_GAS.call + ENTRY_GAS.local * locals.length) * this.#prices.times);
    const [height, arity] = [this.#stack.length, result === 0 ? 0 : 1];
    this.#frames.push({ code: known.code, locals, labels: [{ height, arity, next: known.code.length }], height, arity, at: 0 });
  }

  #callHost(name: string, args: readonly PlainValue[]): void {
    const { result, gas } = this.#host?.(name, args) ?? { result: undefined, gas: 0 };
    this.#pay(gas);
    if (result !== undefined) this.#stack.push(typeof result === "bigint" ? BigInt.asIntN(64, result) : result | 0);
  }

  #callIndirect(type: number): void {
    const index = this.#table[this.#address()];
    if (index === undefined || this.#parts.functions[index]?.name !== this.#parts.types[type]?.name) throw new PlainTrap();
    this.#call(index);
  }

  #leave(frame: Frame): void {
    this.#keep(frame.height, frame.arity);
    this.#frames.pop();
  }

  #keep(height: number, arity: number): void {
    const kept = this.#stack.splice(this.#stack.length - arity, arity);
    this.#stack.length = height;
    this.#stack.push(...kept);
  }

  #any(): PlainValue {
    return this.#stack.pop() ?? 0;
  }

  #int(): number {
    return Number(this.#any());
  }

  #address(): number {
    return this.#int() >>> 0;
  }
}
