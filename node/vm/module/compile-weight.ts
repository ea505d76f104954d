// What compiling one function costs the engine beside its bytes. The compiler keeps a place for every local and operand and goes over all of
// them where paths part or meet.
import { MOVES, WEIGHT } from "./module-limits.ts";

/** Adds up the weight of a function. */
export class CompileWeight {
  #calls = 0;
  #targets = 0;
  #moves = 0;

  /** A point at which the compiler goes over so many locals and operands. */
  point(kind: keyof typeof MOVES, alive: number): void {
    this.#moves += MOVES[kind] * alive;
    if (kind === "call") this.#calls += 1;
  }

  /** Targets of a branch table, beside the point that it is. */
  targets(count: number, alive: number): void {
    this.#targets += count;
    this.#moves += MOVES.target * count * alive;
  }

  get calls(): number {
    return this.#calls;
  }

  /** In bytes of metered code. */
  total(): number {
    return WEIGHT.function + WEIGHT.call * this.#calls + WEIGHT.target * this.#targets + Math.ceil(this.#moves / WEIGHT.movesOfByte);
  }
}
