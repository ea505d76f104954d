import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provenLeaves, readChunk } from "#node/state/state-chunk.ts";
import { ROOT_PLACE } from "#node/state/tree-place.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { makeSnapshot, type SnapshotSetting } from "#node/storage/snapshots/make-snapshot.ts";
import { heightOfSnapshot, openSnapshot } from "#node/storage/snapshots/snapshot-file.ts";
import { startSnapshot } from "#node/storage/snapshots/snapshot-thread.ts";
import { openSqliteReader } from "#node/storage/sqlite-database.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { mixedBlock } from "../../../../support/chain/mixed-blocks.ts";
import { openTestChain, type TestChain } from "../../../../support/chain/test-chain.ts";
import { createRandom } from "../../../../support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../../../support/host/temporary-folder.ts";
import { CHAIN_ID, GENESIS } from "../../../../support/worlds/ledger-world.ts";

const BLOCKS = 12;
const HEIGHT = 8;
/** Of SQLite's file format, version 2 of which has a log of its own. */
const [WRITE_VERSION_AT, WITHOUT_LOG] = [18, 1];

let folder: TemporaryFolder;
let chain: TestChain;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  chain = openTestChain(folder.path);
  const random = createRandom(7);
  for (let height = 1; height <= BLOCKS; height += 1) chain.commit(mixedBlock(height, random));
});

afterEach(async () => {
  chain.close();
  await folder.remove();
});

function setting(over: Partial<SnapshotSetting> = {}): SnapshotSetting {
  const identity = { chainId: CHAIN_ID, genesisHash: genesisHash(GENESIS) };
  return {
    directory: folder.path,
    identity,
    height: HEIGHT,
    file: join(folder.path, `${HEIGHT}.db`),
    logBytes: 1e9,
    reservedBytes: 0,
    ...over,
  };
}

/** Key and value of every leaf that the root of the height proves. */
function provenRecords(height: number): readonly string[] {
  const snapshot = openSnapshot(join(folder.path, `${height}.db`));
  try {
    const chunk = readChunk(snapshot, ROOT_PLACE);
    const root = fromHex(chain.database.blocks.header(height)?.stateRoot ?? "");
    const leaves = "records" in chunk ? provenLeaves(root, ROOT_PLACE, chunk) : "it is split";
    if (typeof leaves === "string") throw new Error(leaves);
    expect(snapshot).toMatchObject({ height, records: leaves.length, stateRoot: toHex(root) });
    return leaves.map(({ namespace, key, value }) => `${namespace} ${toHex(key)} ${toHex(value)}`).sort();
  } finally {
    snapshot.close();
  }
}

function committedRecords(): readonly string[] {
  const database = openSqliteReader(join(folder.path, "chain.db"), CHAIN_DATABASE);
  try {
    const rows = database.prepare<[], { namespace: string; key: Uint8Array; value: Uint8Array }>("SELECT namespace, key, value FROM state");
    return rows
      .all()
      .map(({ namespace, key, value }) => `${namespace} ${toHex(key)} ${toHex(value)}`)
      .sort();
  } finally {
    database.close();
  }
}

describe("making a snapshot", () => {
  it("gives the state of an earlier block, proven by its header", () => {
    const made = makeSnapshot(setting(), () => false);
    const records = provenRecords(HEIGHT);
    expect(made.records).toBe(records.length);
    expect(records).not.toEqual(committedRecords());
    chain.database.rollback(HEIGHT);
    expect(records).toEqual(committedRecords());
  });

  it("gives the state of the newest block", () => {
    makeSnapshot(setting({ height: BLOCKS, file: join(folder.path, `${BLOCKS}.db`) }), () => false);
    expect(provenRecords(BLOCKS)).toEqual(committedRecords());
  });

  it("leaves nothing but the finished file, which has no log that a reader would need", () => {
    makeSnapshot(setting(), () => false);
    openSnapshot(setting().file).close();
    expect(readFileSync(setting().file)[WRITE_VERSION_AT]).toBe(WITHOUT_LOG);
    expect(readdirSync(folder.path).filter((name) => !name.startsWith("chain.db"))).toEqual([`${HEIGHT}.db`]);
    expect(heightOfSnapshot(`${HEIGHT}.db`)).toBe(HEIGHT);
    expect(heightOfSnapshot(`${HEIGHT}.db.copy.tmp`)).toBeUndefined();
  });

  it.each([
    ["the node stops", {}, "UNAVAILABLE", "the node stops"],
    ["the log grew too large", { logBytes: 0 }, "UNAVAILABLE", "the log of the chain grew too large"],
    ["the disk is full", { reservedBytes: Number.MAX_SAFE_INTEGER }, "STORAGE_FULL", "too little room"],
    ["the block is not there", { height: BLOCKS + 1 }, "UNAVAILABLE", "is not there yet"],
  ] as const)("is given up without a trace when %s", (what, over, code, words) => {
    const make = (): unknown => makeSnapshot(setting(over), () => what === "the node stops");
    expect(make).toThrow(expect.objectContaining({ code, message: expect.stringContaining(words) }));
    expect(readdirSync(folder.path).filter((name) => name.includes(`${HEIGHT}.db`))).toEqual([]);
    chain.commit();
  });

  it("is given up when the chain is too far", () => {
    for (let more = 0; more < 101; more += 1) chain.commit();
    expect(() => makeSnapshot(setting(), () => false)).toThrow("cannot be rolled back to");
  });

  it("finds a state that is not that of its block", () => {
    chain.database.inTransaction(() => chain.database.state.apply([], [{ prefix: "", before: undefined, after: undefined }]));
    expect(() => makeSnapshot(setting(), () => false)).toThrow();
    expect(existsSync(join(folder.path, `${HEIGHT}.db`))).toBe(false);
  });

  it("goes on beside blocks on a thread of its own", async () => {
    const making = startSnapshot(setting());
    for (let more = 0; more < 20; more += 1) chain.commit();
    const { records, bytes } = await making.done;
    expect(records).toBe(provenRecords(HEIGHT).length);
    expect(bytes).toBeGreaterThan(0);
  });

  it("says on the thread why it is given up", async () => {
    const making = startSnapshot(setting());
    making.stop();
    await expect(making.done).rejects.toMatchObject({ code: "UNAVAILABLE", message: "The snapshot was given up: the node stops" });
    await expect(startSnapshot(setting({ directory: join(folder.path, "none") })).done).rejects.toThrow("directory does not exist");
  });
});
