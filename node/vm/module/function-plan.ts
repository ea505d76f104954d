// What becomes of one function of a module when it is metered.
import type { ValueType } from "./opcodes.ts";

/** A change of the code: a charge is put in, everything else replaces `length` bytes. */
export interface Edit {
  readonly at: number;
  readonly length: number;
  readonly kind: "charge" | "return" | "grow" | "copy" | "fill";
  /** Gas of a charge without its loads, depth of a return. */
  value: number;
  /** Loads that a charge pays for: what they cost is known once the whole module is. */
  loads: number;
}

/** What becomes of a function. Positions are in the bytes of the module. */
export interface FunctionPlan {
  readonly result: ValueType | 0;
  readonly localsStart: number;
  readonly codeStart: number;
  /** Behind the last `end`. */
  readonly codeEnd: number;
  /** Parameters and locals: the first index that is free. */
  readonly locals: number;
  /** Words of the logical stack that a call takes: none when the function calls nothing. */
  readonly frameWords: number;
  /** What compiling it costs beside its bytes, in bytes of metered code. */
  readonly weight: number;
  /** In the order of their positions. */
  readonly edits: readonly Edit[];
}
