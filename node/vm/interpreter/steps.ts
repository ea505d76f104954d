// What each step of an interpreted function does.
import { OP } from "../module/opcodes.ts";
import { CODE } from "./decode-body.ts";
import { LOADS, STORES_32, STORES_64 } from "./memory-access.ts";
import { BINARY_32, BINARY_64, COMPARE_64, EXTEND, NARROW, UNARY_32, UNARY_64 } from "./numeric.ts";
import { Trap } from "./trap.ts";

/** A variable; the host sees it as an object with a value. */
export interface Variable {
  value: number | bigint;
}

/** What steps work on: the stack, the function that runs, variables, memory. */
export interface StepMachine {
  push(value: number | bigint): void;
  /** An i32. */
  pop(): number;
  /** An i64. */
  popLong(): bigint;
  /** Of any type. */
  popAny(): number | bigint;
  /** The step to continue with. */
  jump(position: number): void;
  /** Leaves so many values on top of a height of the operands. */
  branch(position: number, height: number, values: number): void;
  branchTable(table: number): void;
  leave(): void;
  call(index: number): void;
  callIndirect(type: number): void;
  long(index: number): bigint;
  getLocal(index: number): void;
  /** Sets a local to what is on top, which stays there. */
  teeLocal(index: number): void;
  global(index: number): Variable;
  /** Address of an access within the memory. @throws Trap */
  address(pointer: number, offset: number, bytes: number): number;
  readonly view: DataView;
  readonly bytes: Uint8Array;
  readonly pages: number;
  grow(count: number): number;
}

/** A step with its operands. */
export type Handler = (machine: StepMachine, a: number, b: number, c: number) => void;

const CONTROL: Readonly<Record<number, Handler>> = {
  [OP.unreachable]: () => {
    throw new Trap("unreachable");
  },
  [OP.br]: (machine, position, height, values) => machine.branch(position, height, values),
  [OP.brIf]: (machine, position, height, values) => {
    if (machine.pop() !== 0) machine.branch(position, height, values);
  },
  [OP.brTable]: (machine, table) => machine.branchTable(table),
  [CODE.jump]: (machine, position) => machine.jump(position),
  [CODE.jumpIfZero]: (machine, position) => {
    if (machine.pop() === 0) machine.jump(position);
  },
  [CODE.leave]: (machine) => machine.leave(),
  [OP.call]: (machine, index) => machine.call(index),
  [OP.callIndirect]: (machine, type) => machine.callIndirect(type),
};

const VARIABLES: Readonly<Record<number, Handler>> = {
  [OP.drop]: (machine) => void machine.popAny(),
  [OP.select]: (machine) => {
    const condition = machine.pop();
    const second = machine.popAny();
    const first = machine.popAny();
    machine.push(condition === 0 ? second : first);
  },
  [OP.localGet]: (machine, index) => machine.getLocal(index),
  [OP.localSet]: (machine, index) => {
    machine.teeLocal(index);
    machine.popAny();
  },
  [OP.localTee]: (machine, index) => machine.teeLocal(index),
  [OP.globalGet]: (machine, index) => machine.push(machine.global(index).value),
  [OP.globalSet]: (machine, index) => {
    machine.global(index).value = machine.popAny();
  },
  [OP.i32Const]: (machine, value) => machine.push(value),
  [OP.i64Const]: (machine, index) => machine.push(machine.long(index)),
};

const MEMORY: Readonly<Record<number, Handler>> = {
  [OP.memorySize]: (machine) => machine.push(machine.pages),
  [OP.memoryGrow]: (machine) => machine.push(machine.grow(machine.pop() >>> 0)),
  [CODE.copy]: (machine) => {
    const length = machine.pop() >>> 0;
    const from = machine.address(machine.pop(), 0, length);
    const to = machine.address(machine.pop(), 0, length);
    machine.bytes.copyWithin(to, from, from + length);
  },
  [CODE.fill]: (machine) => {
    const length = machine.pop() >>> 0;
    const value = machine.pop() & 0xff;
    const to = machine.address(machine.pop(), 0, length);
    machine.bytes.fill(value, to, to + length);
  },
};

/** By the opcodes of steps. */
export const HANDLERS: readonly (Handler | undefined)[] = handlers();

function handlers(): readonly (Handler | undefined)[] {
  const all = new Array<Handler | undefined>(CODE.fill + 1).fill(undefined);
  const each = <T>(table: Readonly<Record<number, T>>, handlerOf: (entry: T) => Handler): void => {
    for (const [op, entry] of Object.entries(table)) all[Number(op)] = handlerOf(entry);
  };
  for (const table of [CONTROL, VARIABLES, MEMORY]) each(table, (handler) => handler);
  each(BINARY_32, ofTwoInts);
  for (const table of [COMPARE_64, BINARY_64]) each(table, ofTwoLongs);
  for (const table of [UNARY_32, EXTEND]) each(table, ofInt);
  for (const table of [UNARY_64, NARROW]) each(table, ofLong);
  each(LOADS, ofLoad);
  each(STORES_32, ofStore32);
  each(STORES_64, ofStore64);
  return all;
}

function ofInt(run: (a: number) => number | bigint): Handler {
  return (machine) => machine.push(run(machine.pop()));
}

function ofTwoInts(run: (a: number, b: number) => number): Handler {
  return (machine) => {
    const b = machine.pop();
    machine.push(run(machine.pop(), b));
  };
}

function ofLong(run: (a: bigint) => number | bigint): Handler {
  return (machine) => machine.push(wrapped(run(machine.popLong())));
}

function ofTwoLongs(run: (a: bigint, b: bigint) => number | bigint): Handler {
  return (machine) => {
    const b = machine.popLong();
    machine.push(wrapped(run(machine.popLong(), b)));
  };
}

function ofLoad({ bytes, run }: (typeof LOADS)[number]): Handler {
  return (machine, offset) => {
    const at = machine.address(machine.pop(), offset, bytes);
    machine.push(run(machine.view, at));
  };
}

function ofStore32({ bytes, run }: (typeof STORES_32)[number]): Handler {
  return (machine, offset) => {
    const value = machine.pop();
    run(machine.view, machine.address(machine.pop(), offset, bytes), value);
  };
}

function ofStore64({ bytes, run }: (typeof STORES_64)[number]): Handler {
  return (machine, offset) => {
    const value = machine.popLong();
    run(machine.view, machine.address(machine.pop(), offset, bytes), value);
  };
}

function wrapped(value: number | bigint): number | bigint {
  return typeof value === "bigint" ? BigInt.asIntN(64, value) : value;
}
