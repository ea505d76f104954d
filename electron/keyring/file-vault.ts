// Two copies of the vault, or of what is stored beside it, as files of the profile: each is always whole, and replaced only while it holds
// what was read of it.
import { join } from "node:path";
import type { VaultCopy, VaultStorage } from "#shared/keyring/vault/vault-copies.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { readPrivateFile, replacePrivateFile, writePrivately } from "./private-files.ts";

/** Largest file that is read; a vault has a few hundred bytes, sixteen connections have 150 KiB at most. */
const MAX_BYTES = 262_144;

/** Two files in `folder`, `vault-a` and `vault-b` unless another name is given, readable by the person alone. */
export function createFileVault(folder: string, name: "vault" | "apps" = "vault"): VaultStorage {
  const pathOf = (copy: VaultCopy): string => join(folder, `${name}-${copy}`);
  return {
    read: (copy) => Promise.resolve(readCopy(pathOf(copy))),
    replace: (copy, expected, bytes): Promise<boolean> => {
      const path = pathOf(copy);
      const task = (): boolean => {
        const stored = readCopy(path);
        const isExpected = stored === undefined || expected === undefined ? stored === expected : equalBytes(stored, expected);
        if (isExpected) replacePrivateFile(folder, path, bytes);
        return isExpected;
      };
      return writePrivately({ folder, lock: `${name}.lock`, path, task });
    },
  };
}

/** What is too large is damaged: the other copy decides. */
function readCopy(path: string): Uint8Array | undefined {
  const bytes = readPrivateFile(path);
  return bytes !== undefined && bytes.length > MAX_BYTES ? new Uint8Array() : bytes;
}
