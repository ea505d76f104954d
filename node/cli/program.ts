// The command line `parley`: one file a command, one place that turns their outcome into an exit code.
import { Command, CommanderError } from "commander";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { addAcceptContactCommand } from "./accept-contact.ts";
import { addAddressCommand } from "./address.ts";
import { addBalanceCommand } from "./balance.ts";
import { addBlockContactCommand } from "./block-contact.ts";
import { EXIT_CODES, exitCodeOf } from "./exit-codes.ts";
import { explainError } from "./explain-error.ts";
import { addFaucetCommand } from "./faucet.ts";
import { addInboxCommand } from "./inbox.ts";
import { addKeygenCommand } from "./keygen.ts";
import { addLinkDeviceCommand } from "./link-device.ts";
import { addNodeCommand, type RunNode } from "./node.ts";
import { addRegisterKeyCommand } from "./register-key.ts";
import { addRequestContactCommand } from "./request-contact.ts";
import { addSendMsgCommand } from "./send-msg.ts";
import type { CommandContext } from "./terminal.ts";
import { addTransferCommand } from "./transfer.ts";
import { addTxCommand } from "./tx.ts";
import { addUnlinkDeviceCommand } from "./unlink-device.ts";
import { withVersionOption } from "./version-option.ts";

const CLIENT_COMMANDS = [
  addKeygenCommand,
  addAddressCommand,
  addBalanceCommand,
  addTransferCommand,
  addTxCommand,
  addFaucetCommand,
  addRegisterKeyCommand,
  addLinkDeviceCommand,
  addUnlinkDeviceCommand,
  addSendMsgCommand,
  addInboxCommand,
  addRequestContactCommand,
  addAcceptContactCommand,
  addBlockContactCommand,
] as const;

/** Runs one command and gives the exit code. `runNode` starts a node and resolves with its exit code when it has ended. */
export async function runCommandLine(args: readonly string[], context: CommandContext, runNode: RunNode): Promise<number> {
  const outcome = { exitCode: EXIT_CODES.ok as number };
  const program = withVersionOption(new Command("parley"), context)
    .description("wallet, messenger and node of the Parley network")
    .exitOverride()
    .showHelpAfterError('See "parley --help".')
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.trimEnd()),
      writeErr: (text) => context.terminal.err(text.trimEnd()),
    });
  addNodeCommand(program, context, async (config) => {
    outcome.exitCode = await runNode(config);
  });
  for (const addCommand of CLIENT_COMMANDS) addCommand(program, context);
  try {
    await program.parseAsync([...args], { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    return failed(error, args.includes("--json"), context);
  }
}

function failed(error: unknown, isJson: boolean, context: CommandContext): number {
  // commander has said what is wrong already; its code 0 is for --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  const message = explainError(error);
  const code = isCodedError(error) ? error.code : "INTERNAL";
  context.terminal.err(isJson ? JSON.stringify({ error: message, code }) : message);
  return exitCodeOf(error);
}
