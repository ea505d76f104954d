// parley request-contact: ask someone to become a contact.
import type { Command } from "commander";
import { parseAccount } from "#shared/protocol/address.ts";
import { formatAmount } from "#shared/protocol/amount.ts";
import { parseFeeArgument } from "./amount-argument.ts";
import { type SubmitOptions, submitAndReport } from "./client-session.ts";
import { withFreeFee } from "./submit-options.ts";
import type { CommandContext } from "./terminal.ts";

interface RequestOptions extends Omit<SubmitOptions, "fee"> {
  readonly to: string;
  /** Amount for the recipient; the transaction's own fee is the minimum. */
  readonly fee: string;
  readonly intro?: string;
}

/** Adds the command. */
export function addRequestContactCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("request-contact")
    .description("ask someone to become a contact, with an amount that is paid to them")
    .requiredOption("--to <account>", "address or hex public key")
    .option("--fee <amount>", "paid to them and not returned, in µT (at least 5000), or in T with the unit, like 0.01T", "5000")
    .option("--intro <text>", "public text of at most 280 characters");
  withFreeFee(command).action(async ({ fee, ...options }: RequestOptions) => {
    const to = parseAccount(options.to);
    const amountUt = parseFeeArgument(fee);
    await submitAndReport(context, options, `Contact request with ${formatAmount(amountUt)} to ${options.to}`, () => ({
      kind: "requestContact",
      to,
      amountUt,
      ...(options.intro === undefined ? {} : { intro: options.intro }),
    }));
  });
}
