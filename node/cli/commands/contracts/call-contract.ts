// parley call-contract: call a method of a contract.
import type { Command } from "commander";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { DEFAULT_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { type ContractCall, detailsOfCall, draftOfCall } from "../../session/contracts/contract-calls.ts";
import { withExamples } from "../../session/examples.ts";
import { contractIdOf } from "../../session/names/contract-names.ts";
import { amountValue, gasValue } from "../../session/option-values.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { argumentsOf, type MethodOptions, withCallOptions } from "./call-options.ts";

interface CallOptions extends SubmitOptions, MethodOptions {
  readonly gas: number;
  readonly amount?: AmountUt;
}

export function addCallContractCommand(program: Command, context: CommandContext): void {
  const written: string[] = [];
  const command = program
    .command("call-contract")
    .description("call a method of a contract; gas is bought on top of the fee, 1 µT for each 1000 used");
  withCallOptions(command, written)
    .option("--amount <amount>", "amount attached to the call: 0.01T, or whole µT like 10000", amountValue)
    .option("--gas <limit>", "gas limit", gasValue, DEFAULT_GAS_LIMIT);
  withExamples(
    withSubmitOptions(command),
    "call-contract --key alice.json --contract 0123456789abcdef --method transfer --arg gold --arg 3d40… --arg64 250 --wait",
    `call-contract --key alice.json --contract 0123456789abcdef --method resolve --args '["deal-7",true]' --gas 200000`,
    "call-contract --key alice.json --contract username_registry --method register --arg alice --amount 10000",
  ).action((options: CallOptions) => callContract(context, options, written));
}

function callContract(context: CommandContext, options: CallOptions, written: readonly string[]): Promise<void> {
  const { contract, method, gas: gasLimit, amount: amountUt } = options;
  const argsJson = argumentsOf(options.args, written);
  return submitAndReport(context, options, async ({ client }) => {
    const contractId = await contractIdOf(client, contract, options.names);
    const call: ContractCall = { contractId, method, argsJson, gasLimit, ...(amountUt === undefined ? {} : { amountUt }) };
    return {
      what: `Call of ${method} of ${contract}${amountUt === undefined ? "" : ` with ${formatAmount(amountUt)}`}`,
      draft: draftOfCall(call),
      result: (submitted) => detailsOfCall(client, contractId, submitted),
    };
  });
}
