// parley register-key: publish the key file's device key, so that others can send messages to this identity.
import type { Command } from "commander";
import { type SubmitOptions, submitAndReport } from "./client-session.ts";
import { withSubmitOptions } from "./submit-options.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the command. */
export function addRegisterKeyCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("register-key")
    .description("publish the key file's encryption key, so that messages can reach you (once per identity)")
    .option("--nickname <text>", "public name of at most 64 bytes");
  withSubmitOptions(command).action((options: SubmitOptions & { readonly nickname?: string }) =>
    submitAndReport(context, options, "Key registered", () => ({
      kind: "registerKey",
      ...(options.nickname === undefined ? {} : { nickname: options.nickname }),
    })),
  );
}
