// parley contract: making contracts, and calling them by their names.
import type { Command } from "commander";
import type { CommandContext } from "../../session/terminal.ts";
import { addBuildCommand } from "./contract-build.ts";
import { addCallCommand, addViewCommand } from "./contract-call.ts";
import { addDeployCommand } from "./contract-deploy.ts";
import { addLogsCommand } from "./contract-logs.ts";
import { addNewCommand } from "./contract-new.ts";
import { addReplCommand } from "./contract-repl.ts";
import { addTestCommand } from "./contract-test.ts";
import { addVerifyCommand } from "./contract-verify.ts";

export function addContractCommands(program: Command, context: CommandContext): void {
  const contract = program.command("contract").description("create, build, test, deploy and call contracts");
  addNewCommand(contract, context);
  addBuildCommand(contract, context);
  addTestCommand(contract, context);
  addDeployCommand(contract, context);
  addCallCommand(contract, context);
  addViewCommand(contract, context);
  addLogsCommand(contract, context);
  addReplCommand(contract, context);
  addVerifyCommand(contract, context);
}
