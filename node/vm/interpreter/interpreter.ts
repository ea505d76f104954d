// Runs a metered module step by step. Its stack is a list in the heap: no recursion of a module, and no shape of its frames, takes native
// stack, and no code is made. Slow, and without a compiler that could fail.
import { type DecodedFunction, decodeBody, STEP } from "./decode-body.ts";
import type { GasTracker } from "./gas-profile.ts";
import { type MeteredParts, zeroOf } from "./read-metered.ts";
import { HANDLERS, type StepMachine, type Variable } from "./steps.ts";
import { Trap } from "./trap.ts";

/** A linear memory: the buffer is another one after it grew, and the old one is empty. */
export interface LinearMemory {
  buffer: ArrayBuffer;
}

/** A function of the host. */
export type HostFunction = (...args: (number | bigint)[]) => number | bigint | undefined;

export interface InterpreterDependencies {
  readonly parts: MeteredParts;
  /** Functions that were decoded, for all instances of the module. */
  readonly decoded: Map<number, DecodedFunction>;
  readonly host: readonly HostFunction[];
  readonly globals: readonly Variable[];
  readonly memory: LinearMemory;
  /** Counts gas by functions; for authors. */
  readonly tracker?: GasTracker | undefined;
}

interface Frame {
  readonly decoded: DecodedFunction;
  /** Where its locals begin. */
  readonly base: number;
  /** Where its operands begin. */
  readonly operands: number;
  /** Step to continue with. */
  at: number;
}

const PAGE_BYTES = 65_536;

export class Interpreter implements StepMachine {
  readonly #dependencies: InterpreterDependencies;
  readonly #table: readonly (number | undefined)[];
  #stack: (number | bigint)[] = [];
  #frames: Frame[] = [];
  #view: DataView;

  constructor(dependencies: InterpreterDependencies) {
    const { parts, memory } = dependencies;
    this.#dependencies = dependencies;
    this.#view = new DataView(memory.buffer);
    const table = new Array<number | undefined>(parts.tableSize).fill(undefined);
    for (const { offset, functions } of parts.elements) for (const [index, target] of functions.entries()) table[offset + index] = target;
    this.#table = table;
    for (const { offset, bytes } of parts.data) new Uint8Array(memory.buffer).set(bytes, offset);
  }

  /** Runs a function without parameters and result. @throws Trap, or what a function of the host throws. */
  run(index: number): void {
    this.#stack = [];
    this.#frames = [];
    const { tracker } = this.#dependencies;
    tracker?.begin();
    try {
      this.call(index);
      this.#runFrames();
    } finally {
      tracker?.end();
    }
  }

  #runFrames(): void {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const { steps } = frame.decoded;
      const { at } = frame;
      frame.at = at + STEP;
      const handler = HANDLERS[steps[at] ?? 0];
      if (handler === undefined) throw new TypeError(`There is no instruction ${steps[at]}`);
      handler(this, steps[at + 1] ?? 0, steps[at + 2] ?? 0, steps[at + 3] ?? 0);
    }
  }

  push(value: number | bigint): void {
    this.#stack.push(value);
  }

  pop(): number {
    return this.#stack.pop() as number;
  }

  popLong(): bigint {
    return this.#stack.pop() as bigint;
  }

  popAny(): number | bigint {
    return this.#stack.pop() ?? 0;
  }

  jump(position: number): void {
    this.#frame.at = position;
  }

  branch(position: number, height: number, values: number): void {
    const frame = this.#frame;
    frame.at = position;
    this.#keep(frame.operands + height, values);
  }

  branchTable(table: number): void {
    const targets = this.#frame.decoded.tables[table] ?? [];
    const at = 3 * Math.min(this.pop() >>> 0, targets.length / 3 - 1);
    this.branch(targets[at] ?? 0, targets[at + 1] ?? 0, targets[at + 2] ?? 0);
  }

  leave(): void {
    this.#dependencies.tracker?.leave();
    const frame = this.#frames.pop();
    if (frame !== undefined) this.#keep(frame.base, frame.decoded.results);
  }

  call(index: number): void {
    const { host, parts, tracker } = this.#dependencies;
    const imported = host[index];
    tracker?.enter(index);
    if (imported !== undefined) {
      this.#callHost(imported, parts.functions[index]?.params.length ?? 0);
      tracker?.leave();
      return;
    }
    const decoded = this.#function(index);
    const base = this.#stack.length - decoded.params;
    for (const type of decoded.locals) this.#stack.push(zeroOf(type));
    this.#frames.push({ decoded, base, operands: this.#stack.length, at: 0 });
  }

  callIndirect(type: number): void {
    const { types, functions } = this.#dependencies.parts;
    const index = this.#table[this.pop() >>> 0];
    if (index === undefined || functions[index]?.name !== types[type]?.name) throw new Trap("an indirect call leads nowhere");
    this.call(index);
  }

  long(index: number): bigint {
    return this.#frame.decoded.longs[index] ?? 0n;
  }

  getLocal(index: number): void {
    this.#stack.push(this.#stack[this.#frame.base + index] ?? 0);
  }

  teeLocal(index: number): void {
    this.#stack[this.#frame.base + index] = this.#stack.at(-1) ?? 0;
  }

  global(index: number): Variable {
    const variable = this.#dependencies.globals[index];
    if (variable === undefined) throw new TypeError("There is no such variable");
    return variable;
  }

  address(pointer: number, offset: number, bytes: number): number {
    const at = (pointer >>> 0) + (offset >>> 0);
    if (at + bytes > this.#view.byteLength) throw new Trap("an access outside of the memory");
    return at;
  }

  get view(): DataView {
    return this.#view;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#dependencies.memory.buffer);
  }

  get pages(): number {
    return this.#view.byteLength / PAGE_BYTES;
  }

  grow(count: number): number {
    const { memory, parts } = this.#dependencies;
    const before = this.pages;
    if (count > parts.memory.most - before) return -1;
    memory.buffer = memory.buffer.transfer((before + count) * PAGE_BYTES);
    this.#view = new DataView(memory.buffer);
    return before;
  }

  get #frame(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new TypeError("No function runs");
    return frame;
  }

  #keep(height: number, values: number): void {
    const kept = values === 0 ? undefined : this.#stack.pop();
    this.#stack.length = height;
    if (kept !== undefined) this.#stack.push(kept);
  }

  #callHost(host: HostFunction, params: number): void {
    const result = host(...this.#stack.splice(this.#stack.length - params, params));
    if (result !== undefined) this.#stack.push(typeof result === "bigint" ? BigInt.asIntN(64, result) : result | 0);
  }

  #function(index: number): DecodedFunction {
    const { parts, decoded: all } = this.#dependencies;
    const known = all.get(index);
    if (known !== undefined) return known;
    const found = parts.functions[index];
    if (found === undefined) throw new TypeError("There is no such function");
    const decoded = decodeBody(parts, found);
    all.set(index, decoded);
    return decoded;
  }
}
