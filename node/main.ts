// Entry of the program `parley`: the command line of this process.
import { setTimeout as delay } from "node:timers/promises";
import { runCommandLine } from "./cli/program.ts";
import { EXIT_CODES } from "./cli/session/exit-codes.ts";
import { explainError } from "./cli/session/explain-error.ts";
import { AddressBook } from "./cli/session/names/address-book.ts";
import { createProcessTerminal } from "./cli/session/process-terminal.ts";
import type { CommandContext } from "./cli/session/terminal.ts";
import { type Environment, readEnvironment } from "./config/environment.ts";
import { addressBookFile } from "./config/files/default-data-dir.ts";
import { runningNodes } from "./config/files/running-nodes.ts";
import { systemClock, systemRandom } from "./config/system-clock.ts";

async function main(): Promise<number> {
  const terminal = createProcessTerminal();
  let environment: Environment;
  try {
    environment = readEnvironment();
  } catch (error) {
    terminal.err(explainError(error));
    return EXIT_CODES.usage;
  }
  const context: CommandContext = {
    terminal,
    environment,
    fetch: async (url, request) => await (await import("./cli/plain-fetch.ts")).plainFetch(url, request),
    ownNodes: runningNodes,
    addressBook: new AddressBook(addressBookFile()),
    clock: systemClock,
    random: systemRandom,
    pause: (delayMs) => delay(delayMs),
    runAgent: async (request) => {
      const { runAgentProgram } = await import("./cli/commands/agent/agent-program.ts");
      return await runAgentProgram(request);
    },
  };
  return await runCommandLine(process.argv.slice(2), context, async (config) => {
    // Client commands start sooner without the node's database, server and consensus.
    const { runNode } = await import("./composition/run-node.ts");
    return await runNode(config, { stopsWithParent: environment.isLaunched });
  });
}

const output = { isLost: false };
// A reader that went away (`parley inbox | head -1`) is no failure; a full disk behind `>` is one.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || output.isLost) return;
    output.isLost = true;
    process.exitCode = EXIT_CODES.failure;
    if (stream === process.stdout) process.stderr.write(`The output cannot be written: ${error.message}.\n`);
  });
const exitCode = await main();
process.exitCode = output.isLost ? EXIT_CODES.failure : exitCode;
// A process of the desktop shell lives as long as its port to the shell, which nothing closes.
// biome-ignore lint/nursery/noProcessExit: everything is closed by now
if ("parentPort" in process && process.parentPort !== null) process.exit();
