// parley peers: the peers that a node is connected to.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

const COLUMNS: readonly Column<Output<"listPeers">["peers"][number]>[] = [
  { head: "ID", cell: ({ id }) => id },
  { head: "VERSION", cell: ({ version }) => version },
];

export function addPeersCommand(program: Command, context: CommandContext): void {
  const command = program.command("peers").description("print the node's peers and their versions");
  withExamples(withClientOptions(command), "peers", "peers --json").action((options: ClientOptions) => showPeers(context, options));
}

async function showPeers(context: CommandContext, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const list = await client.listPeers({});
  report(context, options, list, list.peers.length === 0 ? ["No peers."] : tableLines(list.peers, COLUMNS));
}
