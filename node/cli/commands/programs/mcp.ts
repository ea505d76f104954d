// parley mcp: the tools of a language model over standard input and output, as an MCP server. It has a connection of its own, with the
// scopes of its tools; the person approves in Parley, and no tool can.
import type { Command } from "commander";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface McpCommandOptions {
  readonly name: string;
  readonly tokenFile?: string;
  readonly endpoint?: string;
  readonly readMessages?: boolean;
  readonly draftMessages?: boolean;
  readonly sendMessages?: boolean;
  readonly pay?: string;
  readonly json?: boolean;
}

export function addMcpCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("mcp")
    .description("serve the wallet to a language model as an MCP server on standard input and output")
    .option("--name <name>", "name under which it asks to connect", "Assistant")
    .option("--read-messages", "tool read_messages: the messages of conversations that you choose")
    .option("--draft-messages", "tool draft_message: a text for you to send")
    .option("--send-messages", "tool send_message: sends to contacts that you choose")
    .option("--pay <limits>", "tool pay, which always asks you: each=2T,total=10T/day,to=@bob")
    .option("--token-file <file>", "file for the token (default: by its name in the folder of your settings)")
    .option("--endpoint <file>", "endpoint.json of your Parley, where it is not in its usual place")
    .option("--json", "changes nothing: everything that it prints is JSON");
  withExamples(command, "mcp", "mcp --read-messages --draft-messages", "mcp --pay each=2T,total=10T/day,to=any").action(
    async (options: McpCommandOptions) => {
      const { serveMcp } = await import("./mcp/serve-mcp.ts");
      const { name, readMessages, draftMessages, sendMessages, pay, tokenFile, endpoint } = options;
      await serveMcp({
        ...{ name, readsMessages: readMessages === true, draftsMessages: draftMessages === true, sendsMessages: sendMessages === true },
        payLimits: pay,
        place: { ...(tokenFile === undefined ? {} : { tokenFile }), ...(endpoint === undefined ? {} : { endpoint }) },
        log: (line) => context.terminal.err(line),
      });
    },
  );
}
