// parley transfer: pay someone.
import type { Command } from "commander";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { describeAccount } from "../../session/accounts/account-names.ts";
import { type RecipientOptions, resolveRecipient, withLookAlikeOption } from "../../session/accounts/recipients.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue, amountValue } from "../../session/option-values.ts";
import { draftOf, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface TransferOptions extends SubmitOptions, RecipientOptions {
  readonly amount: AmountUt;
  readonly memo?: string;
}

export function addTransferCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("transfer")
    .description("pay an amount to an account")
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name of the recipient", accountValue)
    .requiredOption("--amount <amount>", "amount: 1.5T, or whole µT like 1500000", amountValue)
    .option("--memo <text>", "public memo of at most 256 bytes, signed with the payment");
  withExamples(
    withSubmitOptions(withLookAlikeOption(command)),
    "transfer --key alice.json --to @bob --amount 1.5T --wait",
    'transfer --key alice.json --to pl1… --amount 250000 --memo "lunch" --json',
  ).action((options: TransferOptions) => transfer(context, options));
}

function transfer(context: CommandContext, options: TransferOptions): Promise<void> {
  const { amount: amountUt, memo } = options;
  return submitAndReport(context, options, async ({ client, signer }) => {
    const to = await resolveRecipient({ client, context }, options, signer);
    return {
      what: `${formatAmount(amountUt)} to ${describeAccount(options.to, to)}`,
      draft: draftOf({ kind: "pay", to, amountUt, ...(memo === undefined ? {} : { memo }) }, signer),
    };
  });
}
