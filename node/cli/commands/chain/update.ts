// parley update: whether there is a newer release than the node's.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { fieldLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addUpdateCommand(program: Command, context: CommandContext): void {
  const command = program.command("update").description("ask the node whether there is a newer release; nothing is installed");
  withExamples(withClientOptions(command), "update", "update --json").action(async (options: ClientOptions) => {
    const client = await connect(context, options);
    const check = await client.checkForUpdate({});
    report(context, options, check, linesOf(check));
  });
}

function linesOf({ current, latest, update_available: isAvailable, source, checked_at: at }: Output<"checkForUpdate">): readonly string[] {
  const headline = isAvailable ? "There is a newer release." : "The node is up to date.";
  return [
    latest === undefined ? "The source of releases names none." : headline,
    ...fieldLines([
      ["running", `${current.tag} (${current.commit})`],
      ...(latest === undefined
        ? []
        : ([
            ["latest", `${latest.tag} ${latest.published_at}`],
            ["page", latest.url],
          ] as const)),
      ...(source === undefined ? [] : ([["source", source]] as const)),
      ["asked", at],
    ]),
  ];
}
