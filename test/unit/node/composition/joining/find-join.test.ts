// Which nodes begin with the state of a block, and when they give up waiting for one and execute all blocks instead.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findJoin, type Join } from "#node/composition/joining/find-join.ts";
import { createNetworkFolders } from "#node/config/files/network-folders.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createLog } from "#node/observability/log.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const DAY_MS = 86_400_000;
const SILENT = createLog("json", { write: () => undefined });
/** Folders of a network: two validators, and a node without a seat. */
const [VALIDATOR, FOLLOWER] = [0, 2];

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

async function decide(
  index: number,
  { ageMs = 2 * DAY_MS, sync, validators = 2 }: { readonly ageMs?: number; readonly sync?: string; readonly validators?: number } = {},
): Promise<Join | undefined> {
  const dataDir = folderOf(index, ageMs, validators);
  const flags = { dataDir, ...(sync === undefined ? {} : { sync }) };
  return await findJoin(loadNodeConfig({ flags, environment: { isLaunched: false }, defaultDataDir: dataDir }), { log: SILENT });
}

function folderOf(index: number, ageMs: number, validators: number): string {
  const path = join(folder.path, "net");
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const nodes = 1;
  const made = createNetworkFolders({ path, validators, nodes, basePort: 20_000, nowMs: Date.now() - ageMs, random, peerName: peerNameOf });
  return made.nodes[index]?.dataDir ?? "";
}

describe("a node without blocks", () => {
  it("gives up after a minute among peers that serve no state, and never while it has none", async () => {
    const found = await decide(FOLLOWER);
    expect([59_999, 60_000].map((waitedMs) => found?.givesUp(waitedMs, true))).toEqual([false, true]);
    expect(found?.givesUp(DAY_MS, false)).toBe(false);
  });

  it("that is one of the first validators gives up sooner, for the others may wait for it", async () => {
    const found = await decide(VALIDATOR);
    expect([19_999, 20_000].map((waitedMs) => found?.givesUp(waitedMs, false))).toEqual([false, true]);
  });

  it("never gives up where a state is asked for, however young the chain is", async () => {
    const found = await decide(FOLLOWER, { ageMs: 0, sync: "snapshot" });
    expect([true, false].map((hasPeers) => found?.givesUp(365 * DAY_MS, hasPeers))).toEqual([false, false]);
  });

  it.each<[string, Parameters<typeof decide>]>([
    ["is to replay", [FOLLOWER, { sync: "replay" }]],
    ["has a young chain before it", [FOLLOWER, { ageMs: DAY_MS - 60_000 }]],
    ["has a clock that is years behind", [FOLLOWER, { ageMs: -3 * 365 * DAY_MS }]],
    ["makes its network alone", [0, { sync: "snapshot", validators: 1 }]],
  ])("waits for no state when it %s", async (_what, [index, options]) => {
    expect(await decide(index, options)).toBeUndefined();
  });
});
