// Moves the node's data to another folder while the node is stopped. At the end there is exactly one copy with the node's key: two nodes
// that vote with one key would contradict each other.
import { cp, lstat, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Gives a folder another name in one step; fails with EXDEV between disks. */
export type RenameFolder = (from: string, to: string) => Promise<void>;

/** Moves everything. @throws CodedError CONFIG_INVALID or STORAGE_UNWRITABLE; the data is then where it was. */
export async function moveDataFolder(from: string, to: string, renameFolder: RenameFolder = rename): Promise<void> {
  await checkTarget(from, to);
  try {
    await mkdir(dirname(to), { recursive: true });
    if (await moveByRename(from, to, renameFolder)) return;
    await cp(from, to, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true });
    await checkCopy(from, to);
  } catch (cause) {
    throw new CodedError("STORAGE_UNWRITABLE", `The data cannot be moved to ${to}: check permissions and free space`, { cause });
  }
  await rm(from, { recursive: true, force: true });
}

async function checkTarget(from: string, to: string): Promise<void> {
  if (!isAbsolute(to)) throw new CodedError("CONFIG_INVALID", "Choose a folder with its full path");
  const path = relative(resolve(from), resolve(to));
  if (path === "" || (path.split(sep)[0] !== ".." && !isAbsolute(path)))
    throw new CodedError("CONFIG_INVALID", "Choose a folder outside the current one");
  const entries = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CodedError("CONFIG_INVALID", `${to} cannot be used: it is not a folder or cannot be read`, { cause: error });
  });
  if (entries.length > 0) throw new CodedError("CONFIG_INVALID", `${to} is not empty: choose an empty or a new folder`);
}

/** On the same disk the whole folder moves in one step; false on another disk. */
async function moveByRename(from: string, to: string, renameFolder: RenameFolder): Promise<boolean> {
  try {
    await removeEmpty(to);
    await renameFolder(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EXDEV") return false;
    throw error;
  }
}

async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function checkCopy(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}${sep}${entry.name}`;
    const [original, copy] = await Promise.all([lstat(path), lstat(`${to}${sep}${relative(from, path)}`)]);
    if (original.size !== copy.size) throw new Error(`${path} was not copied whole`);
  }
}
