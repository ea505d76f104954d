// Where in its author's module an instruction of the metered one is. The metered code is the original one with charges put in, some
// instructions replaced by one other each, and a block around all: both are walked side by side.
import { ByteReader } from "../module/byte-reader.ts";
import { INSTRUCTIONS, OP, PREFIXED } from "../module/opcodes.ts";

/** The meter of the stack comes after that of gas, behind the variables of the module. */
const STACK = 1;

interface Instruction {
  readonly op: number;
  readonly at: number;
  /** Index of a variable, of instructions that name one. */
  readonly global: number;
}

/** Bodies of a function in both modules, and how many variables the original has: those behind them are the meters. */
export interface FunctionPair {
  readonly original: ByteReader;
  readonly metered: ByteReader;
  readonly globals: number;
}

/** Position in the original module of the instruction at a position of the metered one; undefined when they do not match. */
export function originalPosition({ original, metered, globals }: FunctionPair, meteredAt: number): number | undefined {
  const theirs = instructionsOf(original);
  const ours = instructionsOf(metered);
  let index = startOf(ours, globals);
  for (const instruction of theirs) {
    index = behindCharges(ours, index, globals);
    const match = ours[index];
    if (match === undefined || !isSame(instruction, match)) return undefined;
    if (match.at >= meteredAt) return instruction.at;
    index += 1;
  }
  return theirs.at(-1)?.at;
}

/** Start of the last instruction of a body that begins before a position. */
export function instructionBefore(body: ByteReader, position: number): number | undefined {
  return instructionsOf(body, position).findLast(({ at }) => at < position)?.at;
}

/** A function that begins by charging for its frame has a block around the rest. */
function startOf(ours: readonly Instruction[], globals: number): number {
  return ours[0]?.op === OP.globalGet && ours[0].global === globals + STACK ? behindCharges(ours, 0, globals) + 1 : 0;
}

/** A charge reads a meter first, and ends with the end of its if. */
function behindCharges(ours: readonly Instruction[], start: number, globals: number): number {
  let index = start;
  for (let here = ours[index]; here?.op === OP.globalGet && here.global >= globals; here = ours[index]) {
    const end = ours.findIndex(({ op }, at) => at > index && op === OP.end);
    if (end < 0) return index;
    index = end + 1;
  }
  return index;
}

function isSame(original: Instruction, metered: Instruction): boolean {
  if (original.op === metered.op) return true;
  if (original.op === OP.return) return metered.op === OP.br;
  return metered.op === OP.call && (original.op === OP.memoryGrow || original.op === OP.prefix);
}

/** All instructions of a body that can be read, up to one that begins at `end` or behind it. */
function instructionsOf(body: ByteReader, end = body.end): readonly Instruction[] {
  const reader = new ByteReader(body.bytes, body.at, body.end);
  const found: Instruction[] = [];
  for (let groups = reader.u32(); groups > 0; groups -= 1) {
    reader.u32();
    reader.u8();
  }
  while (!reader.isAtEnd && reader.at < end) {
    const { at } = reader;
    const op = reader.u8();
    const global = op === OP.globalGet || op === OP.globalSet ? reader.u32() : -1;
    found.push({ op, at, global });
    if (global < 0 && INSTRUCTIONS[op] === undefined) return found;
    if (global < 0) skipImmediates(reader, op);
  }
  return found;
}

function skipImmediates(reader: ByteReader, op: number): void {
  const immediate = INSTRUCTIONS[op]?.immediate;
  if (immediate === "i32" || immediate === "i64") reader.skipSigned(immediate === "i32" ? 32 : 64);
  else if (immediate === "memory") {
    reader.u32();
    reader.u32();
  } else if (immediate === "special") skipSpecial(reader, op);
}

function skipSpecial(reader: ByteReader, op: number): void {
  if (op === OP.brTable) for (let left = reader.u32() + 1; left > 0; left -= 1) reader.u32();
  else if (op === OP.prefix) reader.part(reader.u32() === PREFIXED.memoryCopy ? 2 : 1);
  else if (op === OP.callIndirect) {
    reader.u32();
    reader.u32();
  } else if (op === OP.block || op === OP.loop || op === OP.if) reader.u8();
  else if (HAS_INDEX.has(op)) reader.u32();
}

const HAS_INDEX: ReadonlySet<number> = new Set([
  OP.br,
  OP.brIf,
  OP.call,
  OP.localGet,
  OP.localSet,
  OP.localTee,
  OP.memorySize,
  OP.memoryGrow,
]);
