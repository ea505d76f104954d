import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDataFolder, type DataFolder, openDataFolder, takeNewKeyMark } from "#node/config/files/data-folder.ts";
import { genesisSupply } from "#shared/protocol/chain/genesis.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

function open(options: { readonly path?: string; readonly genesisPath?: string; readonly isDevelopment?: boolean } = {}): DataFolder {
  const path = options.path ?? join(folder.path, "data");
  createDataFolder(path);
  return openDataFolder({
    path,
    genesisPath: options.genesisPath,
    isDevelopment: options.isDevelopment ?? false,
    nowMs: 1_767_225_600_999,
    random: (length) => new Uint8Array(randomBytes(length)),
  });
}

describe("takeNewKeyMark", () => {
  it("says once that the node key is new, and never of a key that was there", async () => {
    const opened = open({ isDevelopment: true });
    expect([takeNewKeyMark(opened), takeNewKeyMark(opened)]).toEqual([true, false]);
    expect(takeNewKeyMark(open())).toBe(false);
    // The folder is emptied, and the key stays.
    await rm(opened.paths.consensus, { recursive: true });
    expect(takeNewKeyMark(open())).toBe(false);
  });

  it("says nothing of a key that took the place of the new one", async () => {
    const opened = open({ isDevelopment: true });
    const other = open({ isDevelopment: true, path: join(folder.path, "other") });
    await writeFile(opened.paths.nodeKey, await readFile(other.paths.nodeKey));
    const swapped = open();
    expect(swapped.nodeKey.publicKey).toBe(other.nodeKey.publicKey);
    expect(takeNewKeyMark(swapped)).toBe(false);
  });
});

describe("openDataFolder", () => {
  it("makes a development network of one validator with a faucet, and finds it again", () => {
    const first = open({ isDevelopment: true });
    expect(first.genesis.chain_id).toMatch(/^parley-dev-[0-9a-f]{8}$/);
    expect(first.genesis.genesis_time).toBe("2026-01-01T00:00:00Z");
    expect(first.genesis.development).toBe(true);
    expect(first.genesis.validators.map((validator) => validator.pub_key)).toEqual([first.nodeKey.publicKey]);
    expect(first.genesis.accounts.map((account) => account.pub_key)).toEqual([first.faucetKey?.publicKey]);
    expect(genesisSupply(first.genesis)).toBeLessThan(MAX_SUPPLY_UT);
    expect(open({ isDevelopment: true })).toEqual(first);
    expect(open()).toEqual(first);
  });

  it("keeps folder and keys from other users", async () => {
    const { paths } = open({ isDevelopment: true });
    const modes = await Promise.all(
      [paths.root, paths.nodeKey, paths.relayKey, paths.faucetKey].map(async (path) => (await stat(path)).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it("joins the network of a genesis file, with a key of its own and no faucet key", () => {
    const network = open({ isDevelopment: true });
    const joined = open({ path: join(folder.path, "other"), genesisPath: network.paths.genesis });
    expect(joined.genesisHash).toBe(network.genesisHash);
    expect(joined.nodeKey.publicKey).not.toBe(network.nodeKey.publicKey);
    expect(joined.faucetKey).toBeUndefined();
  });

  it("continues after a start that was interrupted before the genesis was written", async () => {
    await mkdir(join(folder.path, "data", "keys"), { recursive: true });
    const first = open({ isDevelopment: true });
    expect((await readdir(first.paths.root)).sort()).toEqual(["consensus", "genesis.json", "keys"]);
  });

  it("refuses an empty folder when no network is named", async () => {
    expect(() => open()).toThrow(/holds no network yet: start with --dev .* or with --genesis FILE/);
    expect(await readdir(join(folder.path, "data"))).toEqual([]);
  });

  it("refuses a folder of something else and leaves it alone", async () => {
    await writeFile(join(folder.path, "thesis.txt"), "mine");
    expect(() => open({ path: folder.path, isDevelopment: true })).toThrow(/is not a Parley data folder \(it holds thesis.txt/);
    expect(await readdir(folder.path)).toEqual(["thesis.txt"]);
  });

  it("refuses the genesis of another network and --dev on a network that is none", async () => {
    const network = open({ isDevelopment: true });
    const other = open({ path: join(folder.path, "other"), isDevelopment: true });
    expect(() => open({ genesisPath: other.paths.genesis })).toThrow(/belongs to the network parley-dev-.*, not to parley-dev-/);
    await writeFile(network.paths.genesis, JSON.stringify({ ...network.genesis, development: false }));
    expect(() => open({ isDevelopment: true })).toThrow(/which is no development network/);
  });

  it("says which genesis file is missing or broken", async () => {
    const path = join(folder.path, "genesis.json");
    expect(() => open({ genesisPath: path })).toThrow(`There is no genesis file at ${path}`);
    await writeFile(path, "{");
    expect(() => open({ genesisPath: path })).toThrow(/is not a genesis file: it is not valid JSON/);
    await writeFile(path, "{}");
    expect(() => open({ genesisPath: path })).toThrow(/The genesis file is invalid/);
  });

  it("refuses damaged keys and a damaged genesis instead of replacing them", async () => {
    const { paths } = open({ isDevelopment: true });
    const key = JSON.parse(await readFile(paths.nodeKey, "utf8"));
    const damaged = `${JSON.stringify({ ...key, secret_key: "00".repeat(32) })}\n`;
    await writeFile(paths.nodeKey, damaged);
    expect(() => open()).toThrow(/node-key.json is damaged/);
    expect(await readFile(paths.nodeKey, "utf8")).toBe(damaged);
    await writeFile(paths.genesis, "{}");
    expect(() => open()).toThrow(/genesis.json is damaged/);
  });

  it("says that a file is in the way of the folder", async () => {
    await writeFile(join(folder.path, "data"), "");
    expect(() => open({ isDevelopment: true })).toThrow(/is in the way of a folder or file of that name/);
  });
});
