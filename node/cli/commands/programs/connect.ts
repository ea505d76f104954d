// parley connect: asks the Parley of this user for a connection, and keeps its token in a file for a program that has no client of its own.
import type { Command } from "commander";
import { withExamples } from "../../session/examples.ts";
import { collect } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";
import type { ConnectCommandOptions } from "./connect-program.ts";

export function addConnectCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("connect")
    .description("ask your Parley to let a program in: prints six digits to type there, waits, and keeps the token in a file")
    .requiredOption("--name <name>", "name that the person sees, at most 32 characters")
    .requiredOption("--scope <scope>", "what it may do, as pay:each=2T,total=10T/day,to=@bob; may be repeated", collect, [])
    .option("--reason <text>", "why, at most 200 characters")
    .option("--token-file <file>", "file for the token (default: by its name in the folder of your settings)")
    .option("--endpoint <file>", "endpoint.json of your Parley, where it is not in its usual place")
    .option("--json", "print the result as JSON");
  withExamples(
    command,
    "connect --name Till --scope invoices --scope wallet",
    "connect --name Till --scope pay:each=2T,total=10T/day,to=@bob --token-file till.token",
  ).action(async (options: ConnectCommandOptions) => {
    const { connectProgram } = await import("./connect-program.ts");
    await connectProgram(context, options);
  });
}
