// parley view-contract and estimate-contract: asking a method, and what calling it would cost, without a transaction.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { type CallerOptions, callerKey, withCallerOptions } from "../../session/contracts/caller-options.ts";
import { withExamples } from "../../session/examples.ts";
import { contractIdOf } from "../../session/names/contract-names.ts";
import { amountValue } from "../../session/option-values.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { argumentsOf, type MethodOptions, withCallOptions } from "./call-options.ts";
import { succeededOrLocated } from "./named-contract.ts";

interface ViewOptions extends ClientOptions, MethodOptions, CallerOptions {}

interface EstimateOptions extends ViewOptions {
  readonly amount?: AmountUt;
}

/** Adds the command that asks. */
export function addViewContractCommand(program: Command, context: CommandContext): void {
  const written: string[] = [];
  const command = program.command("view-contract").description("print what a method returns, without a transaction");
  withCallOptions(command, written);
  withExamples(
    withClientOptions(withCallerOptions(command)),
    "view-contract --contract 0123456789abcdef --method get",
    "view-contract --contract 0123456789abcdef --method balance_of --arg 3d40… --json",
  ).action(async (options: ViewOptions) => {
    const { contract, method, args } = options;
    const argsJson = argumentsOf(args, written);
    const client = await connect(context, options);
    const from = await callerKey({ client, context }, options);
    const asking = from === undefined ? {} : { from };
    const contractID = await contractIdOf(client, contract, options.names);
    const body = { method, args_json: argsJson, ...asking };
    const outcome = await succeededOrLocated(client, contractID, await client.callView({ contractID, body }));
    report(context, options, outcome, [onOneLine(outcome.result_text ?? outcome.result_b64)]);
  });
}

export function addEstimateContractCommand(program: Command, context: CommandContext): void {
  const written: string[] = [];
  const command = program
    .command("estimate-contract")
    .description("print what calling a method would cost and do, simulated on the newest state");
  withCallerOptions(withCallOptions(command, written)).option(
    "--amount <amount>",
    "amount attached to the call: 0.01T, or whole µT like 10000",
    amountValue,
  );
  withExamples(withClientOptions(command), "estimate-contract --from @alice --contract 0123456789abcdef --method add --arg64 5").action(
    async (options: EstimateOptions) => {
      const { contract, method, args, amount } = options;
      const argsJson = argumentsOf(args, written);
      const client = await connect(context, options);
      const from = await callerKey({ client, context }, options);
      if (from === undefined) throw new CodedError("CONFIG_INVALID", "Say who would sign: --from or --key");
      const attached = amount === undefined ? {} : { amount_ut: amount };
      const contractID = await contractIdOf(client, contract, options.names);
      const body = { method, args_json: argsJson, from, ...attached };
      const outcome = await succeededOrLocated(client, contractID, await client.estimateCall({ contractID, body }));
      const price = `${outcome.gas_used} gas, ${outcome.gas_price_ut} µT on top of the fee; send it with --gas ${outcome.gas_limit}`;
      report(context, options, outcome, [price, ...outcome.logs.map((line) => `log  ${onOneLine(line)}`)]);
    },
  );
}
