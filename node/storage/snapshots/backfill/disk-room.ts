// Room that the chain needs: what is fetched in the background leaves it free.
import { statfsSync } from "node:fs";
import { CodedError } from "#shared/errors/coded-error.ts";

/** @throws CodedError STORAGE_FULL where the disk of a folder has fewer bytes free than are to stay so */
export function requireRoom(directory: string, reservedBytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < reservedBytes)
    throw new CodedError(
      "STORAGE_FULL",
      `The disk that holds ${directory} has too little room for older blocks: the chain needs what is left`,
    );
}
