import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { apiOptions, cardRules, removeUnfinishedWork } from "#node/composition/node-start.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { mergeNodeConfig } from "#node/config/node-config.ts";
import { addDevice, writeIdentity } from "#node/ledger/records/records.ts";
import type { Log } from "#node/observability/log.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, deviceKey, emptyState } from "#test/support/worlds/ledger-world.ts";

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

it("takes the public cards of a device from whoever linked it, and not from who published its key before", () => {
  const state = emptyState();
  const { isListed } = cardRules({ state, tip: () => ({ height: 1, timeMs: 0 }) });
  const device = deviceKey(1);
  for (const { pub } of [alice, bob]) writeIdentity(state, pub, { x25519Pub: device, nickname: "" });
  expect([isListed(alice.pub, device), isListed(bob.pub, device)]).toEqual([true, true]);
  addDevice(state, { masterPub: alice.pub, x25519Pub: device, name: "", addedAt: 0 });
  expect([isListed(alice.pub, device), isListed(bob.pub, device), isListed(alice.pub, deviceKey(2))]).toEqual([true, false, false]);
});
