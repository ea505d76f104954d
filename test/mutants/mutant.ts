// One row of the table: a bug that an engineer could make, and the unit tests that must notice it.
import type { Mutation } from "#test/support/host/mutation.ts";

/** A bug, and where it must be noticed. */
export interface Mutant extends Mutation {
  /** Files or folders below `test/unit`. */
  readonly tests: readonly string[];
}

/** Bugs of one file, as pairs of the text that is there and what replaces it. */
export function mutantsOf(
  file: string,
  tests: readonly string[],
  changes: readonly (readonly [from: string, to: string])[],
): readonly Mutant[] {
  return changes.map(([from, to]) => ({ file, from, to, tests }));
}
