// Parts of a function that can be taken out or put elsewhere: those that leave the operands as they were, and those that leave one value more.
// What is found is mostly right: who checks modules says so where it is not.
import type { Signature } from "#node/vm/module/host-signatures.ts";
import { INSTRUCTIONS, OP, type ValueType } from "#node/vm/module/opcodes.ts";
import { type FunctionBody, type Instruction, indexIn } from "./integer-module.ts";

/** From an instruction up to another, with the type of the value that it leaves. */
export interface CodeRange {
  readonly from: number;
  readonly to: number;
  readonly type: ValueType | 0;
}

/** What a function can name. */
export interface Names {
  readonly functionOf: (index: number) => Signature;
  readonly types: readonly Signature[];
}

interface Effect {
  readonly pops: number;
  readonly pushes: number;
  readonly type: ValueType | 0;
}

const [LONGEST, VOID] = [60, 0x40];
const NONE: Effect = { pops: 0, pushes: 0, type: 0 };
const isOpening = (opcode: number): boolean => opcode === OP.block || opcode === OP.loop || opcode === OP.if;

/** Ranges that begin at an instruction. */
export function rangesFrom(body: FunctionBody, from: number, names: Names): readonly CodeRange[] {
  const walk = new Walk(body, names);
  const ranges: CodeRange[] = [];
  for (const [index, instruction] of body.code.slice(from, from + LONGEST).entries()) {
    if (!walk.pass(instruction)) break;
    const type = walk.leaves();
    if (type !== undefined) ranges.push({ from, to: from + index + 1, type });
  }
  return ranges;
}

/** Operands and blocks behind a first instruction. */
class Walk {
  readonly #body: FunctionBody;
  readonly #names: Names;
  readonly #blocks: { readonly height: number; readonly type: ValueType | 0 }[] = [];
  #height = 0;
  #type: ValueType | 0 = 0;

  constructor(body: FunctionBody, names: Names) {
    this.#body = body;
    this.#names = names;
  }

  /** False where no range can continue. */
  pass(instruction: Instruction): boolean {
    const { opcode } = instruction;
    if (opcode === OP.end || opcode === OP.else) return this.#close(opcode);
    const effect = effectOf(instruction, this.#body, this.#names);
    if (this.#height < effect.pops) return false;
    this.#height += effect.pushes - effect.pops;
    this.#type = effect.type;
    if (isOpening(opcode)) this.#blocks.push({ height: this.#height, type: blockType(instruction) });
    return !isDeparture(opcode) || this.#blocks.length > 0;
  }

  /** What is there more than at the start, when that is nothing or one value whose type is known. */
  leaves(): ValueType | 0 | undefined {
    if (this.#blocks.length > 0 || this.#height > 1) return undefined;
    if (this.#height === 0) return 0;
    return this.#type === 0 ? undefined : this.#type;
  }

  #close(opcode: number): boolean {
    const block = this.#blocks.at(-1);
    if (block === undefined) return false;
    this.#height = block.height + (opcode === OP.end && block.type !== 0 ? 1 : 0);
    this.#type = block.type;
    if (opcode === OP.end) this.#blocks.pop();
    return true;
  }
}

function isDeparture(opcode: number): boolean {
  return opcode === OP.unreachable || opcode === OP.br || opcode === OP.brTable || opcode === OP.return;
}

function blockType({ immediates: [type] }: Instruction): ValueType | 0 {
  return type === undefined || type === VOID ? 0 : (type as ValueType);
}

function effectOf(instruction: Instruction, body: FunctionBody, { functionOf, types }: Names): Effect {
  const { opcode } = instruction;
  const described = INSTRUCTIONS[opcode];
  if (described !== undefined && described.immediate !== "special")
    return { pops: described.pops.length, pushes: described.pushes === 0 ? 0 : 1, type: described.pushes };
  if (opcode === OP.call) return effectOfCall(functionOf(indexIn(instruction)), 0);
  if (opcode === OP.callIndirect) return effectOfCall(types[indexIn(instruction)], 1);
  const local = [...body.params, ...body.locals][indexIn(instruction)] ?? 0;
  switch (opcode) {
    case OP.localGet:
      return { pops: 0, pushes: 1, type: local };
    case OP.localTee:
      return { pops: 1, pushes: 1, type: local };
    case OP.memorySize:
      return { pops: 0, pushes: 1, type: 0x7f };
    case OP.memoryGrow:
      return { pops: 1, pushes: 1, type: 0x7f };
    case OP.globalGet:
      return { pops: 0, pushes: 1, type: 0 };
    case OP.select:
      return { pops: 3, pushes: 1, type: 0 };
    case OP.prefix:
      return { pops: 3, pushes: 0, type: 0 };
    case OP.localSet:
    case OP.globalSet:
    case OP.drop:
    case OP.if:
    case OP.brIf:
    case OP.brTable:
      return { ...NONE, pops: 1 };
    default:
      return NONE;
  }
}

function effectOfCall(signature: Signature | undefined, more: number): Effect {
  const { params, result } = signature ?? { params: [], result: 0 };
  return { pops: params.length + more, pushes: result === 0 ? 0 : 1, type: result };
}
