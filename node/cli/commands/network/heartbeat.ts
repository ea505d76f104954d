// parley heartbeat: a node says that it is there.
import type { Command } from "commander";
import { withExamples } from "../../session/examples.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addHeartbeatCommand(program: Command, context: CommandContext): void {
  const command = program.command("heartbeat").description("send a heartbeat of a node; it counts towards reputation once in ten minutes");
  withExamples(withSubmitOptions(command), "heartbeat --key data/keys/node-key.json --wait").action((options: SubmitOptions) =>
    submitAndReport(context, options, () => ({ what: "Heartbeat", draft: { type: "HEARTBEAT", payload: {} } })),
  );
}
