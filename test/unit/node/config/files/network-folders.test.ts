import { readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataFolder } from "#node/config/files/data-folder.ts";
import { createNetworkFolders, type NetworkRequest } from "#node/config/files/network-folders.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const START_MS = 1_800_000_000_000;
let folder: TemporaryFolder;
let calls = 0;
const random = (length: number): Uint8Array => {
  calls += 1;
  return new Uint8Array(length).fill(calls);
};
const request = (changes: Partial<NetworkRequest> = {}): NetworkRequest => ({
  path: join(folder.path, "net"),
  validators: 4,
  nodes: 2,
  basePort: 9_000,
  nowMs: START_MS,
  random,
  peerName: peerNameOf,
  ...changes,
});

beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

describe("folders of a new network", () => {
  it("start without a flag, on one network, validators first", () => {
    const { genesis, nodes } = createNetworkFolders(request());
    expect(nodes).toHaveLength(6);
    expect(nodes.map(({ isValidator }) => isValidator)).toEqual([true, true, true, true, false, false]);
    const opened = nodes.map(({ dataDir }) =>
      openDataFolder({ path: dataDir, genesisPath: undefined, isDevelopment: false, nowMs: START_MS, random }),
    );
    expect(new Set(opened.map(({ genesisHash }) => genesisHash)).size).toBe(1);
    expect(genesis.validators.map(({ pub_key }) => pub_key)).toEqual(opened.slice(0, 4).map(({ nodeKey }) => nodeKey.publicKey));
    expect(new Set(opened.map(({ nodeKey }) => nodeKey.publicKey)).size).toBe(6);
    expect(new Set(opened.map(({ faucetKey }) => faucetKey?.publicKey))).toEqual(new Set(genesis.accounts.map(({ pub_key }) => pub_key)));
  });

  it("say where each node listens and whom it meets", () => {
    const { nodes } = createNetworkFolders(request());
    for (const [index, { dataDir, url, p2pAddress }] of nodes.entries()) {
      const config = loadNodeConfig({ flags: { dataDir }, environment: { isLaunched: false }, defaultDataDir: "unused" });
      expect(config.statsAddress).toEqual({ host: "127.0.0.1", port: 9_000 + index });
      expect(config.p2p?.address).toEqual({ host: "127.0.0.1", port: 9_100 + index });
      expect(url).toBe(`http://127.0.0.1:${9_000 + index}`);
      expect(config.p2p?.bootstrap).toEqual(nodes.filter((other) => other.p2pAddress !== p2pAddress).map((other) => other.p2pAddress));
    }
  });

  it("keep keys to their owner", () => {
    const [first] = createNetworkFolders(request({ validators: 1, nodes: 0 })).nodes;
    for (const key of ["node-key", "relay-key", "faucet-key"])
      expect(statSync(join(first?.dataDir ?? "", "keys", `${key}.json`)).mode & 0o077).toBe(0);
  });

  it.each<readonly [string, Partial<NetworkRequest>, string]>([
    ["no validator", { validators: 0 }, "at least one validator"],
    ["more nodes than ports", { validators: 60, nodes: 41 }, "at most 100 nodes"],
    ["ports above the last", { basePort: 65_432 }, "--base-port"],
    ["no port", { basePort: 0 }, "--base-port"],
  ])("are not made for %s", (_, changes, message) => {
    expect(() => createNetworkFolders(request(changes))).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(message) }),
    );
  });

  it("overwrite nothing", async () => {
    const path = join(folder.path, "net");
    await mkdir(path);
    await writeFile(join(path, "mine"), "kept");
    expect(() => createNetworkFolders(request())).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("not empty") }),
    );
    expect(readFileSync(join(path, "mine"), "utf8")).toBe("kept");
    expect(() => createNetworkFolders(request({ path: join(path, "mine") }))).toThrow(/no folder/);
  });
});
