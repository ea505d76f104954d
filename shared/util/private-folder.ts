// Keeps a folder from the other users of a computer. A folder may have been made by hand, restored from a backup or unpacked with wide
// permissions, so they are set again at each start, from the outside inwards: no one else gets further in meanwhile.

/** The part of `node:fs` that is used here. */
export interface FolderAccess {
  lstatSync(path: string): { readonly mode: number; isDirectory(): boolean; isFile(): boolean };
  statSync(path: string): { readonly mode: number };
  chmodSync(path: string, mode: number): void;
  readdirSync(path: string): readonly string[];
}

/** What others may do: nothing is left of these bits. */
const OTHERS = 0o077;

/**
 * Takes every permission of group and others away from a folder and, `depth` levels down, from the files and folders in it; links are
 * left alone. Returns the first path that others can still reach, or undefined when there is none; a folder that is not there is closed.
 */
export function makePrivate(root: string, depth: number, access: FolderAccess): string | undefined {
  const folder = attempt(() => access.statSync(root));
  if (folder === undefined) return undefined;
  if (!closeToOthers(root, folder.mode, access)) return root;
  return depth === 0 ? undefined : makeEntriesPrivate(root, depth, access);
}

function makeEntriesPrivate(folder: string, depth: number, access: FolderAccess): string | undefined {
  for (const name of entriesOf(folder, access)) {
    const path = `${folder}/${name}`;
    const entry = attempt(() => access.lstatSync(path));
    if (entry === undefined || !(entry.isDirectory() || entry.isFile())) continue;
    if (!closeToOthers(path, entry.mode, access)) return path;
    const open = entry.isDirectory() && depth > 1 ? makeEntriesPrivate(path, depth - 1, access) : undefined;
    if (open !== undefined) return open;
  }
  return undefined;
}

/** False where the file system stores no permissions, or the file is another user's. */
function closeToOthers(path: string, mode: number, access: FolderAccess): boolean {
  if ((mode & OTHERS) === 0) return true;
  attempt(() => access.chmodSync(path, mode & 0o7700));
  const now = attempt(() => access.statSync(path));
  // A file that went away is no one's to read.
  return now === undefined || (now.mode & OTHERS) === 0;
}

/** A folder that this user cannot read, and no one else, holds nothing of this program. */
function entriesOf(folder: string, access: FolderAccess): readonly string[] {
  return attempt(() => access.readdirSync(folder)) ?? [];
}

function attempt<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
