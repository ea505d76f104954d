// parley accept-contact: accept someone's contact request.
import type { Command } from "commander";
import { parseAccount } from "#shared/protocol/address.ts";
import { type SubmitOptions, submitAndReport } from "./client-session.ts";
import { withSubmitOptions } from "./submit-options.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the command. */
export function addAcceptContactCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("accept-contact")
    .description("accept a contact request, or lift a block")
    .requiredOption("--to <account>", "address or hex public key of the person who asked");
  withSubmitOptions(command).action(async (options: SubmitOptions & { readonly to: string }) => {
    const requester = parseAccount(options.to);
    await submitAndReport(context, options, `Contact ${options.to} accepted`, () => ({ kind: "acceptContact", requester }));
  });
}
