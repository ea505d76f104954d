// parley contract: making contracts, and calling them by their names.
import type { Command } from "commander";
import type { CommandContext } from "../../session/terminal.ts";
import { addCommands, type CommandTable } from "../command-table.ts";

const COMMANDS: CommandTable = {
  new: async () => (await import("./contract-new.ts")).addNewCommand,
  build: async () => (await import("./contract-build.ts")).addBuildCommand,
  test: async () => (await import("./contract-test.ts")).addTestCommand,
  deploy: async () => (await import("./contract-deploy.ts")).addDeployCommand,
  call: async () => (await import("./contract-call.ts")).addCallCommand,
  view: async () => (await import("./contract-call.ts")).addViewCommand,
  list: async () => (await import("./reading/contract-list.ts")).addListCommand,
  state: async () => (await import("./reading/contract-state.ts")).addStateCommand,
  logs: async () => (await import("./reading/contract-logs.ts")).addLogsCommand,
  repl: async () => (await import("./contract-repl.ts")).addReplCommand,
  verify: async () => (await import("./contract-verify.ts")).addVerifyCommand,
};

export async function addContractCommands(program: Command, context: CommandContext, words: readonly string[]): Promise<void> {
  const contract = program.command("contract").description("create, build, test, deploy, call and read contracts");
  await addCommands(COMMANDS, contract, context, words);
}
