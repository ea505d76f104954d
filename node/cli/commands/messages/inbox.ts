// parley inbox: the messages that wait for the key file's device, opened here.
import type { Command } from "commander";
import { withClientOptions, withKeyOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";
import type { InboxOptions } from "./show-inbox.ts";

export function addInboxCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("inbox")
    .description("print the waiting messages for this key file's device, oldest first")
    .option("--limit <count>", "maximum number", countValue, 50)
    .option("--delete", "delete them from the node after printing");
  withExamples(withClientOptions(withKeyOptions(command)), "inbox --key alice.json", "inbox --key alice.json --limit 100 --delete").action(
    async (options: InboxOptions) => {
      // Ciphers and forms of content: help does without them.
      const { showInbox } = await import("./show-inbox.ts");
      await showInbox(context, options);
    },
  );
}
