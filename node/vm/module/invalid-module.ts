// Why a module cannot be deployed. The chain keeps only that it cannot; the words are for its author.
import { isFloatOpcode } from "./opcodes.ts";

/** Kinds of reasons. */
export type InvalidReason = "malformed" | "float" | "feature" | "limit" | "import" | "export" | "type" | "segment" | "memory";

/** Thrown while reading a module, and caught where it is checked whether it can be deployed. */
export class InvalidModule extends Error {
  readonly reason: InvalidReason;

  constructor(reason: InvalidReason, message: string) {
    super(message);
    this.name = "InvalidModule";
    this.reason = reason;
  }
}

/** The error of a float anywhere in a module. */
export function floatNotAllowed(): InvalidModule {
  return new InvalidModule("float", "floats are not allowed: their NaNs differ between machines");
}

/** The error of an instruction that is not in the table. */
export function instructionNotAllowed(opcode: number): InvalidModule {
  if (isFloatOpcode(opcode)) return floatNotAllowed();
  return new InvalidModule("feature", `the instruction 0x${opcode.toString(16)} is not allowed`);
}

/** An operand of another type than its instruction takes. */
export function wrongType(): InvalidModule {
  return new InvalidModule("type", "an operand has another type");
}
