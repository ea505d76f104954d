// parley accept-contact: accept someone's contact request.
import type { Command } from "commander";
import { describeAccount, resolveAccount } from "../../session/accounts/account-names.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue } from "../../session/option-values.ts";
import { draftOf, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addAcceptContactCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("accept-contact")
    .description("accept a contact request, or unblock someone")
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name of the person who asked", accountValue);
  withExamples(withSubmitOptions(command), "accept-contact --key bob.json --to @alice --wait").action(
    (options: SubmitOptions & { readonly to: string }) =>
      submitAndReport(context, options, async ({ client, signer }) => {
        const requester = await resolveAccount({ client, context }, options.to);
        return {
          what: `Contact ${describeAccount(options.to, requester)} accepted`,
          draft: draftOf({ kind: "acceptContact", requester }, signer),
        };
      }),
  );
}
