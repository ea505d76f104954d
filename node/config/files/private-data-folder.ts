// The data folder is its owner's alone: it holds keys, mail of others and who talks to whom.
import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { CodedError } from "#shared/errors/coded-error.ts";
import { makePrivate } from "#shared/util/private-folder.ts";

/** Levels of a data folder. */
const DEPTH = 4;

/** Takes the permissions of others away from a data folder and all in it. @throws CodedError STORAGE_UNWRITABLE naming what stays open. */
export function closeDataFolder(path: string): void {
  if (process.platform === "win32") return;
  const open = makePrivate(path, DEPTH, { chmodSync, lstatSync, readdirSync, statSync });
  if (open === undefined) return;
  throw new CodedError(
    "STORAGE_UNWRITABLE",
    `${open} can be read by other users of this computer, and this user cannot change that: take its permissions away (chmod -R go= ${path}), or choose a folder on a disk that stores permissions`,
  );
}
