// Where commands reach an agent that runs: a socket in a folder of this user alone, since the password passes there.
import { existsSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { connectControl, serveControl } from "#agent/keyring/control.ts";
import type { GrantsApi } from "#agent/keyring/grants.ts";
import { socketFolder } from "#node/gateway/socket/socket-place.ts";
import { hostRandom } from "#shared/util/host.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const GRANTS: GrantsApi = {
  allow: () => Promise.reject(new Error("not asked here")),
  list: () => Promise.resolve([]),
  end: () => Promise.resolve(),
  confirm: () => Promise.resolve(),
};

afterEach(() => vi.unstubAllEnvs());

it("serves in a folder that is closed to others, and nothing is left of it", async () => {
  await using folder = await createTemporaryFolder();
  const stop = await serveControl(folder.path, undefined, GRANTS);
  const grants = await connectControl(folder.path);
  expect(await grants.list()).toEqual([]);
  grants.close();
  stop();
  expect(existsSync(join(folder.path, "control.json"))).toBe(false);
  await expect(connectControl(folder.path)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

it("refuses a folder that another one put in its place, where the agent's own path is too long for a socket", async () => {
  await using folder = await createTemporaryFolder();
  vi.stubEnv("TMPDIR", folder.path);
  const profile = join(folder.path, "a".repeat(90));
  mkdirSync(profile, { mode: 0o700 });
  const surroundings = { platform: process.platform, profile, runtimeDir: undefined, temporaryDir: folder.path, uid: process.getuid?.() };
  const place = socketFolder({ ...surroundings, random: hostRandom });
  expect(dirname(place)).toBe(folder.path);
  const elsewhere = join(folder.path, "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, place);
  await expect(serveControl(profile, undefined, GRANTS)).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
  expect(existsSync(join(profile, "control.json"))).toBe(false);
  expect(lstatSync(place).isSymbolicLink()).toBe(true);
});
