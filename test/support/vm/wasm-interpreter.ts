// A second machine for modules of the random programs: it runs them instruction by instruction and adds up the price of each. Slow and
// plain, so that what the engine computes and what the metering charges have something to be compared with.
import { ByteReader } from "#node/vm/module/byte-reader.ts";
import { ENTRY_GAS, INSTRUCTIONS, MEMORY_GAS, OP } from "#node/vm/module/opcodes.ts";
import { type ParsedModule, parseModule } from "#node/vm/module/parse-module.ts";

/** What a run came to. */
export interface InterpretedRun {
  readonly gas: number;
  readonly hasTrapped: boolean;
  readonly memory: Uint8Array;
}

class Trap extends Error {}

interface Step {
  readonly op: number;
  /** Immediates; a branch table has its targets and the default last. */
  readonly numbers: readonly number[];
  readonly long: bigint;
  /** Of a block: index of its end, and of its else. */
  end: number;
  otherwise: number;
}

interface Label {
  readonly height: number;
  readonly arity: number;
  /** Step to continue with. */
  readonly next: number;
  readonly isLoop: boolean;
}

const PAGE = 65_536;

/** Runs an exported function. */
export function interpret(code: Uint8Array, entry: string): InterpretedRun {
  const machine = new Interpreter(parseModule(code));
  let hasTrapped = false;
  try {
    machine.call(machine.exported(entry), []);
  } catch (error) {
    if (!(error instanceof Trap)) throw error;
    hasTrapped = true;
  }
  return { gas: machine.gas, hasTrapped, memory: machine.memory };
}

class Interpreter {
  readonly #module: ParsedModule;
  readonly #steps = new Map<number, { readonly steps: readonly Step[]; readonly locals: number }>();
  readonly #globals: number[];
  memory: Uint8Array;
  gas = 0;

  constructor(module: ParsedModule) {
    this.#module = module;
    this.#globals = module.globals.map(({ initial }) => Number(initial));
    this.memory = new Uint8Array(module.memory.initial * PAGE);
  }

  exported(name: string): number {
    return this.#module.exports.get(name) ?? -1;
  }

  call(index: number, args: readonly number[]): number | undefined {
    const own = index - this.#module.imports.length;
    if (own < 0) return undefined;
    const { steps, locals: count } = this.#decoded(own);
    const { result } = this.#module.functions[index] ?? { result: 0 };
    this.gas += ENTRY_GAS.call + ENTRY_GAS.local * (args.length + count);
    const frame = new Frame(this, steps, [...args, ...new Array<number>(count).fill(0)]);
    return frame.run(result === 0 ? 0 : 1);
  }

  signature(index: number): { readonly params: number; readonly result: number } {
    const { params, result } = this.#module.functions[index] ?? { params: [], result: 0 };
    return { params: params.length, result };
  }

  global(index: number, value?: number): number {
    if (value !== undefined) this.#globals[index] = value;
    return this.#globals[index] ?? 0;
  }

  grow(pages: number): number {
    const before = this.memory.length / PAGE;
    if (pages >>> 0 > this.#module.memory.most - before) return -1;
    this.gas += MEMORY_GAS.page * pages;
    const grown = new Uint8Array((before + pages) * PAGE);
    grown.set(this.memory);
    this.memory = grown;
    return before;
  }

  check(address: number, length: number): number {
    if (address + length > this.memory.length) throw new Trap();
    return address;
  }

  #decoded(own: number): { readonly steps: readonly Step[]; readonly locals: number } {
    const known = this.#steps.get(own);
    if (known !== undefined) return known;
    const body = this.#module.bodies[own];
    if (body === undefined) throw new Error("There is no such function");
    const decoded = decode(new ByteReader(body.bytes, body.at, body.end));
    this.#steps.set(own, decoded);
    return decoded;
  }
}

class Frame {
  readonly #machine: Interpreter;
  readonly #steps: readonly Step[];
  readonly #locals: number[];
  readonly #stack: (number | bigint)[] = [];
  readonly #labels: Label[] = [];
  #at = 0;

  constructor(machine: Interpreter, steps: readonly Step[], locals: number[]) {
    this.#machine = machine;
    this.#steps = steps;
    this.#locals = locals;
  }

  run(arity: number): number | undefined {
    this.#labels.push({ height: 0, arity, next: this.#steps.length, isLoop: false });
    while (this.#at < this.#steps.length) {
      const step = this.#steps[this.#at];
      if (step === undefined) break;
      this.#at += 1;
      this.#machine.gas += INSTRUCTIONS[step.op]?.gas ?? 0;
      this.#execute(step);
    }
    return arity === 0 ? undefined : this.#int();
  }

  #execute(step: Step): void {
    if (step.op <= OP.return) this.#control(step);
    else if (step.op >= 0x28 && step.op <= 0x3e) this.#access(step);
    else if (step.op === OP.prefix) this.#bulk(step);
    else if (step.op >= 0x41) this.#stack.push(this.#compute(step));
    else this.#simple(step);
  }

  #control({ op, numbers, end, otherwise }: Step): void {
    const [first = 0] = numbers;
    switch (op) {
      case OP.unreachable:
        throw new Trap();
      case OP.block:
      case OP.loop:
        this.#enter(first, op === OP.loop ? this.#at - 1 : end, op === OP.loop);
        return;
      case OP.if:
        this.#if(first, end, otherwise);
        return;
      case OP.else:
        this.#at = end;
        return;
      case OP.end:
        this.#labels.pop();
        return;
      case OP.br:
        this.#branch(first);
        return;
      case OP.brIf:
        if (this.#int() !== 0) this.#branch(first);
        return;
      case OP.brTable:
        this.#branch(numbers[Math.min(this.#int() >>> 0, numbers.length - 1)] ?? 0);
        return;
      case OP.return:
        this.#branch(this.#labels.length - 1);
        return;
      default:
        return;
    }
  }

  #if(type: number, end: number, otherwise: number): void {
    const isTaken = this.#int() !== 0;
    if (isTaken || otherwise > 0) this.#enter(type, end, false);
    if (!isTaken) this.#at = otherwise > 0 ? otherwise + 1 : end + 1;
  }

  #enter(type: number, target: number, isLoop: boolean): void {
    // The head of a loop is paid in every round.
    if (isLoop) this.#machine.gas += 1;
    this.#labels.push({ height: this.#stack.length, arity: isLoop || type === 0x40 ? 0 : 1, next: isLoop ? target : target + 1, isLoop });
  }

  #branch(depth: number): void {
    const target = this.#labels[this.#labels.length - 1 - depth];
    if (target === undefined) throw new Error("A branch leads nowhere");
    const results = this.#stack.splice(this.#stack.length - target.arity, target.arity);
    this.#stack.length = target.height;
    this.#stack.push(...results);
    this.#labels.length -= depth + 1;
    this.#at = target.next;
  }

  #simple({ op, numbers }: Step): void {
    const [index = 0] = numbers;
    const machine = this.#machine;
    if (op === OP.call) this.#call(index);
    else if (op === OP.drop) this.#stack.pop();
    else if (op === OP.select) {
      const [condition, second, first] = [this.#int(), this.#int(), this.#int()];
      this.#stack.push(condition === 0 ? second : first);
    } else if (op === OP.localGet) this.#stack.push(this.#locals[index] ?? 0);
    else if (op === OP.localSet) this.#locals[index] = this.#int();
    else if (op === OP.localTee) this.#locals[index] = Number(this.#stack.at(-1));
    else if (op === OP.globalGet) this.#stack.push(machine.global(index));
    else if (op === OP.globalSet) machine.global(index, this.#int());
    else if (op === OP.memorySize) this.#stack.push(machine.memory.length / PAGE);
    else if (op === OP.memoryGrow) this.#stack.push(machine.grow(this.#int()));
  }

  #call(index: number): void {
    const { params, result } = this.#machine.signature(index);
    const args = this.#stack.splice(this.#stack.length - params, params).map(Number);
    const returned = this.#machine.call(index, args);
    if (result !== 0) this.#stack.push(returned ?? 0);
  }

  #access({ op, numbers }: Step): void {
    const offset = numbers[1] ?? 0;
    const value = op === 0x36 ? this.#int() : 0;
    const address = this.#machine.check((this.#int() >>> 0) + offset, 4);
    const view = new DataView(this.#machine.memory.buffer);
    if (op === 0x36) view.setInt32(address, value, true);
    else this.#stack.push(view.getInt32(address, true));
  }

  #bulk({ numbers }: Step): void {
    const [length, second, target] = [this.#int() >>> 0, this.#int(), this.#int() >>> 0];
    const isCopy = numbers[0] === 10;
    const { memory } = this.#machine;
    this.#machine.gas += (isCopy ? MEMORY_GAS.copy : MEMORY_GAS.fill) + (length >>> 3);
    this.#machine.check(target, length);
    if (isCopy) memory.copyWithin(target, this.#machine.check(second >>> 0, length), (second >>> 0) + length);
    else memory.fill(second & 0xff, target, target + length);
  }

  #compute(step: Step): number | bigint {
    if (step.op === OP.i32Const) return step.numbers[0] ?? 0;
    if (step.op === OP.i64Const) return step.long;
    if (step.op === 0x45) return Number(this.#int() === 0);
    if (step.op === 0xac) return BigInt(this.#int());
    if (step.op === 0xa7) return Number(BigInt.asIntN(32, BigInt(this.#stack.pop() ?? 0)));
    const [b, a] = [this.#stack.pop() ?? 0, this.#stack.pop() ?? 0];
    return typeof a === "bigint" && typeof b === "bigint" ? longOf(step.op, a, b) : intOf(step.op, Number(a), Number(b));
  }

  #int(): number {
    return Number(this.#stack.pop() ?? 0);
  }
}

function intOf(op: number, a: number, b: number): number {
  if (op >= 0x6d && op <= 0x70 && b === 0) throw new Trap();
  if (op === 0x6d && a === -(2 ** 31) && b === -1) throw new Trap();
  const results: Readonly<Record<number, () => number>> = {
    70: () => Number(a === b),
    72: () => Number(a < b),
    75: () => Number(a >>> 0 > b >>> 0),
    106: () => a + b,
    107: () => a - b,
    108: () => Math.imul(a, b),
    109: () => Math.trunc(a / b),
    110: () => Math.floor((a >>> 0) / (b >>> 0)),
    111: () => a % b,
    112: () => (a >>> 0) % (b >>> 0),
    113: () => a & b,
    114: () => a | b,
    115: () => a ^ b,
    116: () => a << b,
    117: () => a >> b,
    118: () => a >>> b,
    119: () => (a << (b & 31)) | (a >>> (32 - (b & 31))),
    120: () => (a >>> (b & 31)) | (a << (32 - (b & 31))),
  };
  return (results[op]?.() ?? 0) | 0;
}

function longOf(op: number, a: bigint, b: bigint): bigint {
  const shift = b & 63n;
  const results: Readonly<Record<number, () => bigint>> = {
    124: () => a + b,
    125: () => a - b,
    126: () => a * b,
    127: () => a / b,
    128: () => BigInt.asUintN(64, a) / BigInt.asUintN(64, b),
    131: () => a & b,
    132: () => a | b,
    133: () => a ^ b,
    134: () => a << shift,
    136: () => BigInt.asUintN(64, a) >> shift,
    137: () => (a << shift) | (BigInt.asUintN(64, a) >> (64n - shift)),
  };
  return BigInt.asIntN(64, results[op]?.() ?? 0n);
}

function decode(code: ByteReader): { readonly steps: readonly Step[]; readonly locals: number } {
  let locals = 0;
  for (let groups = code.u32(); groups > 0; groups -= 1) {
    locals += code.u32();
    code.u8();
  }
  const steps: Step[] = [];
  const open: number[] = [];
  while (!code.isAtEnd) {
    const at = steps.length;
    const op = code.u8();
    steps.push({ op, ...immediates(code, op), end: 0, otherwise: 0 });
    if (op === OP.block || op === OP.loop || op === OP.if) open.push(at);
    if (op === OP.else) setOtherwise(steps, open.at(-1), at);
    if (op === OP.end) close(steps, open.pop(), at);
  }
  return { steps, locals };
}

function setOtherwise(steps: readonly Step[], opener: number | undefined, at: number): void {
  const step = steps[opener ?? -1];
  if (step !== undefined) step.otherwise = at;
}

function close(steps: readonly Step[], opener: number | undefined, at: number): void {
  const step = steps[opener ?? -1];
  if (step === undefined) return;
  step.end = at;
  const otherwise = steps[step.otherwise];
  if (step.otherwise > 0 && otherwise !== undefined) otherwise.end = at;
}

function immediates(code: ByteReader, op: number): Pick<Step, "numbers" | "long"> {
  const none = { numbers: [], long: 0n };
  if (op === OP.i32Const) return { numbers: [code.i32()], long: 0n };
  if (op === OP.i64Const) return { numbers: [], long: code.i64() };
  if (op === OP.brTable) return { numbers: Array.from({ length: code.u32() + 1 }, () => code.u32()), long: 0n };
  if (op === OP.prefix) {
    const kind = code.u32();
    code.part(kind === 10 ? 2 : 1);
    return { numbers: [kind], long: 0n };
  }
  if (op >= 0x28 && op <= 0x3e) return { numbers: [code.u32(), code.u32()], long: 0n };
  const hasOne =
    (op >= 0x02 && op <= 0x04) ||
    op === OP.br ||
    op === OP.brIf ||
    op === OP.call ||
    (op >= 0x20 && op <= 0x24) ||
    op === 0x3f ||
    op === 0x40;
  return hasOne ? { numbers: [code.u32()], long: 0n } : none;
}
