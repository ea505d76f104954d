// A folder on a disk that cannot be written, for real: a read-only mount where the tests run as root, whom file modes do not stop, and
// file modes on the others.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Makes a folder and all in it read-only; returns the way back, which may be taken twice. */
export function makeReadOnly(folder: string): () => void {
  if (process.getuid?.() === 0) return mountReadOnly(folder);
  changeModes(folder, false);
  return () => changeModes(folder, true);
}

function mountReadOnly(folder: string): () => void {
  execFileSync("mount", ["--bind", folder, folder]);
  execFileSync("mount", ["-o", "remount,ro,bind", folder]);
  let isMounted = true;
  return () => {
    // Lazily: a process that ends may still hold a file of it.
    if (isMounted) execFileSync("umount", ["--lazy", folder]);
    isMounted = false;
  };
}

function changeModes(folder: string, isWritable: boolean): void {
  if (isWritable) chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) changeModes(path, isWritable);
    else chmodSync(path, isWritable ? 0o600 : 0o400);
  }
  if (!isWritable) chmodSync(folder, 0o500);
}
