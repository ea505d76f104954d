// A data folder that was made with wide permissions, by hand or out of a backup, is its owner's alone once a node has started in it.
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFolder } from "#node/composition/node-start.ts";
import { mergeNodeConfig } from "#node/config/node-config.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

/** Everything below a path that others than its owner may touch. */
function openToOthers(path: string): readonly string[] {
  const entry = lstatSync(path);
  const inside = entry.isDirectory() ? readdirSync(path).flatMap((name) => openToOthers(join(path, name))) : [];
  return (entry.mode & 0o077) === 0 ? inside : [path, ...inside];
}

async function start(path: string): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const config = mergeNodeConfig({ flags: { dataDir: path, dev: true }, environment: { isLaunched: false }, defaultDataDir: path }, {});
  await openFolder(config, opened);
  openMailbox(path).close();
}

it("closes what is there and what is made, at each start", async () => {
  const path = join(folder.path, "data");
  mkdirSync(path);
  chmodSync(path, 0o755);
  await start(path);
  expect(openToOthers(path)).toEqual([]);
  writeFileSync(join(path, "mailbox.db-old"), "", { mode: 0o666 });
  for (const name of ["", "keys", "consensus", "mailbox.db", "genesis.json", "keys/node-key.json"]) chmodSync(join(path, name), 0o777);
  expect(openToOthers(path)).not.toEqual([]);
  await start(path);
  expect(openToOthers(path)).toEqual([]);
});
