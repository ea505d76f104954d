// Files of the folder that no table names. What a crash, a merge or dropping left is removed; whatever may be the only copy of a block, as when
// an older chain.db was put back, stays and is named, and so are files of others.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { FileLayer, ReadableFile } from "../files/file-layer.ts";
import { readSegmentFrame, segmentName } from "../segments/segment-format.ts";
import { RUN_KIND_NAMES, type RunList, storedRunName } from "./sealed-runs.ts";

/** What tables say of the blocks that a file may hold. */
export interface HeldBlocks {
  readonly genesisHash: HashHex;
  all(): readonly { readonly first: Height; readonly last: Height }[];
  /** The highest block that was dropped; undefined where none was. */
  droppedTo(): Height | undefined;
  /** True where each block of a range is here, in rows or in a file that is whole as far as is known, or was dropped. */
  holds(first: Height, last: Height): boolean;
  /** Undefined for one that has no row, and for one that was dropped. */
  hashOf(height: Height): HashHex | undefined;
}

/** Blocks that a segment is held to. */
export type KnownBlocks = Pick<HeldBlocks, "genesisHash" | "holds" | "hashOf">;

/** Names that only the program gives: of whole files, and of those that were not finished. */
const OWN_NAME = /^(\d{1,15})-(\d{1,15})\.(seg|ids|acc)((?:\.fill|\.repair)?\.tmp)?$/;

/** Names that no table has. */
export interface UnnamedFiles {
  /** Nothing is lost with them. */
  readonly removable: readonly string[];
  /** All others. */
  readonly others: readonly string[];
}

/** Looks through the folder. @throws CodedError of the storage */
export function unnamedFiles(files: FileLayer, blocks: HeldBlocks, runs: Pick<RunList, "runs">): UnnamedFiles {
  const named = new Set([...blocks.all().map(segmentName), ...RUN_KIND_NAMES.flatMap((kind) => runs.runs(kind).map(storedRunName))]);
  const names = files.list().filter((name) => !named.has(name));
  const removable = names.filter((name) => isRemovable(name, { files, blocks, runs }));
  return { removable, others: names.filter((name) => !removable.includes(name)) };
}

/** Makes room for a segment: what has its name and may hold other blocks gets another one. */
export function setAside(files: FileLayer, blocks: KnownBlocks, { first, last }: { readonly first: Height; readonly last: Height }): void {
  const name = segmentName({ first, last });
  if (files.stat(name) === undefined || isCopy(files, blocks, { first, last })) return;
  let number = 1;
  while (files.stat(`${name}.other-${number}`) !== undefined) number += 1;
  files.rename(name, `${name}.other-${number}`);
}

interface Folder {
  readonly files: FileLayer;
  readonly blocks: HeldBlocks;
  readonly runs: Pick<RunList, "runs">;
}

function isRemovable(name: string, { files, blocks, runs }: Folder): boolean {
  const [, firstText, lastText, kind, ending] = OWN_NAME.exec(name) ?? [];
  if (kind === undefined) return false;
  if (ending !== undefined) return true;
  const [first, last] = [Number(firstText), Number(lastText)];
  if (last <= (blocks.droppedTo() ?? -1)) return true;
  if (kind === "seg") return isCopy(files, blocks, { first, last });
  // Runs are made out of the blocks, or were merged into others.
  const isMerged = RUN_KIND_NAMES.some((each) => each === kind && runs.runs(each).some((run) => run.first <= first && last <= run.last));
  return isMerged || blocks.holds(first, last);
}

/** True for a segment of blocks that are here, or that were dropped: those have no hash any more. */
function isCopy(files: FileLayer, blocks: KnownBlocks, { first, last }: { readonly first: Height; readonly last: Height }): boolean {
  if (!blocks.holds(first, last)) return false;
  const name = segmentName({ first, last });
  let file: ReadableFile | undefined;
  try {
    // One that cannot be opened may be anything.
    file = files.open(name);
    if (file === undefined) return false;
    const frame = readSegmentFrame(file, files.path(name), { first, last, genesisHash: blocks.genesisHash });
    return frame.blocks.every(({ hash }, index) => [undefined, hash].includes(blocks.hashOf(first + index)));
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return false;
  } finally {
    file?.close();
  }
}
