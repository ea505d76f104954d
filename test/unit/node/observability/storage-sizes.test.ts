// Sizes of the parts of a data folder, on real files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DataFolderPaths } from "#node/config/files/data-folder.ts";
import { storageSizes } from "#node/observability/storage-sizes.ts";
import { createTemporaryFolder } from "../../../support/host/temporary-folder.ts";

it("counts databases with their logs, and looks again only after a while", async () => {
  const folder = await createTemporaryFolder();
  try {
    const path = (name: string): string => join(folder.path, name);
    const write = (name: string, bytes: number): void => writeFileSync(path(name), Buffer.alloc(bytes));
    mkdirSync(path("consensus"));
    write("chain.db", 100);
    write("chain.db-wal", 20);
    write("light.db", 1);
    write("light.db-wal", 2);
    write("mailbox.db", 7);
    write("genesis.json", 1_000);
    write("consensus/wal", 3);
    write("consensus/guard", 2);
    let nowMs = 5;
    const paths = {
      root: folder.path,
      chain: path("chain.db"),
      light: path("light.db"),
      mailbox: path("mailbox.db"),
      consensus: path("consensus"),
    } as DataFolderPaths;
    const sizes = storageSizes(paths, { monotonicMs: () => nowMs });
    expect(sizes()).toEqual({ chain_bytes: 123, mailbox_bytes: 7, consensus_bytes: 5 });
    write("chain.db", 300);
    nowMs += 9_000;
    expect(sizes().chain_bytes).toBe(123);
    nowMs += 1_000;
    expect(sizes().chain_bytes).toBe(323);
  } finally {
    await folder.remove();
  }
});
