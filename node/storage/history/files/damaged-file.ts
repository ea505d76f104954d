// What is said of a file of history whose bytes are not those that were written.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Files that follow from the blocks. */
const INDEX_FILE = /\.(?:ids|acc)$/;

/** Names the file and the place in it. */
export function damagedFile(path: string, offset: number, what: string, cause?: unknown): CodedError {
  const remedy = INDEX_FILE.test(path)
    ? "a running node makes it once more out of the blocks"
    : "move the data folder away and start again; the node then fetches the chain from its peers";
  return new CodedError("STORAGE_CORRUPT", `The history file ${path} is damaged at byte ${offset} (${what}): ${remedy}`, {
    cause,
    details: { file: path, offset },
  });
}
