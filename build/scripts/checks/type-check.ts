// The type check of the whole project, with no more checkers than the machine has processors for.
import { availableParallelism } from "node:os";
import { runNode } from "../process.ts";

/** Of the compiler by itself. */
const DEFAULT_CHECKERS = 4;
const DEFAULT_BUILDERS = 4;

/**
 * Checks all projects by their references; resolves with the exit code. Each checker of a project checks again what several need: on two
 * processors, one takes two thirds of the time that the usual four take.
 */
export function checkTypes(args: readonly string[] = []): Promise<number> {
  const processors = availableParallelism();
  const checkers = Math.min(DEFAULT_CHECKERS, Math.max(1, Math.floor(processors / 2)));
  const builders = Math.min(DEFAULT_BUILDERS, processors);
  const limits = ["--checkers", String(checkers), "--builders", String(builders)];
  return runNode("node_modules/typescript/bin/tsc", ["-b", ...limits, ...args]);
}
