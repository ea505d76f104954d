// Writing and removing the file of a service, and asking the system about it. A file that others wrote is never touched.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { MARK } from "./service-files.ts";
import type { ServicePlace } from "./service-place.ts";

/** Runs a program of the system: its exit code, or undefined where there is none of that name. */
export type RunProgram = (command: readonly string[]) => Promise<number | undefined>;

/** Most of a file that is looked at: a unit is a kilobyte. */
const MAX_FILE_BYTES = 65_536;

/** What is at a place: nothing, what would be written now, an earlier or another service of Parley, or something else. */
export type FoundFile = "none" | "same" | "other" | "foreign";

/** Looks at the file. @throws CodedError STORAGE_UNWRITABLE when it cannot be read. */
export function findFile({ file, content }: Pick<ServicePlace, "file" | "content">): FoundFile {
  let found: Buffer;
  try {
    found = readFileSync(file);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return "none";
    throw new CodedError("STORAGE_UNWRITABLE", `${file} cannot be read`, { cause });
  }
  if (found.equals(content)) return "same";
  const start = found.subarray(0, MAX_FILE_BYTES);
  return start.includes(MARK) || start.includes(Buffer.from(MARK, "utf16le")) ? "other" : "foreign";
}

/** Writes the file by rename. @throws CodedError STORAGE_UNWRITABLE in words. */
export function writeService({ file, content }: Pick<ServicePlace, "file" | "content">): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (cause) {
    throw unwritable(file, cause);
  }
  try {
    writeFileAtomic(file, content, { mode: 0o644 });
  } catch (cause) {
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

/** Runs the commands, one after the other, and gives the first that failed. */
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
