// Makes runs once more whose files are damaged, out of the segments that they cover: nothing is executed. The file is whole and durable before
// it has the name, and the table names it only then; a crash in between leaves another damaged file, which is made again.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { AccountRun } from "../runs/account-run.ts";
import { RunFile } from "../runs/run-format.ts";
import { type IndexSource, rebuildRun } from "./index-segments.ts";
import { RUN_KINDS, type RunList, type StoredRun, storedRunName } from "./sealed-runs.ts";

/** The first entry that runs above a range have of an account; undefined when they have none. */
export type NumberAbove = (name: Uint8Array) => number | undefined;

export interface RebuildWork {
  readonly list: RunList;
  /** Names of the files. */
  readonly damaged: readonly string[];
  /** Ids and entries out of segments; entries count down from what stands above. */
  readonly source: (numberAbove: NumberAbove) => IndexSource;
}

/** Makes the damaged runs once more, the newest first, and others that are found so. Each step is whole by itself. @throws CodedError of the storage */
export function rebuildRuns(files: FileLayer, { list, damaged, source }: RebuildWork): void {
  for (const run of [...list.runs("ids"), ...list.runs("acc")].toReversed())
    if (damaged.includes(storedRunName(run)) || !isWhole(files, run)) rebuild(files, list, run, source);
}

/** Where one is damaged, others may be: those above say which numbers entries have. */
function isWhole(files: FileLayer, run: StoredRun): boolean {
  let file: RunFile | undefined;
  try {
    file = new RunFile(files, RUN_KINDS[run.kind], run);
    file.verify();
    return true;
  } catch (error) {
    if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
    return false;
  } finally {
    file?.close();
  }
}

function rebuild(files: FileLayer, list: RunList, run: StoredRun, source: RebuildWork["source"]): void {
  const above = run.kind === "acc" ? list.runs("acc").filter(({ first }) => first > run.last) : [];
  const open: AccountRun[] = [];
  try {
    for (const each of above) open.push(new AccountRun(files, each));
    rebuildRun(files, list, {
      run,
      source: source((name) => {
        for (const each of open) {
          const number = each.oldest(name);
          if (number !== undefined) return number;
        }
        return undefined;
      }),
    });
  } finally {
    for (const { file } of open) file.close();
  }
}
