// A snapshot of which nothing is believed: each chunk is held to the state root of its block before anyone gets it. A disk may give other
// bytes than it was given, and who passes them on would seem to lie.
import { existsSync } from "node:fs";
import { type ChunkLeaf, provenLeaves, readChunk, type SplitPlace, type StateChunk } from "#node/state/state-chunk.ts";
import { partsOf, placeInWords, ROOT_PLACE, type TreePlace } from "#node/state/tree-place.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { storageError } from "../storage-error.ts";
import { openSnapshot } from "./snapshot-file.ts";

/** The state that a file is to hold. */
export interface SnapshotGoal {
  readonly height: Height;
  /** That of the header of the block. */
  readonly stateRoot: HashHex;
}

/** What is below a place, without having been proven. */
export interface ReadChunk extends StateChunk {
  /** Its leaves, once it is proven to be the one of its place. @throws CodedError STORAGE_CORRUPT naming file and place */
  prove(): readonly ChunkLeaf[];
}

/** An open snapshot. */
export interface ProvenSnapshot {
  /** The chunk of a place, or how it is split. @throws CodedError STORAGE_CORRUPT naming file and place, for everything that the file is to blame for */
  read(place: TreePlace): ReadChunk | SplitPlace;
  close(): void;
}

/** Opens the file of a state. @throws CodedError STORAGE_CORRUPT naming the file, STORAGE_LOCKED, STORAGE_FULL */
export function openProvenSnapshot(file: string, { height, stateRoot }: SnapshotGoal): ProvenSnapshot {
  const blamed = <T>(place: TreePlace | undefined, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw blame({ file, height, place }, error);
    }
  };
  const damaged = (place: TreePlace, why: string): CodedError => useless({ file, height, place }, why);
  const root = blamed(undefined, () => fromHex(stateRoot));
  const snapshot = blamed(undefined, () => openSnapshot(file));
  const prove = (place: TreePlace, chunk: StateChunk): readonly ChunkLeaf[] => {
    const leaves = blamed(place, () => provenLeaves(root, place, chunk));
    if (typeof leaves === "string") throw damaged(place, leaves);
    return leaves;
  };
  return {
    read: (place): ReadChunk | SplitPlace => {
      const found = blamed(place, () => readChunk(snapshot, place));
      if (!("levels" in found)) return { ...found, prove: () => prove(place, found) };
      if (partsOf(place, found.levels).length === 1) throw damaged(place, "it has several records of one path");
      return found;
    },
    close: () => snapshot.close(),
  };
}

/** Proves a whole snapshot, place by place; what is wrong with one goes to `onDamage`, and the others follow. @throws as {@link openProvenSnapshot} */
export function proveSnapshot(
  file: string,
  goal: SnapshotGoal,
  { onDamage, onRecords }: { readonly onDamage: (place: TreePlace, error: unknown) => void; readonly onRecords: (count: number) => void },
): void {
  const snapshot = openProvenSnapshot(file, goal);
  try {
    const waiting: TreePlace[] = [ROOT_PLACE];
    let records = 0;
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      try {
        const found = snapshot.read(place);
        if ("levels" in found) waiting.push(...partsOf(place, found.levels).toReversed());
        else records += found.prove().length;
      } catch (error) {
        onDamage(place, error);
      }
      onRecords(records);
    }
  } finally {
    snapshot.close();
  }
}

interface Blamed {
  readonly file: string;
  readonly height: Height;
  readonly place: TreePlace | undefined;
}

/** What fails is about the file, unless the disk is full, the file in use or the system short of something, or it was removed meanwhile. */
function blame(blamed: Blamed, error: unknown): unknown {
  const known = storageError(error, blamed.file);
  if (isCodedError(known, "STORAGE_LOCKED", "STORAGE_FULL") || isOfSystem(known) || !existsSync(blamed.file)) return known;
  return useless(blamed, error instanceof Error ? error.message : String(error), error);
}

/** As when too many files are open: SQLite says of the content nothing then. */
function isOfSystem(error: unknown): boolean {
  return isCodedError(error, "STORAGE_FAILED") && /^SQLITE_(CANTOPEN|NOMEM)/.test(String(error.details.sqlite));
}

function useless({ file, height, place }: Blamed, why: string, cause?: unknown): CodedError {
  const where = place === undefined ? "" : ` at ${placeInWords(place)}`;
  return new CodedError("STORAGE_CORRUPT", `${file} is not the state of block ${height}${where}: ${why}`, { cause });
}
