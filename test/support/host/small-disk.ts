// A disk of a few megabytes, for real: a file system in memory, mounted where the tests run as root on Linux.
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BLOCK = new Uint8Array(65_536);

/** True where {@link mountSmallDisk} works: containers may refuse a mount also to root. */
export function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "parley-mount-"));
  try {
    mountSmallDisk(folder, 1)();
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

/** Mounts a disk of so many MiB at a folder. Returns the way back. */
export function mountSmallDisk(folder: string, mebibytes: number): () => void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", folder], { stdio: "pipe" });
  return () => void execFileSync("umount", ["--lazy", folder], { stdio: "pipe" });
}

/** Writes a file until the disk has no room. */
export function fillDisk(file: string): void {
  const descriptor = openSync(file, "w");
  try {
    for (;;) writeSync(descriptor, BLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(descriptor);
  }
}
