// parley transfer: pay someone.
import type { Command } from "commander";
import { parseAccount } from "#shared/protocol/address.ts";
import { formatAmount } from "#shared/protocol/amount.ts";
import { parseAmountArgument } from "./amount-argument.ts";
import { type SubmitOptions, submitAndReport } from "./client-session.ts";
import { withSubmitOptions } from "./submit-options.ts";
import type { CommandContext } from "./terminal.ts";

interface TransferOptions extends SubmitOptions {
  readonly to: string;
  readonly amount: string;
  readonly memo?: string;
}

/** Adds the command. */
export function addTransferCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("transfer")
    .description("pay an amount to an account")
    .requiredOption("--to <account>", "address or hex public key of the recipient")
    .requiredOption("--amount <amount>", "amount in T, like 1.5; in µT with the unit, like 1500000ut")
    .option("--memo <text>", "public text of at most 256 bytes, signed with the payment");
  withSubmitOptions(command).action(async (options: TransferOptions) => {
    const to = parseAccount(options.to);
    const amountUt = parseAmountArgument(options.amount);
    await submitAndReport(context, options, `${formatAmount(amountUt)} to ${options.to}`, () => ({
      kind: "pay",
      to,
      amountUt,
      ...(options.memo === undefined ? {} : { memo: options.memo }),
    }));
  });
}
