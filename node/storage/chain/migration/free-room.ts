// Room on a disk for a file that is made before the one that it replaces goes.
import { statfsSync } from "node:fs";
import { CodedError } from "#shared/errors/coded-error.ts";

const MIB = 1_048_576;

/** What is to be made. */
export interface NeededRoom {
  readonly directory: string;
  readonly bytes: number;
  /** For the message, as in "chain.db must be made once more". */
  readonly work: string;
  /** Bytes that are free on the disk of a folder; what the system says unless given. */
  readonly freeBytes?: ((directory: string) => number) | undefined;
}

/** @throws CodedError STORAGE_FULL where the disk has fewer bytes free than are needed */
export function requireFreeRoom({ directory, bytes, work, freeBytes = freeBytesOf }: NeededRoom): void {
  const free = freeBytes(directory);
  if (free >= bytes) return;
  const [room, has] = [bytes, free].map((each) => Math.ceil(each / MIB));
  throw new CodedError(
    "STORAGE_FULL",
    `${work}, which takes ${room} MiB, and ${has} MiB are free: free some space, then start again; nothing was changed`,
    { details: { directory, needed: bytes, free } },
  );
}

function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
