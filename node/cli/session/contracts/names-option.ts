// --names: where the names of contracts are.
import type { Command } from "commander";
import { NAMES_FILE } from "../names/contract-names.ts";

/** Options of commands that name a contract. */
export interface NamesOptions {
  readonly names?: string;
}

/** Adds --names. */
export function withNamesOption(command: Command): Command {
  return command.option("--names <file>", `file with names of contracts (default: ${NAMES_FILE} in this folder or above it)`);
}
