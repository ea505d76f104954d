// endpoint.json on disk: written by a running node, believed by programs of the same user. What is in it is in
// shared/desktop/local-endpoint.ts.
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, win32 } from "node:path";
import { formatLocalEndpoint, type LocalEndpoint, MAX_ENDPOINT_BYTES, parseLocalEndpoint } from "#shared/desktop/local-endpoint.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const CLOSED_TO_OTHERS = 0o077;

/** Writes the file by rename, readable by this user only. @throws CodedError as every file of the folder */
export function writeEndpointFile(path: string, endpoint: LocalEndpoint): void {
  writeFileAtomic(path, formatLocalEndpoint(endpoint), { mode: 0o600 });
}

/** Removes the file unless another node has written it since. Never throws: a file that stays names a secret that opens nothing. */
export function removeEndpointFile(path: string, secret: string): void {
  try {
    if (parseLocalEndpoint(readFileSync(path, "utf8"))?.node?.secret === secret) rmSync(path, { force: true });
  } catch {
    // Gone already, or on a disk that is.
  }
}

/**
 * What the file says; undefined when there is none, when it is malformed, or when another user may have made, read or replaced it: it must
 * be a regular file of this user in a folder of this user, both closed to all others. On Windows it must be in the user's own profile.
 */
export function readEndpointFile(path: string): LocalEndpoint | undefined {
  let file: number | undefined;
  try {
    // Not blocked by a pipe that stands in its place.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (!status.isFile() || status.size > MAX_ENDPOINT_BYTES || !isOwn(status) || !isOwnFolder(dirname(path))) return undefined;
    return parseLocalEndpoint(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** True for a path inside a folder, as Windows compares them. */
export function isInWindowsFolder(path: string, folder: string): boolean {
  const inside = win32.relative(folder, path);
  return inside !== "" && !win32.isAbsolute(inside) && inside.split("\\")[0] !== "..";
}

/** The access lists of a profile on Windows name its user, the system and administrators; those of other folders may name everyone. */
function isOwnFolder(folder: string): boolean {
  return process.getuid === undefined ? isInWindowsFolder(realpathSync(folder), homedir()) : isOwn(statSync(folder));
}

/** Windows has no such permissions: there the folder decides. */
function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & CLOSED_TO_OTHERS) === 0);
}
