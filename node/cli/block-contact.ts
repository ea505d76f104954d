// parley block-contact: block someone.
import type { Command } from "commander";
import { parseAccount } from "#shared/protocol/address.ts";
import { type SubmitOptions, submitAndReport } from "./client-session.ts";
import { withSubmitOptions } from "./submit-options.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the command. */
export function addBlockContactCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("block-contact")
    .description("block the person behind a contact request")
    .requiredOption("--to <account>", "address or hex public key of the person who asked");
  withSubmitOptions(command).action(async (options: SubmitOptions & { readonly to: string }) => {
    const requester = parseAccount(options.to);
    await submitAndReport(context, options, `Contact ${options.to} blocked`, () => ({ kind: "blockContact", requester }));
  });
}
