// parley register-username, release-username, transfer-username: calls of the username registry.
import type { Command } from "commander";
import type { NodeClient } from "#shared/api/client.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { USERNAME_PRICE_UT } from "#shared/protocol/primitives/limits.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { describeAccount, resolveAccount } from "../../session/accounts/account-names.ts";
import { type NativeCall, planNativeCall } from "../../session/contracts/contract-calls.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue, contractIdValue, usernameValue } from "../../session/option-values.ts";
import { type Plan, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface UsernameOptions extends SubmitOptions {
  readonly registry?: ContractId;
}

export function addRegisterUsernameCommand(program: Command, context: CommandContext): void {
  const command = usernameCommand(program, "register-username")
    .description(`register a username for your key; it costs ${formatAmount(USERNAME_PRICE_UT)}`)
    .addHelpText("after", "\nA username has 4 to 32 of a-z 0-9, with single . _ - between them. A key has one username at a time.");
  withExamples(command, "register-username alice --key alice.json --wait").action((username: string, options: UsernameOptions) =>
    submitAndReport(context, options, ({ client }) =>
      planCall(client, options, [username], {
        what: `Username @${username} for ${formatAmount(USERNAME_PRICE_UT)}`,
        method: "register",
        amountUt: USERNAME_PRICE_UT,
      }),
    ),
  );
}

export function addReleaseUsernameCommand(program: Command, context: CommandContext): void {
  const command = usernameCommand(program, "release-username").description("release your username: anyone can register it afterwards");
  withExamples(command, "release-username alice --key alice.json --wait").action((username: string, options: UsernameOptions) =>
    submitAndReport(context, options, ({ client }) =>
      planCall(client, options, [username], { what: `Username @${username} released`, method: "release" }),
    ),
  );
}

export function addTransferUsernameCommand(program: Command, context: CommandContext): void {
  const command = usernameCommand(program, "transfer-username")
    .description("transfer your username to another key, which must have none")
    .requiredOption("--to <account>", "address, hex public key or @username of the new owner", accountValue);
  withExamples(command, "transfer-username alice --to pl1… --key alice.json --wait").action(
    (username: string, options: UsernameOptions & { readonly to: string }) =>
      submitAndReport(context, options, async ({ client }) => {
        const to = await resolveAccount(client, options.to, options.registry);
        const what = `Username @${username} transferred to ${describeAccount(options.to, to)}`;
        return await planCall(client, options, [username, to], { what, method: "transfer" });
      }),
  );
}

function usernameCommand(program: Command, name: string): Command {
  const command = program
    .command(name)
    .argument("<username>", "the username, with or without @", usernameValue)
    .option("--registry <id>", "contract to use (default: the network's username registry)", contractIdValue);
  return withSubmitOptions(command);
}

function planCall(
  client: NodeClient,
  { registry }: UsernameOptions,
  args: readonly string[],
  call: Omit<NativeCall, "argsJson">,
): Promise<Plan> {
  const argsJson = JSON.stringify(args);
  return planNativeCall(client, "username_registry", { ...call, argsJson, ...(registry === undefined ? {} : { contractId: registry }) });
}
