// Failures of the file system in words: what is wrong and what to do.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Code of a system error such as ENOENT, or undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** Coded error of a failed access to `path`. */
export function fileError(path: string, cause: unknown): CodedError {
  const code = systemErrorCode(cause);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new CodedError("STORAGE_FULL", `The disk is full, ${path} cannot be written: free some space and start again`, { cause });
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new CodedError(
      "STORAGE_UNWRITABLE",
      `${path} cannot be read or written by this user: correct its permissions or choose another place`,
      { cause },
    );
  if (code === "ENOTDIR" || code === "EEXIST" || code === "EISDIR")
    return new CodedError("STORAGE_UNWRITABLE", `${path} is in the way of a folder or file of that name: choose another place`, { cause });
  return new CodedError("STORAGE_UNWRITABLE", `${path} cannot be used (${code ?? String(cause)}): choose another place`, { cause });
}
