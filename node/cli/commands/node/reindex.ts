// parley node reindex: the explorer's index rebuilt from the blocks.
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface ReindexOptions {
  readonly dataDir?: string;
  readonly execute?: boolean;
  readonly json?: boolean;
}

/**
 * Full blocks one after the other make the engine's space for young objects grow to its limit, and with it what is moved to the space for old
 * ones: 250 MiB of room that the work is no faster with.
 */
const SMALL_YOUNG_SPACE = "--semi-space-growth-factor=1";

/** Time between two changes of the progress line. */
const PROGRESS_MS = 100;

/** Adds the command below `parley node`. */
export function addReindexCommand(node: Command, context: CommandContext, defaultFolder: string): void {
  const command = node
    .command("reindex")
    .description("rebuild the index of transactions, accounts and contracts from the blocks, while the node is stopped")
    .option("--data-dir <dir>", `data folder of the node (default ${defaultFolder})`)
    .option("--execute", "execute every block again, which takes longer and finds damage that reading does not")
    .option("--json", "print the result as JSON");
  withExamples(command, "node reindex --data-dir data").action((_options: ReindexOptions, self: Command) => {
    const options = self.optsWithGlobals<ReindexOptions>();
    return reindexFolder(context, options, resolve(options.dataDir ?? defaultFolder));
  });
}

async function reindexFolder(context: CommandContext, options: ReindexOptions, path: string): Promise<void> {
  const { terminal, clock } = context;
  setFlagsFromString(SMALL_YOUNG_SPACE);
  // Only this command and the node itself need the databases.
  const { reindexFolder: rebuild } = await import("#node/explorer/reindex/reindex-folder.ts");
  let shownAtMs = Number.NEGATIVE_INFINITY;
  try {
    const onProgress = (height: number, tip: number): void => {
      const nowMs = clock.monotonicMs();
      if (nowMs - shownAtMs < PROGRESS_MS) return;
      shownAtMs = nowMs;
      terminal.progress(`Block ${height} of ${tip} (${tip === 0 ? 100 : Math.floor((height / tip) * 100)} %)`);
    };
    const count = rebuild(path, { isExecuted: options.execute === true, onProgress });
    terminal.progress(undefined);
    report(context, options, { status: "done", data_dir: path, ...count }, [
      `Rebuilt the index of ${path}: ${count.transactions} transactions in ${count.blocks} blocks`,
    ]);
  } finally {
    terminal.progress(undefined);
  }
}
