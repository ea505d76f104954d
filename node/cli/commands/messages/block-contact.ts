// parley block-contact: block someone.
import type { Command } from "commander";
import { describeAccount, resolveAccount } from "../../session/accounts/account-names.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue } from "../../session/option-values.ts";
import { draftOf, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addBlockContactCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("block-contact")
    .description("block someone")
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name of the person to block", accountValue);
  withExamples(withSubmitOptions(command), "block-contact --key bob.json --to @mallory --wait").action(
    (options: SubmitOptions & { readonly to: string }) =>
      submitAndReport(context, options, async ({ client, signer }) => {
        const requester = await resolveAccount({ client, context }, options.to);
        return {
          what: `Contact ${describeAccount(options.to, requester)} blocked`,
          draft: draftOf({ kind: "blockContact", requester }, signer),
        };
      }),
  );
}
