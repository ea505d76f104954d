// parley call-contract: call a method of a contract.
import type { Command } from "commander";
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/amount.ts";
import type { ContractId } from "#shared/protocol/contracts.ts";
import { DEFAULT_GAS_LIMIT } from "#shared/protocol/limits.ts";
import { type ContractCall, detailsOfCall, draftOfCall } from "./contract-calls.ts";
import { withExamples } from "./examples.ts";
import { amountValue, contractIdValue, gasValue, uint64Value } from "./option-values.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "./submit.ts";
import type { CommandContext } from "./terminal.ts";

interface CallOptions extends SubmitOptions {
  readonly contract: ContractId;
  readonly method: string;
  readonly args?: string;
  readonly gas: number;
  readonly amount?: AmountUt;
}

/** Adds the command. */
export function addCallContractCommand(program: Command, context: CommandContext): void {
  // Both options append to one list, so that the arguments keep the order in which they were written.
  const written: string[] = [];
  const append = (json: string): string[] => {
    written.push(json);
    return written;
  };
  const command = program
    .command("call-contract")
    .description("call a method of a contract; gas is bought on top of the fee, 1 µT for each 1000 used")
    .requiredOption("--contract <id>", "contract id, 16 hex characters", contractIdValue)
    .requiredOption("--method <name>", "method")
    .option("--arg <text>", "next argument: a text (repeatable, mixed with --arg64 in the order of the arguments)", (text) =>
      append(JSON.stringify(text)),
    )
    .option("--arg64 <number>", "next argument: an unsigned 64-bit integer (repeatable)", (text) => append(uint64Value(text)))
    .option("--args <json>", "all arguments as a JSON list, instead of --arg and --arg64")
    .option("--amount <amount>", "attached to the call: 0.01T, or whole µT like 10000", amountValue)
    .option("--gas <limit>", "most gas to buy", gasValue, DEFAULT_GAS_LIMIT);
  withExamples(
    withSubmitOptions(command),
    "call-contract --key alice.json --contract 0123456789abcdef --method transfer --arg gold --arg 3d40… --arg64 250 --wait",
    `call-contract --key alice.json --contract 0123456789abcdef --method resolve --args '["deal-7",true]' --gas 200000`,
    "call-contract --key alice.json --contract 0123456789abcdef --method register --arg alice --amount 10000",
  ).action((options: CallOptions) => callContract(context, options, written));
}

function callContract(context: CommandContext, options: CallOptions, written: readonly string[]): Promise<void> {
  const { contract: contractId, method, gas: gasLimit, amount: amountUt } = options;
  const argsJson = argumentsOf(options.args, written);
  const call: ContractCall = { contractId, method, argsJson, gasLimit, ...(amountUt === undefined ? {} : { amountUt }) };
  return submitAndReport(context, options, ({ client }) => ({
    what: `Call of ${method} of ${contractId}${amountUt === undefined ? "" : ` with ${formatAmount(amountUt)}`}`,
    draft: draftOfCall(call),
    result: (submitted) => detailsOfCall(client, contractId, submitted),
  }));
}

function argumentsOf(given: string | undefined, written: readonly string[]): string {
  if (given === undefined) return written.length === 0 ? "" : `[${written.join(",")}]`;
  if (written.length > 0) throw new CodedError("CONFIG_INVALID", "--args has all arguments: give it alone, without --arg and --arg64");
  if (parseArguments(given) === undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `--args is a JSON list without fractions, like ["text",1,true], and this is none: ${given.slice(0, 80)}`,
    );
  return given;
}
