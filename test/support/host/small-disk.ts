// A disk of a few megabytes, for real: a file system in memory, mounted by root, or by anyone in a name space of their own.
import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { endWithTests } from "./end-with-tests.ts";

/** A disk that has no more room than it was made with. */
export interface SmallDisk {
  /** A folder on it. */
  readonly path: string;
  unmount(): void;
}

const BLOCK = new Uint8Array(65_536);
const IN_OWN_SPACE = [
  "--user",
  "--map-root-user",
  "--mount",
  "sh",
  "-c",
  'mount -t tmpfs -o "size=$1" tmpfs "$2" && echo ready && exec cat',
];

/**
 * Mounts a disk of so many MiB at a folder of Linux.
 * @throws Error where this user may do neither, with what is missing: a test on Linux is not left out for that
 */
export async function mountSmallDisk(folder: string, mebibytes: number): Promise<SmallDisk> {
  const size = `${mebibytes}m`;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" });
    return { path: folder, unmount: () => void execFileSync("umount", ["--lazy", folder], { stdio: "pipe" }) };
  } catch (asRoot) {
    return await mountInOwnSpace(folder, size).catch((inOwnSpace: unknown) => {
      const words =
        "A disk of a few megabytes cannot be mounted: run the test as root of a machine or container that may mount (CAP_SYS_ADMIN), or allow name spaces of users";
      throw new AggregateError([asRoot, inOwnSpace], `${words}. ${asRoot}; ${inOwnSpace}`);
    });
  }
}

/** The disk is there while a process in the name space lives, and is reached by its root folder. */
async function mountInOwnSpace(folder: string, size: string): Promise<SmallDisk> {
  const holder = spawn("unshare", [...IN_OWN_SPACE, "sh", size, folder], { stdio: "pipe" });
  endWithTests(holder);
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  holder.on("error", reject);
  holder.stderr.on("data", (text: Buffer) => {
    said += text.toString();
  });
  holder.stdout.once("data", () => resolve());
  holder.once("exit", () => reject(new Error(said.trim())));
  await promise;
  return { path: `/proc/${holder.pid}/root${folder}`, unmount: () => void holder.kill("SIGKILL") };
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
