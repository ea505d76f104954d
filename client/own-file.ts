// Files that this user alone can read: believed only when no other user can have made, read or replaced them.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative } from "node:path";

const CLOSED_TO_OTHERS = 0o077;
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;

/** What is wrong with a file. */
export type FileProblem = "missing" | "foreign" | "unreadable";

/** Text of a regular file of this user that is closed to all others, of at most so many bytes; else what is wrong with it. */
export function readOwnFile(path: string, maxBytes: number): { readonly text: string } | { readonly problem: FileProblem } {
  let file: number | undefined;
  try {
    // Neither a link nor a pipe that waits for its writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (!status.isFile() || status.size > maxBytes || !isOwn(status)) return { problem: "foreign" };
    return { text: readFileSync(file, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { problem: "missing" };
    return { problem: code === "ELOOP" ? "foreign" : "unreadable" };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** True for a folder of this user that others cannot enter. On Windows it must be in the user's own profile, whose access list says so. */
export function isOwnFolder(path: string): boolean {
  try {
    if (process.getuid === undefined) return isInside(realpathSync(path), homedir());
    const status = statSync(path);
    return status.isDirectory() && isOwn(status);
  } catch {
    return false;
  }
}

/** Writes a file that this user alone can read, whole or not at all, on the disk when it returns. @throws Error of the system */
export function writeOwnFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: OWN_FOLDER });
  const temporary = `${path}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, OWN_FILE);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== "" && !isAbsolute(inside) && inside.split(/[\\/]/)[0] !== "..";
}

function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & CLOSED_TO_OTHERS) === 0);
}
