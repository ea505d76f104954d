// parley register-username, release-username, transfer-username: calls of the username registry.
import type { Command } from "commander";
import type { NodeClient } from "#shared/api/client.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { USERNAME_PRICE_UT } from "#shared/protocol/primitives/limits.ts";
import { describeAccount } from "../../session/accounts/account-names.ts";
import { type RecipientOptions, resolveRecipient, withLookAlikeOption } from "../../session/accounts/recipients.ts";
import { type NativeCall, planNativeCall } from "../../session/contracts/contract-calls.ts";
import { withExamples } from "../../session/examples.ts";
import { contractIdOf } from "../../session/names/contract-names.ts";
import { accountValue, contractValue, usernameValue } from "../../session/option-values.ts";
import { type Plan, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface UsernameOptions extends SubmitOptions {
  /** Id or name. */
  readonly registry?: string;
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
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name of the new owner", accountValue);
  withExamples(withLookAlikeOption(command), "transfer-username alice --to pl1… --key alice.json --wait").action(
    (username: string, options: UsernameOptions & RecipientOptions) =>
      submitAndReport(context, options, async ({ client, signer }) => {
        const to = await resolveRecipient({ client, context }, options, signer);
        const what = `Username @${username} transferred to ${describeAccount(options.to, to)}`;
        return await planCall(client, options, [username, to], { what, method: "transfer" });
      }),
  );
}

function usernameCommand(program: Command, name: string): Command {
  const command = program
    .command(name)
    .argument("<username>", "the username, with or without @", usernameValue)
    .option("--registry <contract>", "contract to use, by id or name (default: the network's username registry)", contractValue);
  return withSubmitOptions(command);
}

async function planCall(
  client: NodeClient,
  { registry }: UsernameOptions,
  args: readonly string[],
  call: Omit<NativeCall, "argsJson">,
): Promise<Plan> {
  const argsJson = JSON.stringify(args);
  const contract = registry === undefined ? {} : { contractId: await contractIdOf(client, registry) };
  return await planNativeCall(client, "username_registry", { ...call, argsJson, ...contract });
}
