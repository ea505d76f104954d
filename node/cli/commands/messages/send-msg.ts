// parley send-msg: an end-to-end encrypted message. It is sealed here, once for each device of the recipient.
import type { Command } from "commander";
import { withClientOptions, withKeyOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue, amountValue, contractValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";
import type { SendOptions } from "./send-message.ts";

export function addSendMsgCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("send-msg")
    .description("send an end-to-end encrypted message to all devices of an account")
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name of the recipient", accountValue)
    .requiredOption("--msg <text>", "the message")
    .option("--registry <contract>", "contract that resolves the username, by id or name (default: the network's registry)", contractValue)
    .option(
      "--fee <amount>",
      "paid to the relay that proves the delivery, for each device of the recipient (default: nothing)",
      amountValue,
    );
  withExamples(
    withClientOptions(withKeyOptions(command)),
    'send-msg --key alice.json --to @bob --msg "See you at eight"',
    'send-msg --key alice.json --to pl1… --msg "hello" --fee 2000 --json',
  ).action(async (options: SendOptions) => {
    // Ciphers and forms of content: help does without them.
    const { sendMessage } = await import("./send-message.ts");
    await sendMessage(context, options);
  });
}
