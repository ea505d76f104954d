// parley contract new: a folder with source, ABI and tests to start from.
import { join } from "node:path";
import type { Command } from "commander";
import { LANGUAGE_SOURCES } from "#node/contracts/contract-project.ts";
import { createContract, exampleNames } from "#node/contracts/new-contract.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface NewOptions {
  readonly lang?: string;
  readonly example?: string;
  readonly json?: boolean;
}

export function addNewCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("new")
    .description("create a contract with ABI, tests and README in a new folder, from an example or in another language")
    .argument("<folder>", "folder to create")
    .option("--lang <language>", `${Object.keys(LANGUAGE_SOURCES).join(", ")} (default: as, AssemblyScript)`)
    .option("--example <name>", `example in AssemblyScript to start from: ${exampleNames().join(", ")} (default: counter)`)
    .option("--json", "print JSON");
  withExamples(command, "contract new my-counter", "contract new my-token --example token", "contract new my-vault --lang c").action(
    (folder: string, options: NewOptions) => {
      const { lang, example } = options;
      const files = createContract(folder, {
        ...(lang === undefined ? {} : { language: lang }),
        ...(example === undefined ? {} : { example }),
      });
      const lines = files.map((file) => join(folder, file));
      report(context, options, { folder, files }, [...lines, `Next: parley contract test ${folder}`]);
    },
  );
}
