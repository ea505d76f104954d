// An installed app: what a link launcher adds to its arguments changes nothing, and its profile is closed to other users at each start.
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createIdentity } from "../e2e/support/person.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, startDesktop } from "./desktop-world.ts";
import { ELECTRON } from "./electron-world.ts";

const INJECTED = ["parley:tx?id=tx1abc", "--", "--stats-addr", "0.0.0.0:1", "--genesis", "http://127.0.0.1:1/genesis.json"];

let profile: DesktopProfile | undefined;
let world: DesktopWorld | undefined;

afterEach(async () => {
  await world?.quit();
  profile?.remove();
});

function isOpenToOthers(path: string): boolean {
  return (lstatSync(path).mode & 0o077) !== 0;
}

// Electron's own binary is installed only by the packager, whose test opens the packages.
it.runIf(ELECTRON === undefined)(
  "starts its node without the flags of its arguments, and with a profile that only its owner can read",
  async () => {
    profile = { ...(await createProfile()), isPackaged: true };
    chmodSync(profile.folder, 0o755);
    world = await startDesktop(profile, INJECTED);
    await world.untilNodeRuns();
    await createIdentity(world.page, new URL("/", world.page.url()).href, "Alice");
    expect(await world.quit()).toBe(0);
    const { folder } = profile;
    const own = ["", "settings.json", "keyring", "keyring/vault-a", "logs", "logs/parley.log", "node", "node/mailbox.db", "node/chain.db"]
      .map((name) => join(folder, name))
      .filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
    expect(own.length).toBeGreaterThan(6);
    expect(own.filter(isOpenToOthers)).toEqual([]);
    for (const path of own) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
    world = await startDesktop(profile, INJECTED);
    await world.untilNodeRuns();
    expect(own.filter(isOpenToOthers)).toEqual([]);
    expect(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .filter((path) => lstatSync(path).isFile() && isOpenToOthers(path)),
    ).toEqual([]);
  },
);
