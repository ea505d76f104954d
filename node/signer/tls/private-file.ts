// Files that hold secrets: read only where no other user can read them.
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

const OPEN_TO_OTHERS = 0o077;

/** The text of a file, undefined when there is none. @throws CodedError STORAGE_UNWRITABLE when other users may read or change it. */
export function readPrivateFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw fileError(path, error);
  }
  try {
    const { mode, uid } = fstatSync(file);
    if (process.platform !== "win32" && ((mode & OPEN_TO_OTHERS) !== 0 || uid !== process.getuid?.()))
      throw new CodedError(
        "STORAGE_UNWRITABLE",
        `${path} is open to other users of this computer: make it this user's alone (chmod 600 ${path}), and replace the key if they may have read it`,
      );
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw fileError(path, error);
  } finally {
    closeSync(file);
  }
}
