// Writing and removing the file of a service, and asking the system about it. A file that others wrote is never touched.
import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { MARK } from "./service-files.ts";
import type { ServicePlace } from "./service-place.ts";

/** Runs a program of the system: its exit code, or undefined where there is none of that name. */
export type RunProgram = (command: readonly string[]) => Promise<number | undefined>;

/** Largest file that is read: a unit is a kilobyte. */
const MAX_FILE_BYTES = 65_536;
/** The mark is in the first lines. */
const MARK_WITHIN_BYTES = 512;

/** What is at a place: nothing, what would be written now, an earlier or another service of Parley, or something else. */
export type FoundFile = "none" | "same" | "other" | "foreign";

/** Looks at the file. @throws CodedError STORAGE_UNWRITABLE when it cannot be read. */
export function findFile({ file, content }: Pick<ServicePlace, "file" | "content">): FoundFile {
  let found: Buffer;
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) return lstatSync(file, { throwIfNoEntry: false }) === undefined ? "none" : "foreign";
    // Neither a pipe, which waits for its writer, nor a device: a unit that was switched off is a link to one.
    if (!status.isFile() || status.size > MAX_FILE_BYTES) return "foreign";
    found = readFileSync(file);
  } catch (cause) {
    throw new CodedError("STORAGE_UNWRITABLE", `${file} cannot be read`, { cause });
  }
  if (found.equals(content)) return "same";
  const start = found.subarray(0, MARK_WITHIN_BYTES);
  return start.includes(MARK) || start.includes(Buffer.from(MARK, "utf16le")) ? "other" : "foreign";
}

/**
 * Writes the file whole, in place of one only where that was seen.
 * @throws CodedError STORAGE_UNWRITABLE in words, CONFIG_INVALID where another program wrote one meanwhile.
 */
export function writeService({ file, content }: Pick<ServicePlace, "file" | "content">, replaces: boolean): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (cause) {
    throw unwritable(file, cause);
  }
  try {
    writeFileAtomic(file, content, { mode: 0o644, replaces });
  } catch (cause) {
    if (!replaces && existsSync(file)) throw new CodedError("CONFIG_INVALID", `${file} was written by another program just now`, { cause });
    throw unwritable(file, cause);
  }
}

/** Removes the file. @throws CodedError STORAGE_UNWRITABLE in words. */
export function removeService({ file }: Pick<ServicePlace, "file">): void {
  try {
    rmSync(file, { force: true });
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** Runs all commands, and gives the first that failed. */
export async function runEach(commands: readonly (readonly string[])[], run: RunProgram): Promise<readonly string[] | undefined> {
  let failed: readonly string[] | undefined;
  for (const command of commands) if ((await run(command)) !== 0) failed ??= command;
  return failed;
}

/** Runs the commands up to the first that fails, and gives that. */
export async function runAll(commands: readonly (readonly string[])[], run: RunProgram): Promise<readonly string[] | undefined> {
  for (const command of commands) if ((await run(command)) !== 0) return command;
  return undefined;
}

/** Runs a program; what it writes goes to standard error. */
export const runProgram: RunProgram = ([program = "", ...words]) =>
  new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", () => resolve(undefined));
    child.once("exit", (code) => resolve(code ?? 1));
  });

function unwritable(file: string, cause: unknown): CodedError {
  return new CodedError(
    "STORAGE_UNWRITABLE",
    `${file} cannot be written: a service of the whole system needs root, one of yours does not`,
    {
      cause,
    },
  );
}
