// The guards of a validator's keys, once it has had more than one: `sign-guard` is that of the key in use, the others lie beside it.
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "#node/config/files/write-file-atomic.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { guardedKeyOf } from "./sign-guard.ts";

/** Digits of a key in the name of its guard. */
const NAME_DIGITS = 16;

/**
 * Puts the guard of a key in the place of that of another one which `isRelated` says is of the same validator: each key remembers for itself
 * what it signed. A guard of any other key stays where it is, and refuses the start.
 * @throws CodedError STORAGE_CORRUPT when the guard cannot be read.
 */
export function takeGuardOf(folder: string, own: PublicKeyHex, isRelated: (key: PublicKeyHex) => boolean): void {
  const path = join(folder, "sign-guard");
  const put = (key: PublicKeyHex): string => join(folder, `sign-guard-${key.slice(0, NAME_DIGITS)}`);
  const present = existsSync(path) ? guardedKeyOf(readFileSync(path)) : undefined;
  if (present === own || (present !== undefined && !isRelated(present))) return;
  if (present !== undefined) renameSync(path, put(present));
  if (existsSync(put(own))) renameSync(put(own), path);
  if (existsSync(folder)) syncFolder(folder);
}
