// --version: what the node says of its build at /api/well-known-version too.
import { type Command, CommanderError } from "commander";
import { formatVersion, readVersion } from "#node/config/build-info.ts";
import type { CommandContext } from "./session/terminal.ts";

export const VERSION_OPTION = "--version";

/** Adds --version, which prints the build and ends the command. */
export function withVersionOption(command: Command, context: CommandContext): Command {
  return command.option(VERSION_OPTION, "print version and build, then stop").on("option:version", () => {
    context.terminal.out(formatVersion(readVersion()));
    throw new CommanderError(0, "commander.version", "version");
  });
}
