// The profile is its owner's alone, whatever permissions it was made with: the vault, the logs, and what Chromium stores of the page.
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { CodedError } from "#shared/errors/coded-error.ts";
import { makePrivate } from "#shared/util/private-folder.ts";
import type { ProfilePaths } from "./paths.ts";

const ACCESS = { chmodSync, lstatSync, readdirSync, statSync };

/** Makes the profile's folder, and takes the permissions of others away from it and what is in it. @throws CodedError STORAGE_UNWRITABLE. */
export function makePrivateProfile(userData: string, { vault, logs }: Pick<ProfilePaths, "vault" | "logs">): void {
  try {
    mkdirSync(userData, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new CodedError("STORAGE_UNWRITABLE", `${userData} cannot be used for the profile: check permissions and free space`, { cause });
  }
  if (process.platform === "win32") return;
  // The node closes its own data folder, which may be elsewhere; what Chromium stores deeper is behind folders that are closed here.
  const open = makePrivate(userData, 1, ACCESS) ?? makePrivate(vault, 2, ACCESS) ?? makePrivate(logs, 2, ACCESS);
  if (open !== undefined)
    throw new CodedError(
      "STORAGE_UNWRITABLE",
      `${open} can be read by other users of this computer, and Parley cannot change that: take its permissions away (chmod -R go= ${userData})`,
    );
}
