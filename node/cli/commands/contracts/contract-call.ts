// parley contract call and view: a method of a deployed contract by its name, with arguments in the types of its ABI.
import type { Command } from "commander";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { DEFAULT_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { argumentsJson, methodOf } from "../../session/contracts/abi-arguments.ts";
import { callerKey, withCallerOptions } from "../../session/contracts/caller-options.ts";
import { detailsOfCall, draftOfCall } from "../../session/contracts/contract-calls.ts";
import { type NamesOptions, withNamesOption } from "../../session/contracts/names-option.ts";
import { withExamples } from "../../session/examples.ts";
import { amountValue, gasValue } from "../../session/option-values.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import { type Plan, type PlanSession, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { askView, CONTRACT_ARGUMENT, type ContractSession, findContract, tryCall } from "./named-contract.ts";

interface CallOptions extends SubmitOptions, NamesOptions {
  readonly amount?: AmountUt;
  readonly gas?: number;
  readonly force?: boolean;
}

interface ViewOptions extends ClientOptions, NamesOptions {
  readonly from?: string;
  readonly key?: string;
}

/** What a person wrote. */
export interface WrittenMethod {
  readonly name: string;
  readonly method: string;
  readonly texts: readonly string[];
}

export function addCallCommand(parent: Command, context: CommandContext): void {
  const command = withArguments(parent.command("call"))
    .description("try a method, then call it and wait until the call is in a block")
    .option("--amount <amount>", "amount attached to the call: 0.01T, or whole µT like 10000", amountValue)
    .option("--gas <limit>", "gas limit (default: what the trial used, and a quarter more)", gasValue)
    .option("--force", "call it without a trial");
  withExamples(
    withNamesOption(withSubmitOptions(command)),
    "contract call counter add 5 --key alice.json",
    "contract call username_registry register alice --amount 10000 --key alice.json",
  ).action((...[name, method, texts, options]: readonly [string, string, readonly string[], CallOptions]) =>
    submitAndReport(context, { ...options, wait: true }, (session) => planCall({ context, ...session }, { name, method, texts }, options)),
  );
}

export function addViewCommand(parent: Command, context: CommandContext): void {
  const command = withArguments(parent.command("view")).description("print what a method returns, without a transaction");
  withExamples(
    withNamesOption(withClientOptions(withCallerOptions(command))),
    "contract view counter get",
    "contract view gold balance_of 3d40… --json",
  ).action(async (...[name, method, texts, options]: readonly [string, string, readonly string[], ViewOptions]) => {
    const client = await connect(context, options);
    const contract = await findContract({ context, client }, name, options);
    const argsJson = await argumentsJson({ context, client, abi: contract.abi }, methodOf(contract.abi, method), texts);
    const outcome = await askView(client, contract, { method, argsJson, from: await callerKey({ client, context }, options) });
    report(context, options, outcome, [onOneLine(outcome.result_text ?? outcome.result_b64)]);
  });
}

/** Plan of a call, tried out before: a refusal then costs nothing. @throws CodedError with its reason. */
export async function planCall(
  { context, client, signer }: ContractSession & Pick<PlanSession, "signer">,
  { name, method, texts }: WrittenMethod,
  options: Pick<CallOptions, "names" | "amount" | "gas" | "force">,
): Promise<Plan> {
  const contract = await findContract({ context, client }, name, options);
  const argsJson = await argumentsJson({ context, client, abi: contract.abi }, methodOf(contract.abi, method), texts);
  const { amount } = options;
  const trial = options.force === true ? undefined : await tryCall(client, contract, { method, argsJson, from: signer.publicKey, amount });
  const gasLimit = options.gas ?? trial?.gas_limit ?? DEFAULT_GAS_LIMIT;
  return {
    what: `Call of ${method} of ${name}${amount === undefined ? "" : ` with ${formatAmount(amount)}`}`,
    draft: draftOfCall({ contractId: contract.id, method, argsJson, gasLimit, ...(amount === undefined ? {} : { amountUt: amount }) }),
    result: (submitted) => detailsOfCall(client, contract.id, submitted),
  };
}

function withArguments(command: Command): Command {
  return command
    .argument("<contract>", CONTRACT_ARGUMENT)
    .argument("<method>", "method")
    .argument("[arguments...]", "its arguments in their order; a json argument as JSON");
}
