// The code of a function as a list of instructions with their immediates, and where its blocks end.
import type { ByteReader } from "#node/vm/module/byte-reader.ts";
import { INSTRUCTIONS, OP, PREFIXED, type ValueType } from "#node/vm/module/opcodes.ts";

export interface PlainInstruction {
  readonly op: number;
  /** Immediates; a branch table has its targets and the default last. */
  readonly numbers: readonly number[];
  readonly long: bigint;
  /** Of a block: index of its end, and of its else. */
  end: number;
  otherwise: number;
}

export interface PlainFunction {
  /** Of the locals behind the parameters. */
  readonly locals: readonly ValueType[];
  readonly code: readonly PlainInstruction[];
}

/** Reads a body from its locals on. */
export function readBody(reader: ByteReader): PlainFunction {
  const locals: ValueType[] = [];
  for (let groups = reader.u32(); groups > 0; groups -= 1) {
    const count = reader.u32();
    const type = reader.u8() as ValueType;
    for (let index = 0; index < count; index += 1) locals.push(type);
  }
  const code: PlainInstruction[] = [];
  const open: number[] = [];
  while (!reader.isAtEnd) {
    const at = code.length;
    const op = reader.u8();
    code.push({ op, ...immediates(reader, op), end: 0, otherwise: 0 });
    if (op === OP.block || op === OP.loop || op === OP.if) open.push(at);
    if (op === OP.else) setOtherwise(code, open.at(-1), at);
    if (op === OP.end) close(code, open.pop(), at);
  }
  return { locals, code };
}

function setOtherwise(code: readonly PlainInstruction[], opener: number | undefined, at: number): void {
  const instruction = code[opener ?? -1];
  if (instruction !== undefined) instruction.otherwise = at;
}

function close(code: readonly PlainInstruction[], opener: number | undefined, at: number): void {
  const instruction = code[opener ?? -1];
  if (instruction === undefined) return;
  instruction.end = at;
  const otherwise = code[instruction.otherwise];
  if (instruction.otherwise > 0 && otherwise !== undefined) otherwise.end = at;
}

function immediates(reader: ByteReader, op: number): Pick<PlainInstruction, "numbers" | "long"> {
  if (op === OP.i64Const) return { numbers: [], long: reader.i64() };
  return { numbers: numbersOf(reader, op), long: 0n };
}

function numbersOf(reader: ByteReader, op: number): readonly number[] {
  if (op === OP.i32Const) return [reader.i32()];
  if (op === OP.brTable) return Array.from({ length: reader.u32() + 1 }, () => reader.u32());
  if (op === OP.prefix) {
    const kind = reader.u32();
    reader.part(kind === PREFIXED.memoryCopy ? 2 : 1);
    return [kind];
  }
  if (op === OP.callIndirect || INSTRUCTIONS[op]?.immediate === "memory") return [reader.u32(), reader.u32()];
  return hasOne(op) ? [reader.u32()] : [];
}

function hasOne(op: number): boolean {
  const isBlock = op >= OP.block && op <= OP.if;
  const isVariable = op >= OP.localGet && op <= OP.globalSet;
  return isBlock || isVariable || op === OP.br || op === OP.brIf || op === OP.call || op === OP.memorySize || op === OP.memoryGrow;
}
