// Makes the runs of a segment once it is named, and merges eight neighbours into one. Each file is written, durable and read once more before
// the table names it, and rows of the index go only then: a crash at any step leaves files that no table names, and the next start removes
// them.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { AccountRun, AccountRunBuilder, mergeAccountRuns } from "../runs/account-run.ts";
import { IdRun, IdRunBuilder, mergeIdRuns } from "../runs/id-run.ts";
import { RunFile, type RunRange, runName, type WrittenRun } from "../runs/run-format.ts";
import type { NamedSegment } from "../segments/segment-file.ts";
import { RUN_KIND_NAMES, RUN_KINDS, type RunKindName, type RunList, type StoredRun } from "./sealed-runs.ts";

/** Neighbours of a level that become one of the next. */
export const MERGED_RUNS = 8;

/** What the tables know of blocks that are in a segment. */
export interface IndexSource {
  /** Keys of ids with their places. */
  ids(first: Height, last: Height): Iterable<{ readonly key: number; readonly seq: number }>;
  /** Entries of accounts. */
  entries(first: Height, last: Height): Iterable<{ readonly name: Uint8Array; readonly number: number; readonly seq: number }>;
}

const TEMPORARY = ".tmp";

/** Makes what the segments lack of runs. Each step is whole by itself; `isStopped` ends it between two. @throws CodedError of the storage */
export function indexSegments(
  files: FileLayer,
  { source, segments, list, mergedRuns = MERGED_RUNS, maxRunBlocks = Number.POSITIVE_INFINITY }: IndexWork,
): void {
  for (const kind of RUN_KIND_NAMES) {
    const covered = list.runs(kind).at(-1)?.last ?? -1;
    for (const segment of segments.filter(({ first }) => first > covered)) {
      name(files, list, { kind, level: 0, range: segment, write: (file) => build(files, file, { kind, range: segment, source }) }, []);
      while (
        mergeNeighbours(files, list, { kind, neighbours: list.runs(kind).slice(-mergedRuns), count: mergedRuns, maxBlocks: maxRunBlocks })
      );
    }
  }
}

/** Merges runs that were made below all others, the oldest first. Each step is whole by itself. @throws CodedError of the storage */
export function mergeOldest(
  files: FileLayer,
  { list, mergedRuns = MERGED_RUNS, maxRunBlocks = Number.POSITIVE_INFINITY }: Omit<IndexWork, "source" | "segments">,
): void {
  for (const kind of RUN_KIND_NAMES)
    while (
      mergeNeighbours(files, list, { kind, neighbours: list.runs(kind).slice(0, mergedRuns), count: mergedRuns, maxBlocks: maxRunBlocks })
    );
}

/** What is to be found, where, and who says which files there are. */
export interface IndexWork {
  readonly source: IndexSource;
  /** In the order of their heights. */
  readonly segments: readonly NamedSegment[];
  readonly list: RunList;
  readonly mergedRuns?: number;
  /** Blocks of a merged run at most: a node that drops old blocks drops a run when all of them are old. */
  readonly maxRunBlocks?: number | undefined;
}

/** Makes a run once more in its own place. @throws CodedError of the storage */
export function rebuildRun(
  files: FileLayer,
  list: RunList,
  { run, source }: { readonly run: StoredRun; readonly source: IndexSource },
): void {
  const { kind, level } = run;
  name(files, list, { kind, level, range: run, write: (file) => build(files, file, { kind, range: run, source }) }, [run]);
}

/** A run that is to be made. */
interface NewRun {
  readonly kind: RunKindName;
  readonly level: number;
  readonly range: RunRange;
  readonly write: (file: string) => WrittenRun;
}

/** What a run is built from. */
interface BuiltRun {
  readonly kind: RunKindName;
  readonly range: RunRange;
  readonly source: IndexSource;
}

function build(files: FileLayer, file: string, { kind, range, source }: BuiltRun): WrittenRun {
  if (kind === "ids") {
    const builder = new IdRunBuilder();
    for (const { key, seq } of source.ids(range.first, range.last)) builder.add(key, seq);
    return builder.write(files, file, range);
  }
  const builder = new AccountRunBuilder();
  for (const entry of source.entries(range.first, range.last)) builder.add(entry.name, entry.number, entry.seq);
  return builder.write(files, file, range);
}

/** Which runs become one. */
interface MergeRule {
  readonly kind: RunKindName;
  /** In the order of their heights. */
  readonly neighbours: readonly StoredRun[];
  readonly count: number;
  readonly maxBlocks: number;
}

/** True when they are enough runs of one level to become one. */
function mergeNeighbours(files: FileLayer, list: RunList, { kind, neighbours, count, maxBlocks }: MergeRule): boolean {
  const [oldest, last] = [neighbours[0], neighbours.at(-1)];
  if (oldest === undefined || last === undefined || neighbours.length < count) return false;
  if (neighbours.some(({ level }) => level !== oldest.level)) return false;
  if (last.last - oldest.first + 1 > maxBlocks) return false;
  const range = { first: oldest.first, last: last.last, genesisHash: oldest.genesisHash };
  const write = (file: string): WrittenRun =>
    kind === "ids"
      ? merged(
          neighbours,
          (run) => new IdRun(files, run),
          (runs) => mergeIdRuns(files, file, range, runs),
        )
      : merged(
          neighbours,
          (run) => new AccountRun(files, run),
          (runs) => mergeAccountRuns(files, file, range, runs),
        );
  name(files, list, { kind, level: oldest.level + 1, range, write }, neighbours);
  return true;
}

function merged<Run extends IdRun | AccountRun>(
  stored: readonly StoredRun[],
  open: (run: StoredRun) => Run,
  merge: (runs: readonly Run[]) => WrittenRun,
): WrittenRun {
  const runs: Run[] = [];
  try {
    for (const run of stored) runs.push(open(run));
    return merge(runs);
  } finally {
    for (const { file } of runs) file.close();
  }
}

function name(files: FileLayer, list: RunList, { kind, level, range, write }: NewRun, replaced: readonly StoredRun[]): void {
  const file = runName(range, RUN_KINDS[kind]);
  const { bytes, sha256 } = written(files, file, write);
  files.rename(file + TEMPORARY, file);
  files.syncFolder();
  const { first, last, genesisHash } = range;
  const run: StoredRun = { kind, level, first, last, genesisHash, bytes, sha256 };
  const check = new RunFile(files, RUN_KINDS[kind], run);
  try {
    check.verify();
  } finally {
    check.close();
  }
  list.nameRuns([run], replaced);
}

function written(files: FileLayer, file: string, write: (file: string) => WrittenRun): WrittenRun {
  try {
    return write(file + TEMPORARY);
  } catch (error) {
    // A disk that is full needs the room of what was not finished.
    if (isCodedError(error)) files.unlink(file + TEMPORARY);
    throw error;
  }
}
