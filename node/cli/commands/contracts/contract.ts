// parley contract: making contracts.
import type { Command } from "commander";
import type { CommandContext } from "../../session/terminal.ts";
import { addBuildCommand } from "./contract-build.ts";
import { addNewCommand } from "./contract-new.ts";
import { addTestCommand } from "./contract-test.ts";

export function addContractCommands(program: Command, context: CommandContext): void {
  const contract = program.command("contract").description("create, build and test contracts");
  addNewCommand(contract, context);
  addBuildCommand(contract, context);
  addTestCommand(contract, context);
}
