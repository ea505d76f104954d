// One writer of a folder's vault at a time, over processes too: a file that only one of them can create, with its process id. What a
// process left behind when it died is taken away.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CodedError } from "#shared/errors/coded-error.ts";

/** How long another writer is waited for. A write takes milliseconds. */
const WAIT_MS = 5_000;
const PAUSE_MS = 10;

/** Runs a task that must not wait for anything while no other process runs one for the same file. @throws CodedError STORAGE_LOCKED. */
export async function withVaultLock<T>(path: string, task: () => T): Promise<T> {
  for (let waitedMs = 0; !takeLock(path); waitedMs += PAUSE_MS) {
    if (waitedMs >= WAIT_MS) throw new CodedError("STORAGE_LOCKED", `${path}: another program is writing the vault`);
    await sleep(PAUSE_MS);
  }
  try {
    return task();
  } finally {
    rmSync(path, { force: true });
  }
}

/** The file appears whole or not at all. */
function takeLock(path: string): boolean {
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, String(process.pid), { mode: 0o600 });
    linkSync(own, path);
    return true;
  } catch (error) {
    if (!isExisting(error)) throw error;
    removeAbandoned(path);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Renaming decides between several that find the same one; a living one that was caught by it is put back. */
function removeAbandoned(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    if (isHeld(readFileSync(path, "utf8"))) return;
    renameSync(path, aside);
    if (isHeld(readFileSync(aside, "utf8"))) linkSync(aside, path);
    rmSync(aside, { force: true });
  } catch {
    // It went away by itself.
  }
}

/** Tasks of this process never overlap, so its own id was left by an earlier process. */
function isHeld(text: string): boolean {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id <= 0 || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
