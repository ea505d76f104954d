// The command line `parley`: one file a command, one function that turns their outcome into an exit code.
import { Command, CommanderError } from "commander";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { addAddressCommand } from "./commands/account/address.ts";
import { addBalanceCommand } from "./commands/account/balance.ts";
import { addBindWalletCommand } from "./commands/account/bind-wallet.ts";
import { addChannelCommands } from "./commands/account/channel.ts";
import { addFaucetCommand } from "./commands/account/faucet.ts";
import { addKeygenCommand } from "./commands/account/keygen.ts";
import { addLinkDeviceCommand } from "./commands/account/link-device.ts";
import { addRegisterKeyCommand } from "./commands/account/register-key.ts";
import { addTransferCommand } from "./commands/account/transfer.ts";
import { addTxCommand } from "./commands/account/tx.ts";
import { addUnlinkDeviceCommand } from "./commands/account/unlink-device.ts";
import { addRegisterUsernameCommand, addReleaseUsernameCommand, addTransferUsernameCommand } from "./commands/account/username.ts";
import { addCallContractCommand } from "./commands/contracts/call-contract.ts";
import { addContractCommands } from "./commands/contracts/contract.ts";
import { addDeployContractCommand } from "./commands/contracts/deploy-contract.ts";
import { addNftCommands } from "./commands/contracts/native/nft.ts";
import { addTokenCommands } from "./commands/contracts/native/token.ts";
import { addEstimateContractCommand, addViewContractCommand } from "./commands/contracts/view-contract.ts";
import { addAcceptContactCommand } from "./commands/messages/accept-contact.ts";
import { addBlockContactCommand } from "./commands/messages/block-contact.ts";
import { addInboxCommand } from "./commands/messages/inbox.ts";
import { addRequestContactCommand } from "./commands/messages/request-contact.ts";
import { addSendMsgCommand } from "./commands/messages/send-msg.ts";
import { addHeartbeatCommand } from "./commands/network/heartbeat.ts";
import { addNetworkCommands } from "./commands/network/network.ts";
import { addPeersCommand } from "./commands/network/peers.ts";
import { addRelayCommands } from "./commands/network/relay.ts";
import { addValidatorCommands } from "./commands/network/validator.ts";
import { addDevnetCommand } from "./commands/node/devnet.ts";
import { addExportGenesisCommand } from "./commands/node/export-genesis.ts";
import { addNodeCommand, type RunNode } from "./commands/node/node.ts";
import { addRollbackCommand } from "./commands/node/rollback.ts";
import { addCompletionCommand } from "./completion.ts";
import { EXIT_CODES, exitCodeOf } from "./session/exit-codes.ts";
import { explainError } from "./session/explain-error.ts";
import { onOneLine } from "./session/printable-line.ts";
import type { CommandContext } from "./session/terminal.ts";
import { withVersionOption } from "./version-option.ts";

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
  addExportGenesisCommand,
  addRollbackCommand,
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
