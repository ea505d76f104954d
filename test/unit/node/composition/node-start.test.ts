import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { apiOptions, removeUnfinishedWork } from "#node/composition/node-start.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { mergeNodeConfig } from "#node/config/node-config.ts";
import type { Log } from "#node/observability/log.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

it("serves the interface, built or not, unless that is switched off", () => {
  const optionsFor = (disableUi: boolean): unknown =>
    apiOptions(mergeNodeConfig({ flags: {}, environment: { isLaunched: false, disableUi }, defaultDataDir: "/default" }, {})).interfaceDir;
  expect([optionsFor(false), optionsFor(true)]).toEqual([expect.stringMatching(/dist.renderer$/), undefined]);
});

it.each([false, true])("removes chains that commands were making when they were killed; of an index: %s", async (isIndex) => {
  await using folder = await createTemporaryFolder();
  mkdirSync(join(folder.path, "rollback"));
  for (const name of ["chain.db", "rollback/chain.db", "rollback/chain.db-wal"]) writeFileSync(join(folder.path, name), "");
  if (isIndex) for (const name of ["reindexing", "chain.db.new"]) writeFileSync(join(folder.path, name), "");
  const warn = vi.fn<Log["warn"]>();
  removeUnfinishedWork({ paths: dataFolderPaths(folder.path) }, { warn });
  expect(readdirSync(folder.path).sort()).toEqual(isIndex ? ["chain.db", "reindexing"] : ["chain.db"]);
  expect(warn).toHaveBeenCalledTimes(isIndex ? 1 : 0);
});
