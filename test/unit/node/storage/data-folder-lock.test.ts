import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const HOLDER = fileURLToPath(new URL("./lock-holder.ts", import.meta.url));

function lockError(directory: string, waitMs: number): CodedError | undefined {
  try {
    lockDataFolder(directory, waitMs).release();
    return undefined;
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}

describe("data folder lock", () => {
  it("is exclusive in one process, and free again after its release", async () => {
    await using folder = await createTemporaryFolder();
    const lock = lockDataFolder(`${folder.path}/new`);
    expect(lockError(`${folder.path}/new`, 0)?.code).toBe("STORAGE_LOCKED");
    lock.release();
    expect(lockError(`${folder.path}/new`, 0)).toBeUndefined();
  });

  it("names the folder that another process holds, and is free once that process is killed", async () => {
    await using folder = await createTemporaryFolder();
    const holder = spawn(process.execPath, [HOLDER, folder.path], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await once(holder.stdout, "data");
      const error = lockError(folder.path, 50);
      expect(error?.code).toBe("STORAGE_LOCKED");
      expect(error?.message).toContain(`Another node uses the data folder ${folder.path}`);
    } finally {
      holder.kill("SIGKILL");
      await once(holder, "exit");
    }
    expect(lockError(folder.path, 0)).toBeUndefined();
  });

  it("waits for a lock that is given up in time", async () => {
    await using folder = await createTemporaryFolder();
    const holder = spawn(process.execPath, [HOLDER, folder.path], { stdio: ["ignore", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    holder.kill("SIGKILL");
    expect(lockError(folder.path, 10_000)).toBeUndefined();
    if (holder.exitCode === null && holder.signalCode === null) await once(holder, "exit");
  });
});
