// Files that SQLite opens, made beforehand for their owner alone: it would make them readable by everyone, and its logs with them.
import { closeSync, openSync } from "node:fs";

/** Makes a file that is missing. What fails here fails again, in words, when the file is opened. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    return;
  }
}
