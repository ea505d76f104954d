// parley request-contact: ask someone to become a contact.
import type { Command } from "commander";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { MIN_CONTACT_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import { describeAccount } from "../../session/accounts/account-names.ts";
import { type RecipientOptions, resolveRecipient, withLookAlikeOption } from "../../session/accounts/recipients.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue, amountValue } from "../../session/option-values.ts";
import { draftOf, type SubmitOptions, submitAndReport, withFreeFee } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface RequestOptions extends Omit<SubmitOptions, "fee">, RecipientOptions {
  /** Amount for the recipient, µT; the transaction's own fee is the minimum. */
  readonly fee: AmountUt;
  readonly intro?: string;
}

export function addRequestContactCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("request-contact")
    .description("send a contact request with an amount that is paid to the recipient")
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name", accountValue)
    .option("--fee <amount>", "paid to the recipient, non-refundable: 0.01T, or whole µT, at least 5000", amountValue, MIN_CONTACT_FEE_UT)
    .option("--intro <text>", "public text of at most 280 characters");
  withExamples(
    withFreeFee(withLookAlikeOption(command)),
    'request-contact --key alice.json --to @bob --intro "We met at the fair" --wait',
    "request-contact --key alice.json --to pl1… --fee 0.01T",
  ).action((options: RequestOptions) => requestContact(context, options));
}

function requestContact(context: CommandContext, { fee: amountUt, ...options }: RequestOptions): Promise<void> {
  const { intro } = options;
  return submitAndReport(context, options, async ({ client, signer }) => {
    const to = await resolveRecipient({ client, context }, options, signer);
    return {
      what: `Contact request with ${formatAmount(amountUt)} to ${describeAccount(options.to, to)}`,
      draft: draftOf({ kind: "requestContact", to, amountUt, ...(intro === undefined ? {} : { intro }) }, signer),
    };
  });
}
