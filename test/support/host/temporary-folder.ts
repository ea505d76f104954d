// Temporary folders that remove themselves: `await using folder = await createTemporaryFolder()`.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that exists until it is removed. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  /** Removes the folder and all in it; safe to call twice. */
  remove(): Promise<void>;
}

/** Fresh empty folder of mode 0700. */
export async function createTemporaryFolder(prefix = "parley-test-"): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), prefix));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
