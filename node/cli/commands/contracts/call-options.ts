// Options that say which method of which contract, and its arguments.
import type { Command } from "commander";
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type NamesOptions, withNamesOption } from "../../session/contracts/names-option.ts";
import { contractValue, uint64Value } from "../../session/option-values.ts";

/** Values of {@link withCallOptions}, but --arg and --arg64. */
export interface MethodOptions extends NamesOptions {
  /** Id or name. */
  readonly contract: string;
  readonly method: string;
  readonly args?: string;
}

/** Adds the options; --arg and --arg64 append their JSON to `written`, so that the arguments keep the order in which they were written. */
export function withCallOptions(command: Command, written: string[]): Command {
  const append = (json: string): string[] => {
    written.push(json);
    return written;
  };
  return withNamesOption(command)
    .requiredOption("--contract <id>", "id of the contract, 16 hex characters, or its name", contractValue)
    .requiredOption("--method <name>", "method")
    .option("--arg <text>", "next argument: a text (repeatable, mixed with --arg64 in the order of the arguments)", (text) =>
      append(JSON.stringify(text)),
    )
    .option("--arg64 <number>", "next argument: an unsigned 64-bit integer (repeatable)", (text) => append(uint64Value(text)))
    .option("--args <json>", "all arguments as a JSON list, instead of --arg and --arg64");
}

/** JSON list of the arguments, "" for none. @throws CodedError CONFIG_INVALID */
export function argumentsOf(given: string | undefined, written: readonly string[]): string {
  if (given === undefined) return written.length === 0 ? "" : `[${written.join(",")}]`;
  if (written.length > 0) throw new CodedError("CONFIG_INVALID", "--args cannot be combined with --arg and --arg64");
  if (parseArguments(given) === undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `--args is a JSON list without fractions, like ["text",1,true], and this is none: ${given.slice(0, 80)}`,
    );
  return given;
}
