// parley rollback: a stopped node back to an earlier block.
import { resolve } from "node:path";
import type { Command } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { heightValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface RollbackOptions {
  readonly dataDir?: string;
  readonly to: number;
  readonly json?: boolean;
}

export function addRollbackCommand(program: Command, context: CommandContext): void {
  const folder = defaultDataDir();
  const command = program
    .command("rollback")
    .description("take the newest blocks of a stopped node back, which it then fetches from its peers again")
    .requiredOption(
      "--to <height>",
      "block that is to be the newest one; more than 100 below the present one, blocks are executed again",
      heightValue,
    )
    .option("--data-dir <dir>", `data folder of the node (default ${folder})`)
    .option("--json", "print the result as JSON");
  withExamples(command, "rollback --data-dir data --to 8100").action((options: RollbackOptions) =>
    rollback(context, options, resolve(options.dataDir ?? folder)),
  );
}

async function rollback(context: CommandContext, options: RollbackOptions, path: string): Promise<void> {
  // Only this command and the node itself need the databases.
  const { rollbackFolder } = await import("#node/engine/recovery/rollback-folder.ts");
  const { terminal } = context;
  const onProgress = (height: number, to: number): void =>
    terminal.progress(`Block ${height} of ${to} (${Math.floor((height / to) * 100)} %)`);
  const { from, to } = await rollbackFolder(path, options.to, { onProgress }).finally(() => terminal.progress(undefined));
  const done = from === to ? `The newest block of ${path} is ${to} already` : `Took the blocks ${to + 1} to ${from} of ${path} back`;
  report(context, options, { status: "done", data_dir: path, from_height: from, height: to }, [
    done,
    ...(from === to ? [] : ["A validator does not vote until the heights that it has signed are decided by the others."]),
  ]);
}
