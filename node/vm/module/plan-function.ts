// Type-checks one function (the algorithm of the WebAssembly specification's appendix) and plans what is put into it: a charge in front
// of every stretch of code that runs as a whole, branches in place of returns, metered memory instructions.
import { type ByteReader, malformed } from "./byte-reader.ts";
import { CompileWeight } from "./compile-weight.ts";
import type { Frame, Operand } from "./control-frame.ts";
import type { Edit, FunctionPlan } from "./function-plan.ts";
import type { Signature } from "./host-signatures.ts";
import { floatNotAllowed, InvalidModule, instructionNotAllowed, wrongType } from "./invalid-module.ts";
import { FRAME_WORDS, METER_LOCALS, MODULE_LIMITS, type MOVES } from "./module-limits.ts";
import { ENTRY_GAS, I32, INSTRUCTIONS, type Instruction, isLoad, MEMORY_GAS, OP, PREFIXED, type ValueType } from "./opcodes.ts";
import { type ParsedModule, readValueType } from "./parse-module.ts";

/** @throws InvalidModule */
export function planFunction(module: ParsedModule, body: ByteReader, signature: Signature): FunctionPlan {
  return new Planner(module, body, signature).plan();
}

class Planner {
  readonly #module: ParsedModule;
  readonly #code: ByteReader;
  readonly #signature: Signature;
  readonly #locals: ValueType[];
  readonly #frames: Frame[] = [];
  readonly #operands: Operand[] = [];
  readonly #edits: Edit[] = [];
  #deepest = 0;
  readonly #weight = new CompileWeight();
  /** The charge that pays for what follows; undefined where nothing is reached. */
  #charge: Edit | undefined;

  constructor(module: ParsedModule, body: ByteReader, signature: Signature) {
    this.#module = module;
    this.#code = body;
    this.#signature = signature;
    this.#locals = [...signature.params];
  }

  plan(): FunctionPlan {
    const code = this.#code;
    const localsStart = code.at;
    this.#readLocals();
    const codeStart = code.at;
    const { result, params } = this.#signature;
    this.#enter("function", result);
    this.#startCharge();
    this.#pay(ENTRY_GAS.call + ENTRY_GAS.local * this.#locals.length);
    this.#goOver("function");
    while (this.#frames.length > 0) this.#instruction();
    if (!code.isAtEnd) throw malformed("a function continues behind its end");
    const frameWords = this.#weight.calls > 0 ? FRAME_WORDS + params.length + this.#locals.length + this.#deepest : 0;
    return {
      result,
      localsStart,
      codeStart,
      codeEnd: code.at,
      locals: this.#locals.length,
      frameWords,
      weight: this.#weight.total(),
      edits: this.#edits,
    };
  }

  #readLocals(): void {
    const code = this.#code;
    for (let groups = code.u32(); groups > 0; groups -= 1) {
      const count = code.u32();
      const type = readValueType(code);
      if (this.#locals.length + count > MODULE_LIMITS.locals)
        throw new InvalidModule("limit", `a function has more than ${MODULE_LIMITS.locals} parameters and locals`);
      for (let index = 0; index < count; index += 1) this.#locals.push(type);
    }
  }

  #instruction(): void {
    const at = this.#code.at;
    const opcode = this.#code.u8();
    const instruction = INSTRUCTIONS[opcode];
    if (instruction === undefined) throw instructionNotAllowed(opcode);
    if (isLoad(instruction)) this.#payLoad();
    else this.#pay(instruction.gas);
    if (instruction.immediate === "special") {
      this.#special(opcode, at);
      return;
    }
    if (instruction.immediate === "memory") this.#readAccess(instruction);
    else if (instruction.immediate === "i32") this.#code.skipSigned(32);
    else if (instruction.immediate === "i64") this.#code.skipSigned(64);
    for (let index = instruction.pops.length - 1; index >= 0; index -= 1) this.#popType(instruction.pops[index] ?? 0);
    if (instruction.pushes !== 0) this.#push(instruction.pushes);
  }

  #readAccess({ maxAlign }: Instruction): void {
    const align = this.#code.u32();
    if (align > maxAlign) throw new InvalidModule(align < 0x40 ? "type" : "feature", "the alignment of an access is too large");
    this.#code.u32();
  }

  #special(opcode: number, at: number): void {
    switch (opcode) {
      case OP.nop:
        return;
      case OP.block:
      case OP.loop:
      case OP.if:
      case OP.else:
      case OP.end:
        this.#structure(opcode);
        return;
      case OP.unreachable:
      case OP.br:
      case OP.brIf:
      case OP.brTable:
      case OP.return:
        this.#branch(opcode, at);
        return;
      case OP.call:
        this.#call(this.#functionType(this.#code.u32()));
        return;
      case OP.callIndirect:
        this.#callIndirect();
        return;
      case OP.drop:
        this.#pop();
        return;
      case OP.select:
        this.#select();
        return;
      case OP.localGet:
      case OP.localSet:
      case OP.localTee:
        this.#local(opcode);
        return;
      case OP.globalGet:
      case OP.globalSet:
        this.#global(opcode);
        return;
      default:
        this.#memory(opcode, at);
    }
  }

  #structure(opcode: number): void {
    switch (opcode) {
      case OP.block:
        this.#enter("block", this.#blockType());
        this.#goOver("block");
        return;
      case OP.loop:
        this.#enter("loop", this.#blockType());
        this.#goOver("loop");
        this.#startCharge();
        this.#pay(1);
        return;
      case OP.if: {
        const result = this.#blockType();
        this.#popType(I32);
        this.#enter("if", result);
        this.#goOver("if");
        this.#startCharge();
        return;
      }
      case OP.else:
        this.#else();
        return;
      default:
        this.#end();
    }
  }

  #enter(kind: Frame["kind"], result: Operand): void {
    if (this.#frames.length > MODULE_LIMITS.nesting)
      throw new InvalidModule("limit", `blocks are nested more than ${MODULE_LIMITS.nesting} deep`);
    const parent = this.#frames.at(-1);
    const isDead = parent !== undefined && (parent.isDead || parent.isUnreachable);
    const [height, charge] = [this.#operands.length, this.#charge];
    this.#frames.push({ kind, result, height, charge, isDead, isUnreachable: false, hasBranches: false, hasExits: false });
  }

  #leave(): Frame {
    const frame = this.#top();
    if (frame.result !== 0) this.#popType(frame.result);
    if (this.#operands.length !== frame.height) throw new InvalidModule("type", "a block leaves more values than its type says");
    this.#frames.pop();
    return frame;
  }

  #else(): void {
    if (this.#top().kind !== "if") throw malformed("an else stands outside of an if");
    this.#goOver("block");
    const { result, charge, hasBranches, hasExits } = this.#leave();
    this.#charge = charge;
    this.#enter("else", result);
    Object.assign(this.#top(), { hasBranches, hasExits });
    this.#startCharge();
  }

  #end(): void {
    const { kind, result, hasBranches, hasExits, charge } = this.#leave();
    if (kind === "if" && result !== 0) throw new InvalidModule("type", "an if with a result has no else");
    if (result !== 0) this.#push(result);
    if (this.#frames.length === 0) return;
    const isJoint = kind === "if" || kind === "else" || (kind === "block" && hasBranches);
    // What no way leads past is followed by code that runs as often as the code in front of it: one charge pays for both.
    if (!hasExits && charge !== undefined) this.#charge = charge;
    else if (isJoint || this.#charge === undefined) this.#startCharge();
  }

  #branch(opcode: number, at: number): void {
    this.#goOver(opcode === OP.brIf ? "branchIf" : "branch");
    if (opcode === OP.brIf) {
      this.#popType(I32);
      const result = this.#label(this.#code.u32());
      if (result !== 0) this.#push(this.#popType(result) === 0 ? 0 : result);
      this.#startCharge();
      return;
    }
    if (opcode === OP.br) {
      const result = this.#label(this.#code.u32());
      if (result !== 0) this.#popType(result);
    } else if (opcode === OP.brTable) this.#branchTable();
    else if (opcode === OP.return) {
      if (this.#signature.result !== 0) this.#popType(this.#signature.result);
      this.#exitFrom(0);
      this.#edits.push({ at, length: 1, kind: "return", value: this.#frames.length - 1, loads: 0 });
    }
    this.#becomeUnreachable();
  }

  #branchTable(): void {
    this.#popType(I32);
    const count = this.#code.count(MODULE_LIMITS.branchTargets, "branch targets");
    this.#weight.targets(count, this.#alive);
    const labels = Array.from({ length: count }, () => this.#label(this.#code.u32()));
    const last = this.#label(this.#code.u32());
    for (const label of labels) {
      if ((label === 0) !== (last === 0)) throw new InvalidModule("type", "the targets of a branch take different values");
      if (label !== 0) this.#push(this.#popType(label));
    }
    if (last !== 0) this.#popType(last);
  }

  /** Type that a branch to a label carries. */
  #label(depth: number): Operand {
    const frame = this.#frames[this.#frames.length - 1 - depth];
    if (frame === undefined) throw malformed("a branch leaves the function");
    frame.hasBranches = true;
    this.#exitFrom(this.#frames.length - depth);
    return frame.kind === "loop" ? 0 : frame.result;
  }

  /** A way leads out of the frames from one on. */
  #exitFrom(first: number): void {
    for (const inner of this.#frames.slice(first)) inner.hasExits = true;
  }

  #becomeUnreachable(): void {
    const frame = this.#top();
    this.#operands.length = frame.height;
    frame.isUnreachable = true;
    this.#charge = undefined;
  }

  #functionType(index: number): Signature {
    const type = this.#module.functions[index];
    if (type === undefined) throw malformed(`there is no function ${index}`);
    return type;
  }

  #callIndirect(): void {
    const type = this.#module.types[this.#code.u32()];
    if (type === undefined) throw malformed("an indirect call has no type");
    if (this.#code.u32() !== 0 || !this.#module.hasTable) throw malformed("an indirect call has no table");
    this.#popType(I32);
    this.#call(type);
  }

  #call({ params, result }: Signature): void {
    this.#goOver("call");
    for (let index = params.length - 1; index >= 0; index -= 1) this.#popType(params[index] ?? 0);
    if (result !== 0) this.#push(result);
  }

  #select(): void {
    this.#popType(I32);
    const second = this.#pop();
    const first = this.#pop();
    if (first !== 0 && second !== 0 && first !== second) throw wrongType();
    this.#push(first === 0 ? second : first);
  }

  #local(opcode: number): void {
    const type = this.#locals[this.#code.u32()];
    if (type === undefined) throw malformed("there is no such local");
    if (opcode !== OP.localGet) this.#popType(type);
    if (opcode !== OP.localSet) this.#push(type);
  }

  #global(opcode: number): void {
    const global = this.#module.globals[this.#code.u32()];
    if (global === undefined) throw malformed("there is no such global");
    if (opcode === OP.globalGet) {
      this.#push(global.type);
      return;
    }
    if (!global.isMutable) throw new InvalidModule("type", "a constant is set");
    this.#popType(global.type);
  }

  #memory(opcode: number, at: number): void {
    const code = this.#code;
    if (opcode === OP.prefix) {
      this.#prefixed(code.u32(), at);
      return;
    }
    this.#memoryIndex();
    if (opcode === OP.memoryGrow) this.#popType(I32);
    this.#push(I32);
    if (opcode === OP.memoryGrow) this.#edits.push({ at, length: code.at - at, kind: "grow", value: 0, loads: 0 });
  }

  #prefixed(opcode: number, at: number): void {
    if (opcode < 8) throw floatNotAllowed();
    if (opcode !== PREFIXED.memoryCopy && opcode !== PREFIXED.memoryFill) throw instructionNotAllowed(OP.prefix);
    const isCopy = opcode === PREFIXED.memoryCopy;
    this.#memoryIndex();
    if (isCopy) this.#memoryIndex();
    this.#pay(isCopy ? MEMORY_GAS.copy : MEMORY_GAS.fill);
    for (let index = 0; index < 3; index += 1) this.#popType(I32);
    this.#edits.push({ at, length: this.#code.at - at, kind: isCopy ? "copy" : "fill", value: 0, loads: 0 });
  }

  #memoryIndex(): void {
    if (this.#code.u8() !== 0) throw new InvalidModule("feature", "there is one memory only");
  }

  #blockType(): Operand {
    const { bytes, at } = this.#code;
    if (bytes[at] === 0x40) {
      this.#code.at += 1;
      return 0;
    }
    return readValueType(this.#code);
  }

  #top(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw malformed("a function has an end too many");
    return frame;
  }

  #push(type: Operand): void {
    this.#operands.push(type);
    const height = this.#operands.length;
    if (height <= this.#deepest) return;
    if (height > MODULE_LIMITS.operands) throw new InvalidModule("limit", `a function keeps more than ${MODULE_LIMITS.operands} operands`);
    this.#deepest = height;
  }

  #pop(): Operand {
    const frame = this.#top();
    if (this.#operands.length > frame.height) return this.#operands.pop() ?? 0;
    if (!frame.isUnreachable) throw new InvalidModule("type", "an operand is missing");
    return 0;
  }

  #popType(expected: Operand): Operand {
    const type = this.#pop();
    if (type !== 0 && type !== expected) throw wrongType();
    return type;
  }

  /** From here on another charge pays, unless nothing is reached. */
  #startCharge(): void {
    const frame = this.#top();
    this.#charge = undefined;
    if (frame.isDead || frame.isUnreachable) return;
    this.#charge = { at: this.#code.at, length: 0, kind: "charge", value: 0, loads: 0 };
    this.#edits.push(this.#charge);
    this.#goOver("charge");
  }

  /** Where paths part or meet, the engine goes over everything that is alive there. */
  #goOver(kind: keyof typeof MOVES): void {
    this.#weight.point(kind, this.#alive);
  }

  get #alive(): number {
    return this.#locals.length + METER_LOCALS + this.#operands.length;
  }

  #pay(gas: number): void {
    if (this.#charge !== undefined) this.#charge.value += gas;
  }

  #payLoad(): void {
    if (this.#charge !== undefined) this.#charge.loads += 1;
  }
}
