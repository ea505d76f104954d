// One function as a flat list of steps: branches lead to positions in it and say what they leave of the stack, code that is never reached is
// left out. Validation has passed: heights of the stack follow from the instructions alone.
import { ByteReader } from "../module/byte-reader.ts";
import type { Signature } from "../module/host-signatures.ts";
import { INSTRUCTIONS, OP, PREFIXED, type ValueType } from "../module/opcodes.ts";
import type { MeteredFunction, MeteredParts } from "./read-metered.ts";

/** Numbers of a step: an opcode and three operands. */
export const STEP = 4;

/** Opcodes of steps beside those of the format; a jump leaves the stack as it is. */
export const CODE = { jump: 0x100, jumpIfZero: 0x101, leave: 0x102, copy: 0x103, fill: 0x104 } as const;

export interface DecodedFunction {
  readonly steps: Int32Array;
  /** Values of i64.const. */
  readonly longs: readonly bigint[];
  /** Branch tables: position, height and values of each target. */
  readonly tables: readonly (readonly number[])[];
  readonly params: number;
  /** Types of the locals beside the parameters. */
  readonly locals: readonly ValueType[];
  readonly results: number;
}

interface Block {
  readonly isLoop: boolean;
  readonly height: number;
  readonly results: number;
  readonly start: number;
  /** Take the position of its end. */
  readonly ends: ((position: number) => void)[];
  /** Position of the jump over the first arm of an if. */
  otherwise?: number | undefined;
}

const EMPTY = 0x40;

/** The steps of a function of the module's own. */
export function decodeBody(parts: MeteredParts, { body, params, result }: MeteredFunction): DecodedFunction {
  if (body === undefined) throw new TypeError("An import has no body");
  return new Decoder(parts, new ByteReader(body.bytes, body.at, body.end), result === 0 ? 0 : 1).decode(params.length);
}

class Decoder {
  readonly #parts: MeteredParts;
  readonly #reader: ByteReader;
  readonly #results: number;
  readonly #steps: number[] = [];
  readonly #longs: bigint[] = [];
  readonly #tables: number[][] = [];
  readonly #blocks: Block[] = [];
  #height = 0;

  constructor(parts: MeteredParts, body: ByteReader, results: number) {
    this.#parts = parts;
    this.#reader = body;
    this.#results = results;
  }

  decode(params: number): DecodedFunction {
    const locals: ValueType[] = [];
    this.#reader.at = this.#bodyStart(locals);
    this.#open(false, this.#results);
    while (this.#blocks.length > 0) this.#instruction();
    this.#emit(CODE.leave);
    return {
      steps: Int32Array.from(this.#steps),
      longs: this.#longs,
      tables: this.#tables,
      params,
      locals,
      results: this.#results,
    };
  }

  #bodyStart(locals: ValueType[]): number {
    for (let groups = this.#reader.u32(); groups > 0; groups -= 1) {
      const count = this.#reader.u32();
      const type = this.#reader.u8() as ValueType;
      for (let index = 0; index < count; index += 1) locals.push(type);
    }
    return this.#reader.at;
  }

  #emit(op: number, a = 0, b = 0, c = 0): number {
    this.#steps.push(op, a, b, c);
    return this.#steps.length - STEP;
  }

  #open(isLoop: boolean, results: number): Block {
    const block = { isLoop, height: this.#height, results, start: this.#steps.length, ends: [] };
    this.#blocks.push(block);
    return block;
  }

  #blockResults(): number {
    return this.#reader.u8() === EMPTY ? 0 : 1;
  }

  #instruction(): void {
    const op = this.#reader.u8();
    const instruction = INSTRUCTIONS[op];
    if (instruction !== undefined && instruction.immediate !== "special") {
      this.#height += (instruction.pushes === 0 ? 0 : 1) - instruction.pops.length;
      this.#plain(op, instruction.immediate);
    } else if (op <= OP.return) this.#control(op);
    else this.#special(op);
  }

  #plain(op: number, immediate: "none" | "i32" | "i64" | "memory"): void {
    if (immediate === "i32") this.#emit(op, this.#reader.i32());
    else if (immediate === "i64") this.#emit(op, this.#longs.push(this.#reader.i64()) - 1);
    else if (immediate === "memory") {
      this.#reader.u32();
      this.#emit(op, this.#reader.u32() | 0);
    } else this.#emit(op);
  }

  #control(op: number): void {
    switch (op) {
      case OP.nop:
        return;
      case OP.block:
      case OP.loop:
        this.#open(op === OP.loop, this.#blockResults());
        return;
      case OP.if: {
        const results = this.#blockResults();
        this.#height -= 1;
        const otherwise = this.#emit(CODE.jumpIfZero);
        this.#open(false, results).otherwise = otherwise;
        return;
      }
      case OP.else:
        this.#else(true);
        return;
      case OP.end:
        this.#close();
        return;
      case OP.brIf:
        this.#height -= 1;
        this.#branch(op);
        return;
      default:
        this.#depart(op);
    }
  }

  /** Behind these instructions nothing is reached before the end of the block. */
  #depart(op: number): void {
    if (op === OP.br) this.#branch(op);
    else if (op === OP.brTable) this.#branchTable();
    else this.#emit(op === OP.return ? CODE.leave : OP.unreachable);
    this.#skip();
  }

  #branch(op: number): void {
    const block = this.#label(this.#reader.u32());
    const at = this.#emit(op, block.start, block.height, block.isLoop ? 0 : block.results);
    if (!block.isLoop) block.ends.push((position) => this.#put(at, position));
  }

  #branchTable(): void {
    const table: number[] = [];
    for (let left = this.#reader.u32() + 1; left > 0; left -= 1) {
      const block = this.#label(this.#reader.u32());
      const at = table.push(block.start, block.height, block.isLoop ? 0 : block.results) - 3;
      if (!block.isLoop)
        block.ends.push((position) => {
          table[at] = position;
        });
    }
    this.#emit(OP.brTable, this.#tables.push(table) - 1);
  }

  #label(depth: number): Block {
    const block = this.#blocks[this.#blocks.length - 1 - depth];
    if (block === undefined) throw new TypeError("A branch leaves the function");
    return block;
  }

  /** Puts a position into a step. */
  #put(at: number, position: number): void {
    this.#steps[at + 1] = position;
  }

  #else(isReached: boolean): void {
    const block = this.#label(0);
    if (isReached) {
      const at = this.#emit(CODE.jump);
      block.ends.push((position) => this.#put(at, position));
    }
    if (block.otherwise !== undefined) this.#put(block.otherwise, this.#steps.length);
    block.otherwise = undefined;
    this.#height = block.height;
  }

  #close(): void {
    const block = this.#blocks.pop();
    if (block === undefined) return;
    const position = this.#steps.length;
    if (block.otherwise !== undefined) this.#put(block.otherwise, position);
    for (const end of block.ends) end(position);
    this.#height = block.height + block.results;
  }

  /** Passes over what is not reached, up to what ends it. */
  #skip(): void {
    let depth = 0;
    for (;;) {
      const op = this.#reader.u8();
      if (depth === 0 && (op === OP.end || op === OP.else)) {
        if (op === OP.end) this.#close();
        else this.#else(false);
        return;
      }
      if (op === OP.end) depth -= 1;
      else if (op === OP.block || op === OP.loop || op === OP.if) {
        depth += 1;
        this.#reader.u8();
      } else this.#skipImmediates(op);
    }
  }

  #skipImmediates(op: number): void {
    const immediate = INSTRUCTIONS[op]?.immediate;
    if (immediate === "i32") this.#reader.skipSigned(32);
    else if (immediate === "i64") this.#reader.skipSigned(64);
    else if (op === OP.brTable) for (let left = this.#reader.u32() + 1; left > 0; left -= 1) this.#reader.u32();
    else if (op === OP.prefix) this.#reader.part(this.#reader.u32() === PREFIXED.memoryCopy ? 2 : 1);
    else {
      if (immediate === "memory" || op === OP.callIndirect) this.#reader.u32();
      if (immediate === "memory" || hasIndex(op)) this.#reader.u32();
    }
  }

  #special(op: number): void {
    if (op === OP.prefix) this.#bulk();
    else if (op === OP.call) {
      const index = this.#reader.u32();
      this.#emit(op, index);
      this.#called(this.#parts.functions[index]);
    } else if (op === OP.callIndirect) this.#callIndirect();
    else {
      this.#height += HEIGHTS[op] ?? 0;
      this.#emit(op, hasIndex(op) ? this.#reader.u32() : 0);
    }
  }

  #callIndirect(): void {
    const type = this.#reader.u32();
    this.#reader.u32();
    this.#height -= 1;
    this.#emit(OP.callIndirect, type);
    this.#called(this.#parts.types[type]);
  }

  #called(callee: Signature | undefined): void {
    this.#height += (callee?.result === 0 ? 0 : 1) - (callee?.params.length ?? 0);
  }

  #bulk(): void {
    const isCopy = this.#reader.u32() === PREFIXED.memoryCopy;
    this.#reader.part(isCopy ? 2 : 1);
    this.#height -= 3;
    this.#emit(isCopy ? CODE.copy : CODE.fill);
  }
}

/** What instructions that the validator treats by themselves do to the height of the stack. */
const HEIGHTS: Readonly<Record<number, number>> = {
  [OP.drop]: -1,
  [OP.select]: -2,
  [OP.localGet]: 1,
  [OP.localSet]: -1,
  [OP.localTee]: 0,
  [OP.globalGet]: 1,
  [OP.globalSet]: -1,
  [OP.memorySize]: 1,
  [OP.memoryGrow]: 0,
};

function hasIndex(op: number): boolean {
  return (
    op === OP.br ||
    op === OP.brIf ||
    op === OP.call ||
    op === OP.callIndirect ||
    (op >= OP.localGet && op <= OP.globalSet) ||
    op === OP.memorySize ||
    op === OP.memoryGrow
  );
}
