// Moves old blocks from the tables into a segment. The order is what makes a crash harmless: the file is written and durable, then its name
// is, and only then do the tables name it. What a crash left, and no table names, is removed at the next start; rows go later, and readers
// prefer the file.
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { damagedFile } from "../files/damaged-file.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { RunFile } from "../runs/run-format.ts";
import type { SealableBlock } from "../segments/segment-block.ts";
import { type NamedSegment, SegmentFile } from "../segments/segment-file.ts";
import { type SegmentRange, segmentName } from "../segments/segment-format.ts";
import { SegmentWriter, type WrittenFile } from "../segments/segment-writer.ts";
import { RUN_KIND_NAMES, RUN_KINDS, type RunKindName, type RunList, type StoredRun, storedRunName } from "./sealed-runs.ts";
import { type HeldBlocks, setAside, unnamedFiles } from "./unnamed-files.ts";

/** What a segment is made of. Reads see one state of the tables while it is written. */
export interface SealSource {
  readonly genesisHash: HashHex;
  tipHeight(): Height | undefined;
  /** The lowest block that has rows. */
  lowestHeight(): Height | undefined;
  /** Heights from one on with the bytes of their bodies, ascending and without gaps. */
  sizes(from: Height, to: Height): Iterable<{ readonly height: Height; readonly bytes: number }>;
  block(height: Height): SealableBlock;
}

/** What tables say of segments. */
export interface SegmentList extends HeldBlocks {
  all(): readonly NamedSegment[];
  /** The highest sealed height; −1 when there is none. */
  lastHeight(): Height;
  /** Names a file that is durable, in a transaction of its own that is durable on return. */
  name(segment: NamedSegment): void;
}

/** How much is in a segment. */
export interface SealLimits {
  /** Blocks that stay in the tables above the newest sealed one. */
  readonly depth: number;
  readonly maxBlocks: number;
  /** Bytes of bodies: a segment ends with the block that reaches them. */
  readonly maxBytes: number;
}

/** More than a rollback reaches. */
export const SEAL_LIMITS: SealLimits = { depth: 128, maxBlocks: 1_000, maxBytes: 67_108_864 };

/** Takes a file that cannot be read. */
export type OnDamagedSegment = (segment: NamedSegment, error: CodedError) => void;

const TEMPORARY = ".tmp";

/** Blocks that are deep and many enough for the next segment; undefined when they are not. */
export function nextRange(source: SealSource, list: SegmentList, limits: SealLimits): SegmentRange | undefined {
  const last = list.lastHeight();
  // A chain that began with the state of a height has no blocks below.
  const first = last < 0 ? (source.lowestHeight() ?? 0) : last + 1;
  const deepest = (source.tipHeight() ?? -1) - limits.depth;
  let bytes = 0;
  for (const block of source.sizes(first, Math.min(deepest, first + limits.maxBlocks - 1))) {
    bytes += block.bytes;
    const isFull = block.height - first + 1 === limits.maxBlocks || bytes >= limits.maxBytes;
    if (isFull) return { first, last: block.height, genesisHash: source.genesisHash };
  }
  return undefined;
}

/** Writes the next segment and names it. Returns it, undefined when too few blocks are deep enough. @throws CodedError of the storage */
export function sealNext(
  files: FileLayer,
  source: SealSource,
  list: SegmentList,
  limits: SealLimits = SEAL_LIMITS,
): NamedSegment | undefined {
  const range = nextRange(source, list, limits);
  if (range === undefined) return undefined;
  const name = segmentName(range);
  const written = writeSegment(files, name, range, source);
  setAside(files, list, range);
  files.rename(name + TEMPORARY, name);
  files.syncFolder();
  const segment: NamedSegment = { ...range, ...written };
  verifySealed(files, segment);
  list.name(segment);
  return segment;
}

/** The rows go once the tables name the file: it is read as whoever reads it later does. One with damage would be set aside by each attempt. */
function verifySealed(files: FileLayer, segment: NamedSegment): void {
  try {
    const file = new SegmentFile(files, segment);
    try {
      file.verify();
    } finally {
      file.close();
    }
  } catch (error) {
    if (isCodedError(error)) files.unlink(segmentName(segment));
    throw error;
  }
}

/** What a folder is held to beside its segments. */
export interface FolderExpectation {
  /** Those that are damaged are noted: they can be made out of segments. */
  readonly runs: RunList & { noteDamage(run: StoredRun): void };
  /** Takes a segment that is missing, cut off or another one; without it the first of them is thrown. */
  readonly onDamaged?: OnDamagedSegment | undefined;
  /** Takes names of files that no table names, and that stay: blocks may be in them alone, or they are not the program's. */
  readonly onOthers?: ((names: readonly string[]) => void) | undefined;
}

/**
 * At the start of a node: looks at header, index or directory, and footer of every file that a table names, and removes of the others those
 * with which nothing is lost.
 * @throws CodedError STORAGE_CORRUPT
 */
export function openHistoryFolder(files: FileLayer, list: SegmentList, { runs, onDamaged, onOthers }: FolderExpectation): void {
  const segments = list.all();
  for (const [index, segment] of segments.entries()) {
    const below = segments[index - 1]?.last ?? -1;
    if (index > 0 && segment.first !== below + 1)
      throw damagedFile(files.path(segmentName(segment)), 0, `the blocks from ${below + 1} to ${segment.first - 1} are in no segment`);
    openSegment(files, segment, onDamaged);
  }
  for (const kind of RUN_KIND_NAMES) openRuns(files, runs, kind);
  const { removable, others } = unnamedFiles(files, list, runs);
  remove(files, removable);
  if (others.length > 0) onOthers?.(others);
}

/** Removes what was merged, once no reader is at work on the tables of before, and what was dropped and could not be removed then. */
export function removeUnnamed(files: FileLayer, list: SegmentList, runs: RunList): void {
  const endings = [".seg", ...RUN_KIND_NAMES.map((kind) => `.${RUN_KINDS[kind].extension}`)];
  const isWhole = (name: string): boolean => endings.some((ending) => name.endsWith(ending));
  remove(files, unnamedFiles(files, list, runs).removable.filter(isWhole));
}

function remove(files: FileLayer, names: readonly string[]): void {
  for (const name of names) files.unlink(name);
  if (names.length > 0) files.syncFolder();
}

function openSegment(files: FileLayer, segment: NamedSegment, onDamaged: OnDamagedSegment | undefined): void {
  try {
    new SegmentFile(files, segment).close();
  } catch (error) {
    if (onDamaged === undefined || !isCodedError(error, "STORAGE_CORRUPT")) throw error;
    onDamaged(segment, error);
  }
}

/** Runs follow each other without gaps. */
function openRuns(files: FileLayer, list: FolderExpectation["runs"], kind: RunKindName): void {
  const runs = list.runs(kind);
  for (const [index, run] of runs.entries()) {
    const below = runs[index - 1]?.last ?? run.first - 1;
    if (run.first !== below + 1)
      throw damagedFile(files.path(storedRunName(run)), 0, `the blocks from ${below + 1} to ${run.first - 1} are in no file of its kind`);
    try {
      new RunFile(files, RUN_KINDS[run.kind], run).close();
    } catch (error) {
      if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
      list.noteDamage(run);
    }
  }
}

function writeSegment(files: FileLayer, name: string, range: SegmentRange, source: SealSource): WrittenFile {
  let writer: SegmentWriter | undefined;
  try {
    writer = new SegmentWriter(files, name + TEMPORARY, range);
    for (let { first: height } = range; height <= range.last; height += 1) writer.add(source.block(height));
    return writer.finish();
  } catch (error) {
    writer?.abandon();
    // A disk that is full needs the room of what was not finished.
    if (isCodedError(error)) files.unlink(name + TEMPORARY);
    throw error;
  }
}
