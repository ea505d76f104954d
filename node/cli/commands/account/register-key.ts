// parley register-key: publish the key file's device key, so that others can send messages to this identity.
import type { Command } from "commander";
import { withExamples } from "../../session/examples.ts";
import { deviceKeyOf } from "../../session/keys/key-file.ts";
import { draftOf, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addRegisterKeyCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("register-key")
    .description("publish the key file's encryption key, so that you can receive messages (once per identity)")
    .option("--nickname <text>", "public name of at most 64 bytes");
  withExamples(withSubmitOptions(command), "register-key --key alice.json --nickname Alice --wait").action(
    (options: SubmitOptions & { readonly nickname?: string }) =>
      submitAndReport(context, options, ({ signer }) => {
        deviceKeyOf(signer);
        const { nickname } = options;
        return { what: "Key registered", draft: draftOf({ kind: "registerKey", ...(nickname === undefined ? {} : { nickname }) }, signer) };
      }),
  );
}
