// A block of a function while the function is checked and planned.
import type { Edit } from "./function-plan.ts";
import type { ValueType } from "./opcodes.ts";

/** A value type, or 0 for any in unreachable code. */
export type Operand = ValueType | 0;

export interface Frame {
  readonly kind: "function" | "block" | "loop" | "if" | "else";
  readonly result: Operand;
  /** Operands below it. */
  readonly height: number;
  /** What pays for the code in front of it; undefined where nothing is reached. */
  readonly charge: Edit | undefined;
  /** No instruction of it is ever reached. */
  readonly isDead: boolean;
  /** The rest of it is not reached. */
  isUnreachable: boolean;
  /** Something branches to its end. */
  hasBranches: boolean;
  /** Something inside of it branches past its end, or returns. */
  hasExits: boolean;
}
