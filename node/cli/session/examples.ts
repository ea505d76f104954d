// Examples at the end of a command's help.
import type { Command } from "commander";

/** Adds examples, each a command line without the program's name. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  parley ${example}`).join("\n")}`);
}
