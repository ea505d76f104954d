// parley backup: a copy of a data folder, also while its node runs.
import { resolve } from "node:path";
import type { Command } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface BackupCommandOptions {
  readonly dataDir?: string;
  readonly withoutKeys?: boolean;
  readonly json?: boolean;
}

export function addBackupCommand(program: Command, context: CommandContext): void {
  const folder = defaultDataDir();
  const command = program
    .command("backup")
    .description("copy the data folder of a node, which may run, into a new folder that a node can start from")
    .argument("<dir>", "new or empty folder")
    .option("--without-keys", "leave the node's keys out")
    .option("--data-dir <dir>", `data folder of the node (default ${folder})`)
    .option("--json", "print the result as JSON");
  withExamples(command, "backup /mnt/disk/parley-2026-11", "backup copy --data-dir data --without-keys").action(
    (out: string, options: BackupCommandOptions) =>
      backup(context, options, { path: resolve(options.dataDir ?? folder), out: resolve(out) }),
  );
}

async function backup(
  context: CommandContext,
  options: BackupCommandOptions,
  { path, out }: { readonly path: string; readonly out: string },
): Promise<void> {
  // Only this command and the node itself need the databases.
  const { backupFolder } = await import("#node/engine/recovery/backup-folder.ts");
  const hasKeys = options.withoutKeys !== true;
  const { height } = backupFolder(path, out, { hasKeys });
  report(context, options, { status: "done", data_dir: path, out, height, keys: hasKeys }, [
    height === null ? `Copied ${path} to ${out}` : `Copied ${path} to ${out}, up to block ${height}`,
    hasKeys ? "It holds the node's secret keys: keep it as safe as the folder itself." : "A node that starts from it makes new keys.",
    "What the key has signed is not in it: a validator that starts from it votes again once the others have decided new blocks, and the only one of a chain never does.",
  ]);
}
