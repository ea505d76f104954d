// parley check: is the data folder of a stopped node whole?
import { resolve } from "node:path";
import type { Command } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import type { CheckOptions, CheckReport } from "#node/engine/recovery/check/check-folder.ts";
import type { Finding } from "#node/engine/recovery/check/findings.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface CheckCommandOptions {
  readonly dataDir?: string;
  readonly full?: boolean;
  readonly json?: boolean;
}

/** Time between two changes of the progress line. */
const PROGRESS_MS = 100;

const STEPS = {
  pages: "Reading pages",
  snapshots: "Record of a snapshot",
  blocks: "Block",
  state: "Record of the state",
  execution: "Executing block",
  index: "Index of block",
} as const;

export function addCheckCommand(program: Command, context: CommandContext): void {
  const folder = defaultDataDir();
  const command = program
    .command("check")
    .description("look for damage in the data folder of a stopped node; nothing in it is changed")
    .option("--full", "also read every block and record, and execute all blocks again")
    .option("--data-dir <dir>", `data folder of the node (default ${folder})`)
    .option("--json", "print the result as JSON");
  withExamples(command, "check --data-dir data", "check --full").action((options: CheckCommandOptions) =>
    check(context, options, resolve(options.dataDir ?? folder)),
  );
}

async function check(context: CommandContext, options: CheckCommandOptions, path: string): Promise<void> {
  const { terminal } = context;
  // Only this command and the node itself need the databases.
  const { checkFolder } = await import("#node/engine/recovery/check/check-folder.ts");
  const isFull = options.full === true;
  let result: CheckReport;
  try {
    result = checkFolder(path, { isFull, onProgress: progressLine(context) });
  } finally {
    terminal.progress(undefined);
  }
  const { height, transactions, others, findings, count } = result;
  const json = { status: count === 0 ? "sound" : "damaged", data_dir: path, full: isFull, height, transactions, others, count, findings };
  const read = height === null ? "no chain" : `blocks 0 to ${height} with ${transactions} transactions`;
  const unknown = others.map(
    (file) => `${file}: the chain does not know it; a node takes up blocks of it that follow its newest one, and removes no other file`,
  );
  report(context, options, json, [...(count === 0 ? [`No damage found in ${path}: ${read}`] : findings.map(describe)), ...unknown]);
  if (count === 0) return;
  const more = count > findings.length ? `, the first ${findings.length} of which are listed` : "";
  throw new CodedError("STORAGE_CORRUPT", `${path} has ${count} ${count === 1 ? "defect" : "defects"}${more}. ${remedyOf(findings)}`);
}

function describe({ file, place, problem }: Finding): string {
  return place === "" ? `${file}: ${problem}` : `${file}, ${place}: ${problem}`;
}

/** The index can be made again from the blocks, a snapshot from the state; anything else comes from other nodes. */
function remedyOf(findings: readonly Finding[]): string {
  if (findings.every(({ file }) => file.startsWith("snapshots/"))) return "Remove the snapshot: the node makes others";
  const isIndexAlone = findings.every(
    ({ place }) => place.startsWith("table ") && !/ (state|tree_pages|undo|blocks|block_bodies)$/.test(place),
  );
  return isIndexAlone
    ? "The blocks are sound: rebuild the index with parley node reindex"
    : "Keep the folder, and start the node in a new one with this one's keys/ and consensus/: it fetches the chain from its peers";
}

function progressLine({ terminal, clock }: CommandContext): CheckOptions["onProgress"] {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return (what, done, total) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - shownAtMs < PROGRESS_MS) return;
    shownAtMs = nowMs;
    terminal.progress(total === undefined ? STEPS[what] : `${STEPS[what]} ${done} of ${total}`);
  };
}
