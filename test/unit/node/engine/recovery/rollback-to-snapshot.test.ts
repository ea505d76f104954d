// A stopped node whose chain begins after a block goes back further than its undo lists, from a snapshot of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { readChunk } from "#node/state/state-chunk.ts";
import { ROOT_PLACE } from "#node/state/tree-place.ts";
import { makeSnapshot } from "#node/storage/snapshots/make-snapshot.ts";
import { openSnapshot, snapshotName } from "#node/storage/snapshots/snapshot-file.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { beginAtTip } from "#test/support/chain/begun-chain.ts";
import { expectStateConsistent } from "#test/support/chain/chain-invariants.ts";
import { CONTRACTS_GENESIS, deployPadded } from "#test/support/chain/contract-calls.ts";
import { createOldChain, OLD_BLOCKS } from "#test/support/chain/recovered-chain.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, signed, validator } from "#test/support/worlds/ledger-world.ts";

const KILLED = fileURLToPath(new URL("./rollback-killed.ts", import.meta.url));
const HEARTBEAT_MS = CONTRACTS_GENESIS.params.heartbeat_interval_ms;
const WINDOW_MS = 2 * 3_600_000;
/** Behind it the transactions of the blocks that are not here may come again. */
const LATE = OLD_BLOCKS + 3;
/** One whose window is not here, and two that can be used. */
const [EARLY, LOWER, UPPER] = [OLD_BLOCKS + 2, 40, 44];
const TIP = 156;

/** Made once; each test has a copy of it. */
let made: TemporaryFolder;
let folder: TemporaryFolder;
let path = "";
/** All blocks above the first one. */
let decided: readonly DecidedBlock[] = [];
beforeAll(async () => {
  made = await createTemporaryFolder();
  const [wholePath = ""] = createOldChain(made.path, [OLD_BLOCKS]);
  path = join(made.path, "begun");
  using whole = openTestChain(wholePath, { genesis: CONTRACTS_GENESIS });
  beginAtTip(whole, path, CONTRACTS_GENESIS);
  mkdirSync(join(path, "snapshots"));
  using chain = open();
  while (chain.executor.tip().height < TIP) {
    const { height, timeMs } = chain.executor.tip();
    const nowMs = timeMs + (height + 1 === LATE ? WINDOW_MS : HEARTBEAT_MS);
    chain.commit(transactionsAt(height + 1, nowMs), nowMs);
    if ([EARLY, LOWER, UPPER].includes(height + 1)) snapshotAt(height + 1);
  }
  decided = chain.decidedAfter(OLD_BLOCKS);
});
afterAll(() => made.remove());
beforeEach(async () => {
  folder = await createTemporaryFolder();
  path = join(folder.path, "begun");
  cpSync(join(made.path, "begun"), path, { recursive: true });
});
afterEach(() => folder.remove());

/** Modules that make a state of several chunks, then transfers and empty blocks. */
function transactionsAt(height: number, nowMs: number): readonly Transaction[] {
  if (height < LATE) return [deployPadded(alice, 150_000, { salt: height })];
  return height % 7 < 3 ? [signed(alice, { type: "TRANSFER", to: bob.pub, amount: height, payload: {}, nowMs })] : [];
}

const open = (): TestChain => openTestChain(path, { genesis: CONTRACTS_GENESIS });

function snapshotAt(height: number): void {
  const identity = { chainId: CONTRACTS_GENESIS.chain_id, genesisHash: genesisHash(CONTRACTS_GENESIS) };
  const file = join(path, "snapshots", snapshotName(height));
  makeSnapshot({ directory: path, identity, height, file, logBytes: 1e9, reservedBytes: 0 }, () => false);
}

/** What the chain says from one height up to another one. */
function said(from: number, to: number): unknown {
  using chain = open();
  const { blocks, explorer } = chain.database;
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return heights.map((at) => ({ hash: blocks.summary(at)?.hash, commit: blocks.commit(at), listed: explorer.transactionsOf(at) }));
}

/** Whether each transaction of the last two hours up to a height is known. */
function knownOfWindow({ executor }: TestChain, to: number): readonly boolean[] {
  const recent = decided.filter(({ block: { header } }) => header.height >= LATE && header.height <= to);
  return recent.flatMap(({ block }) => block.transactions.map(({ id }) => executor.hasSeenId(id)));
}

const tipHash = (): string => {
  using chain = open();
  return chain.executor.tip().hash;
};

describe("rollback of a chain that begins after a block, below its undo lists", () => {
  it.each([
    [TIP - 101, UPPER],
    [UPPER, UPPER],
    [UPPER - 1, LOWER],
    [LOWER, LOWER],
  ])("gives block %i from the snapshot of block %i, and follows the same blocks again", async (height, first) => {
    const [before, tip] = [said(first, height), tipHash()];
    const seen: number[] = [];
    expect(await rollbackFolder(path, height, { onProgress: (at) => seen.push(at) })).toEqual({ from: TIP, to: height });
    expect(seen).toEqual(height === first ? [] : [height]);
    expect(readdirSync(path)).not.toContain("rollback");
    expect(said(first, height)).toEqual(before);
    {
      using chain = open();
      expect(chain.executor.tip().height).toBe(height);
      expect(chain.database.blocks.firstHeight()).toBe(first);
      expect(chain.database.blocks.commit(first - 1)?.height).toBe(first - 1);
      expect(new Set(knownOfWindow(chain, height))).toEqual(new Set([true]));
      expectStateConsistent(chain.database);
    }
    expect(checkFolder(path, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
    using chain = open();
    expect(await chain.applyBatch(decided.slice(height - OLD_BLOCKS))).toBe(TIP - height);
    expect(chain.executor.tip().hash).toBe(tip);
  });

  it("copies a state of several chunks", () => {
    const snapshot = openSnapshot(join(path, "snapshots", snapshotName(UPPER)));
    expect(readChunk(snapshot, ROOT_PLACE)).toHaveProperty("levels");
    snapshot.close();
  });

  it("reads blocks out of files", async () => {
    {
      using chain = open();
      await sealTestChain(chain, { depth: 20, maxBlocks: 8, maxBytes: 1_000_000 });
      chain.database.inTransaction(() => chain.database.blocks.removeSealed());
      expect(chain.database.blocks.sealedTo()).toBeGreaterThan(100);
    }
    const before = said(UPPER, 50);
    expect(await rollbackFolder(path, 50)).toEqual({ from: TIP, to: 50 });
    expect(said(UPPER, 50)).toEqual(before);
    using chain = open();
    expect(chain.database.blocks.sealedTo()).toBe(-1);
    expect(await chain.applyBatch(decided.slice(50 - OLD_BLOCKS))).toBe(TIP - 50);
  });

  it.each([LOWER - 1, EARLY, -1])("refuses block %i, which no snapshot of use leads to", async (height) => {
    const tip = tipHash();
    await expect(rollbackFolder(path, height)).rejects.toThrow(`This folder can give the heights ${LOWER} to ${TIP}, not ${height}`);
    rmSync(join(path, "snapshots"), { recursive: true });
    await expect(rollbackFolder(path, height)).rejects.toThrow(`This folder can give the heights ${TIP - 100} to ${TIP}, not ${height}`);
    expect(tipHash()).toBe(tip);
  });

  it("leaves the chain as it was when it is killed, and the next one reaches the block", async () => {
    const before = said(OLD_BLOCKS, TIP);
    const child = spawn(process.execPath, [KILLED, path, "50"], { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect(readdirSync(path)).toContain("rollback");
    expect(said(OLD_BLOCKS, TIP)).toEqual(before);
    expect(await rollbackFolder(path, 50)).toEqual({ from: TIP, to: 50 });
    expect(readdirSync(path)).not.toContain("rollback");
  });

  it.each([
    ["a balance", "UPDATE leaves SET value = (SELECT value FROM leaves WHERE namespace = 'supply') WHERE namespace = 'account'"],
    ["a record too few", "DELETE FROM leaves WHERE path = (SELECT MIN(path) FROM leaves)"],
    ["no hashes beside a chunk", "DELETE FROM tree_pages"],
    ["pages that are none", "UPDATE tree_pages SET page = x'00'"],
    ["records that are none", "UPDATE leaves SET value = x'' WHERE path = (SELECT MIN(path) FROM leaves)"],
    ["a path too short", "UPDATE leaves SET path = x'00' WHERE path = (SELECT MIN(path) FROM leaves)"],
    ["no records at all", "DROP TABLE leaves"],
    ["no word of what it is", "DROP TABLE meta"],
    ["a file of another program", "PRAGMA application_id = 1"],
  ])("believes nothing of a snapshot: %s", async (_what, sql) => {
    const tip = tipHash();
    const file = join(path, "snapshots", snapshotName(UPPER));
    const database = new Database(file);
    database.exec(sql);
    database.close();
    await expect(rollbackFolder(path, 50)).rejects.toThrow(`${file} is not the state of block ${UPPER}`);
    expect(readdirSync(path)).not.toContain("rollback");
    writeFileSync(file, "no database");
    await expect(rollbackFolder(path, 50)).rejects.toThrow(`${file} is not the state of block ${UPPER}`);
    expect(tipHash()).toBe(tip);
    rmSync(file);
    expect(await rollbackFolder(path, 50)).toEqual({ from: TIP, to: 50 });
    using chain = open();
    expect(chain.database.blocks.firstHeight()).toBe(LOWER);
  });

  it.each([
    ["named", "INSERT INTO own (pub, from_height, from_ms) VALUES (zeroblob(32), 30, 0)"],
    ["kept", "INSERT INTO kept (pub, number, seq, entry) VALUES (zeroblob(32), 1, 1, x'00')"],
  ])("loses no entries that the folder keeps for its owner: %s", async (_what, sql) => {
    const database = new Database(join(path, "chain.db"));
    database.exec(sql);
    database.close();
    await expect(rollbackFolder(path, 50)).rejects.toThrow("own accounts that this folder keeps from before would be lost");
    expect(await rollbackFolder(path, TIP - 100)).toEqual({ from: TIP, to: TIP - 100 });
  });

  it("tells the only validator which copy to export from", async () => {
    mkdirSync(join(path, "keys"));
    const key = { kind: "ed25519", public_key: validator.pub, secret_key: toHex(validator.seed) };
    writeFileSync(join(path, "keys", "node-key.json"), JSON.stringify(key), { mode: 0o600 });
    await expect(rollbackFolder(path, 50)).rejects.toThrow("of a copy without its keys, with snapshots/ beside it, that was rolled back");
  });
});
