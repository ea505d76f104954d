// The command line `parley`: one file a command, one place that turns their outcome into an exit code.
import { Command, CommanderError } from "commander";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { addAcceptContactCommand } from "./accept-contact.ts";
import { addAddressCommand } from "./address.ts";
import { addBalanceCommand } from "./balance.ts";
import { addBindWalletCommand } from "./bind-wallet.ts";
import { addBlockContactCommand } from "./block-contact.ts";
import { addCallContractCommand } from "./call-contract.ts";
import { addChannelCommands } from "./channel.ts";
import { addCompletionCommand } from "./completion.ts";
import { addContractCommands } from "./contract.ts";
import { addDeployContractCommand } from "./deploy-contract.ts";
import { addDevnetCommand } from "./devnet.ts";
import { EXIT_CODES, exitCodeOf } from "./exit-codes.ts";
import { explainError } from "./explain-error.ts";
import { addFaucetCommand } from "./faucet.ts";
import { addHeartbeatCommand } from "./heartbeat.ts";
import { addInboxCommand } from "./inbox.ts";
import { addKeygenCommand } from "./keygen.ts";
import { addLinkDeviceCommand } from "./link-device.ts";
import { addNetworkCommands } from "./network.ts";
import { addNftCommands } from "./nft.ts";
import { addNodeCommand, type RunNode } from "./node.ts";
import { addPeersCommand } from "./peers.ts";
import { onOneLine } from "./printable-line.ts";
import { addRegisterKeyCommand } from "./register-key.ts";
import { addRelayCommands } from "./relay.ts";
import { addRequestContactCommand } from "./request-contact.ts";
import { addSendMsgCommand } from "./send-msg.ts";
import type { CommandContext } from "./terminal.ts";
import { addTokenCommands } from "./token.ts";
import { addTransferCommand } from "./transfer.ts";
import { addTxCommand } from "./tx.ts";
import { addUnlinkDeviceCommand } from "./unlink-device.ts";
import { addRegisterUsernameCommand, addReleaseUsernameCommand, addTransferUsernameCommand } from "./username.ts";
import { addValidatorCommands } from "./validator.ts";
import { withVersionOption } from "./version-option.ts";
import { addEstimateContractCommand, addViewContractCommand } from "./view-contract.ts";

/** Client commands in the order in which help lists them. */
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
  addRegisterUsernameCommand,
  addReleaseUsernameCommand,
  addTransferUsernameCommand,
  addCallContractCommand,
  addDeployContractCommand,
  addViewContractCommand,
  addEstimateContractCommand,
  addContractCommands,
  addTokenCommands,
  addNftCommands,
  addChannelCommands,
  addValidatorCommands,
  addRelayCommands,
  addBindWalletCommand,
  addHeartbeatCommand,
  addPeersCommand,
  addNetworkCommands,
  addDevnetCommand,
  addCompletionCommand,
] as const;

/** Runs one command and gives the exit code. `runNode` starts a node and resolves with its exit code when it has ended. */
export async function runCommandLine(args: readonly string[], context: CommandContext, runNode: RunNode): Promise<number> {
  const isJson = args.includes("--json");
  const outcome = { exitCode: EXIT_CODES.ok as number };
  const program = createProgram(context, isJson, async (config) => {
    outcome.exitCode = await runNode(config);
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    return failed(error, isJson, context);
  }
}

/** The tree of all commands. */
export function createProgram(context: CommandContext, isJson: boolean, runNode: Parameters<typeof addNodeCommand>[2]): Command {
  const program = withVersionOption(new Command("parley"), context)
    .description("wallet, messenger and node of the Parley network")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.trimEnd()),
      writeErr: (text) => context.terminal.err(text.trimEnd()),
      outputError: (text, write) => write(isJson ? usageJson(text) : text),
    });
  if (!isJson) program.showHelpAfterError('See "parley --help".');
  addNodeCommand(program, context, runNode);
  for (const addCommand of CLIENT_COMMANDS) addCommand(program, context);
  return program;
}

function usageJson(text: string): string {
  return JSON.stringify({ error: text.trim().replace(/^error: /, ""), code: "CONFIG_INVALID" });
}

function failed(error: unknown, isJson: boolean, context: CommandContext): number {
  // commander has said what is wrong already; its code 0 is for --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  // Words of the node and of contracts are in it.
  const message = onOneLine(explainError(error));
  const code = isCodedError(error) ? error.code : "INTERNAL";
  context.terminal.err(isJson ? JSON.stringify({ error: message, code }) : message);
  return exitCodeOf(error);
}
