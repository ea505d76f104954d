// parley devnet: a development network of several nodes on this machine, until it is stopped.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { createNetwork, type NetworkOptions, networkJson, networkLines, withNetworkOptions } from "../network/network.ts";

interface DevnetOptions extends NetworkOptions {
  readonly dir?: string;
}

export function addDevnetCommand(program: Command, context: CommandContext): void {
  const command = withNetworkOptions(program.command("devnet").description("run a development network of several nodes until Ctrl-C"))
    .option("--dir <dir>", "new folder for the network (default: a temporary one, removed at the end)")
    .option("--json", "print the addresses as JSON");
  withExamples(command, "devnet --validators 4 --nodes 2", "devnet --validators 1 --dir net --base-port 9000").action(
    (options: DevnetOptions) => runNetwork(context, options),
  );
}

async function runNetwork(context: CommandContext, options: DevnetOptions): Promise<void> {
  // Only this command starts processes.
  const { runDevnet } = await import("./run-devnet.ts");
  const path = options.dir === undefined ? mkdtempSync(join(tmpdir(), "parley-devnet-")) : resolve(options.dir);
  try {
    const network = await createNetwork(context, options, path);
    await runDevnet({
      nodes: network.nodes,
      onReady: () => report(context, options, networkJson(network), [...networkLines(network), "Stop with Ctrl-C."]),
      say: (line) => context.terminal.err(line),
    });
  } finally {
    if (options.dir === undefined && existsSync(path)) rmSync(path, { recursive: true });
  }
}
