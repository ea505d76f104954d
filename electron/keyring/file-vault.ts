// Two copies of the vault, or of what is stored beside it, as files of the profile: written beside the old one and renamed, so that each is always whole, and
// replaced only while it holds what was read of it.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { VaultCopy, VaultStorage } from "#shared/keyring/vault/vault-copies.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { withVaultLock } from "./vault-lock.ts";

/** Largest file that is read; a vault has a few hundred bytes, sixteen connections have 150 KiB at most. */
const MAX_BYTES = 262_144;

/** Two files in `folder`, `vault-a` and `vault-b` unless another name is given, readable by the person alone. */
export function createFileVault(folder: string, name: "vault" | "apps" = "vault"): VaultStorage {
  const pathOf = (copy: VaultCopy): string => join(folder, `${name}-${copy}`);
  return {
    read: (copy) => Promise.resolve(readCopy(pathOf(copy))),
    replace: async (copy, expected, bytes): Promise<boolean> => {
      const path = pathOf(copy);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return await withVaultLock(join(folder, `${name}.lock`), () => {
          const stored = readCopy(path);
          const isExpected = stored === undefined || expected === undefined ? stored === expected : equalBytes(stored, expected);
          if (isExpected) writeCopy(folder, path, bytes);
          return isExpected;
        });
      } catch (cause) {
        if (isCodedError(cause)) throw cause;
        throw new CodedError("STORAGE_UNWRITABLE", `${path} cannot be written: check permissions and free space`, { cause });
      }
    },
  };
}

function readCopy(path: string): Uint8Array | undefined {
  try {
    const bytes = readFileSync(path);
    // What is too large is damaged: the other copy decides.
    return bytes.length > MAX_BYTES ? new Uint8Array() : new Uint8Array(bytes);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new CodedError("STORAGE_UNWRITABLE", `${path} cannot be read: check its permissions`, { cause: error });
  }
}

function writeCopy(folder: string, path: string, bytes: Uint8Array): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(folder);
}

/** Makes names in a folder durable. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
