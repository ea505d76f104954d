// Options of every command that submits a transaction.
import { type Command, InvalidArgumentError } from "commander";
import { parseFeeArgument } from "./amount-argument.ts";
import { withClientOptions, withKeyOptions } from "./client-session.ts";

/** Adds --key, --fee, --wait and the options of every client command. */
export function withSubmitOptions(command: Command): Command {
  return withFreeFee(command.option("--fee <fee>", "fee of the transaction in µT, at least 1000 (default 1000)", fee));
}

/** The same without --fee: for a command that uses that name for something else. */
export function withFreeFee(command: Command): Command {
  return withClientOptions(withKeyOptions(command.option("--wait", "wait until the transaction is in a block; fail when it failed there")));
}

function fee(text: string): number {
  try {
    return parseFeeArgument(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
