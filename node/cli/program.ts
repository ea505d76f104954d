// The command line `parley`: one file a command, one function that turns their outcome into an exit code.
import { type Command, CommanderError, Help } from "commander";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { CLIENT_COMMANDS } from "./client-commands.ts";
import type { AgentRequest } from "./commands/agent/agent-request.ts";
import { addCommands, type CommandTable } from "./commands/command-table.ts";
import type { RunNode } from "./commands/node/node.ts";
import { EXIT_CODES, exitCodeOf } from "./session/exit-codes.ts";
import { explainError } from "./session/explain-error.ts";
import { onOneLine } from "./session/printing/printable-line.ts";
import type { CommandContext } from "./session/terminal.ts";
import { ParleyCommand, pointToHelp } from "./session/usage-errors.ts";
import { VERSION_OPTION, withVersionOption } from "./version-option.ts";

/** What a tree of commands is made for. */
export interface ProgramSetup {
  /** The command line; the whole tree is made without one. */
  readonly words?: readonly string[];
  /** True when errors of usage are said as JSON. */
  readonly isJson?: boolean;
  readonly runNode: (...args: Parameters<RunNode>) => Promise<void>;
  readonly runAgent?: (request: AgentRequest) => Promise<void>;
}

/** Runs one command and gives the exit code. `runNode` starts a node and resolves with its exit code when it has ended. */
export async function runCommandLine(args: readonly string[], context: CommandContext, runNode: RunNode): Promise<number> {
  const isJson = args.includes("--json");
  const outcome = { exitCode: EXIT_CODES.ok as number };
  const run = async (config: Parameters<RunNode>[0]): Promise<void> => {
    outcome.exitCode = await runNode(config);
  };
  try {
    const words = withJsonBehind(withoutHelpCommand(args));
    const runAgent = async (request: AgentRequest): Promise<void> => {
      if (context.runAgent === undefined) throw noAgent();
      outcome.exitCode = await context.runAgent(request);
    };
    const program = await createProgram(context, { words, isJson, runNode: run, runAgent });
    await program.parseAsync([...words], { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    return failed(error, isJson, context);
  }
}

/** The tree of commands as far as the words need it. */
export async function createProgram(
  context: CommandContext,
  { words, isJson = false, runNode, runAgent = (): Promise<void> => Promise.reject(noAgent()) }: ProgramSetup,
): Promise<Command> {
  const program = withVersionOption(new ParleyCommand("parley"), context)
    .description("wallet, messenger and node of the Parley network")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.trimEnd()),
      writeErr: (text) => context.terminal.err(text.trimEnd()),
      outputError: (text, write) => write(isJson ? usageJson(text) : text),
    });
  if (words?.length === 1 && words[0] === VERSION_OPTION) return program;
  const table = commandTable(runNode, runAgent);
  if (words === undefined || words.some((word) => Object.hasOwn(table, word))) await addCommands(table, program, context, words ?? []);
  else await addOutline(program);
  if (!isJson) pointToHelp(program);
  return program;
}

/** Names and descriptions of the commands: help lists them, a refusal suggests one, and none of them runs. */
async function addOutline(program: Command): Promise<void> {
  const { savedCommands } = await import("./outline/command-outline.ts");
  const commands = await savedCommands();
  const terms = new Map(commands.map(({ name, term }) => [name, term]));
  for (const { name, description } of commands) program.command(name).description(description);
  program.configureHelp({ subcommandTerm: (command) => terms.get(command.name()) ?? new Help().subcommandTerm(command) });
}

function commandTable(runNode: ProgramSetup["runNode"], runAgent: NonNullable<ProgramSetup["runAgent"]>): CommandTable {
  return {
    node: async () => {
      const { addNodeCommand } = await import("./commands/node/node.ts");
      return (parent, context) => addNodeCommand(parent, context, runNode);
    },
    agent: async () => {
      const { addAgentCommands } = await import("./commands/agent/agent.ts");
      return (parent, context) => addAgentCommands(parent, context, runAgent);
    },
    ...CLIENT_COMMANDS,
    completion: async () => (await import("./completion.ts")).addCompletionCommand,
  };
}

/** `help contract call` as `contract call --help`: commander's own command for help knows one level. */
function withoutHelpCommand(args: readonly string[]): readonly string[] {
  const [first, ...path] = args;
  return first === "help" && path.length > 0 && !path[0]?.startsWith("-") ? [...path, "--help"] : args;
}

/** `--json status` as `status --json`: an option of every command that people write in front of it. */
function withJsonBehind(args: readonly string[]): readonly string[] {
  const [first, ...others] = args;
  return first === "--json" && others.length > 0 ? [...others, first] : args;
}

function noAgent(): CodedError {
  return new CodedError("CONFIG_INVALID", "This program cannot run an agent: use the one of the checkout");
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
