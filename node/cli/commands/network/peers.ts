// parley peers: the peers that a node is connected to.
import type { Command } from "commander";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addPeersCommand(program: Command, context: CommandContext): void {
  const command = program.command("peers").description("print the node's peers and their versions");
  withExamples(withClientOptions(command), "peers", "peers --json").action((options: ClientOptions) => showPeers(context, options));
}

async function showPeers(context: CommandContext, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const list = await client.listPeers({});
  const lines = list.peers.map(({ id, version }) => `${onOneLine(id)}  ${onOneLine(version)}`);
  report(context, options, list, lines.length === 0 ? ["No peers."] : lines);
}
