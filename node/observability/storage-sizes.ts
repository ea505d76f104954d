// How much the parts of a data folder take on the disk. Read often, measured rarely.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DataFolderPaths } from "#node/config/files/data-folder.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Measured sizes are reused this long. */
const FRESH_MS = 10_000;

/** Sizes by part, bytes. */
export type StorageSizes = NonNullable<NodeStatus["storage"]>;

/** Reads the sizes of a folder, at most every ten seconds. */
export function storageSizes(
  { root, chain, light, mailbox, consensus, history, snapshots }: DataFolderPaths,
  clock: Pick<Clock, "monotonicMs">,
): () => StorageSizes {
  let sizes: StorageSizes | undefined;
  let readAtMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    if (sizes === undefined || nowMs - readAtMs >= FRESH_MS) {
      sizes = {
        chain_bytes: databaseBytes(root, chain) + databaseBytes(root, light) + folderBytes(history) + folderBytes(snapshots),
        mailbox_bytes: databaseBytes(root, mailbox),
        consensus_bytes: folderBytes(consensus),
      };
      readAtMs = nowMs;
    }
    return sizes;
  };
}

/** A database with its log and its index of the log, which come and go. */
function databaseBytes(folder: string, database: string): number {
  return sum(filesOf(folder).filter((file) => file === database || file.startsWith(`${database}-`)));
}

function folderBytes(folder: string): number {
  return sum(filesOf(folder));
}

function filesOf(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
}

function sum(files: readonly string[]): number {
  return files.reduce((bytes, file) => bytes + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
