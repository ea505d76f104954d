// What is said of a file of history whose bytes are not those that were written.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Names the file and the place in it. */
export function damagedFile(path: string, offset: number, what: string, cause?: unknown): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `The history file ${path} is damaged at byte ${offset} (${what}): move the data folder away and start again; the node then fetches the chain from its peers`,
    { cause, details: { file: path, offset } },
  );
}
