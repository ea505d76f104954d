// A stopped node goes back to an earlier block: the state and index of that block, the limits, and what its key has signed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createEngineStorage } from "#node/engine/log/engine-storage.ts";
import { SignGuard } from "#node/engine/log/sign-guard.ts";
import { backupFolder } from "#node/engine/recovery/backup-folder.ts";
import { exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { takeUpBlocks } from "#node/engine/recovery/take-up-blocks.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { toHex } from "#shared/util/bytes.ts";
import { expectIndexComplete, expectReplayable, expectStateConsistent } from "#test/support/chain/chain-invariants.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { createOldChain, OLD_BLOCKS, PLAN } from "#test/support/chain/recovered-chain.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { validator } from "#test/support/worlds/ledger-world.ts";

const KILLED = fileURLToPath(new URL("./rollback-killed.ts", import.meta.url));

/** Made once: the chain of which each test has a copy, and the same with more blocks than can be taken back one by one. */
let made: TemporaryFolder;
const [OLD, GROWN] = ["old", "grown"];
let folder: TemporaryFolder;
let path = "";
beforeAll(async () => {
  made = await createTemporaryFolder();
  const [old = ""] = createOldChain(made.path, [OLD_BLOCKS]);
  renameSync(old, join(made.path, OLD));
  cpSync(join(made.path, OLD), join(made.path, GROWN), { recursive: true });
  using chain = openTestChain(join(made.path, GROWN), { genesis: CONTRACTS_GENESIS });
  for (let count = 0; count < 80; count += 1) chain.commit();
});
afterAll(() => made.remove());
beforeEach(async () => {
  folder = await createTemporaryFolder();
  path = join(folder.path, "chain");
  cpSync(join(made.path, OLD), path, { recursive: true });
});
afterEach(() => folder.remove());

const open = (): TestChain => openTestChain(path, { genesis: CONTRACTS_GENESIS });

/** Puts the key of the only validator into the folder. */
function becomeValidator(): void {
  mkdirSync(join(path, "keys"), { mode: 0o700 });
  const key = { kind: "ed25519", public_key: validator.pub, secret_key: toHex(validator.seed) };
  writeFileSync(join(path, "keys", "node-key.json"), JSON.stringify(key), { mode: 0o600 });
}

/** More blocks than can be taken back one by one; what was added to the folder stays. */
function grow(): void {
  cpSync(join(made.path, GROWN), path, { recursive: true });
}

/** What the chain says up to a height. */
function rootsAndLists(height: number): readonly [roots: unknown, lists: unknown] {
  using chain = open();
  const heights = Array.from({ length: height + 1 }, (_, at) => at);
  return [heights.map((at) => chain.database.blocks.summary(at)), heights.map((at) => chain.database.explorer.transactionsOf(at))];
}

describe("rollback of a folder", () => {
  it.each([OLD_BLOCKS - 1, 7, 0])("gives the chain of block %i, from which it can continue", async (height) => {
    expect(await rollbackFolder(path, height)).toEqual({ from: OLD_BLOCKS, to: height });
    using chain = open();
    expect(chain.executor.tip().height).toBe(height);
    expectStateConsistent(chain.database);
    expectIndexComplete(chain.database);
    expectReplayable(chain.database, CONTRACTS_GENESIS);
    expect(chain.commit().header.height).toBe(height + 1);
  });

  it("does nothing at the newest block, and refuses what is above or below in words", async () => {
    expect(await rollbackFolder(path, OLD_BLOCKS)).toEqual({ from: OLD_BLOCKS, to: OLD_BLOCKS });
    await expect(rollbackFolder(path, OLD_BLOCKS + 1)).rejects.toThrow("its newest block is below");
  });

  it.each([6, 5, 1, 0])("executes the chain again to reach block %i, far below, and gives what was there", async (height) => {
    const [roots, listed] = rootsAndLists(height);
    grow();
    const seen: number[] = [];
    expect(await rollbackFolder(path, height, { onProgress: (at) => seen.push(at) })).toEqual({ from: 110, to: height });
    expect(seen).toEqual(height === 0 ? [] : [height]);
    expect(readdirSync(path)).not.toContain("rollback");
    expect(rootsAndLists(height)).toEqual([roots, listed]);
    using chain = open();
    expect(chain.executor.tip().height).toBe(height);
    expectStateConsistent(chain.database);
    expectIndexComplete(chain.database);
    expectReplayable(chain.database, CONTRACTS_GENESIS);
    expect(chain.commit().header.height).toBe(height + 1);
    chain.database.rollback(height);
    expect(chain.database.blocks.tipHeight()).toBe(height);
  });

  it("keeps named accounts, removes later snapshots, and reads blocks out of files", async () => {
    grow();
    {
      using chain = open();
      chain.database.own.add([validator.pub]);
      await sealTestChain(chain, { depth: 20, maxBlocks: 8, maxBytes: 1_000_000 });
      chain.database.inTransaction(() => chain.database.blocks.removeSealed());
      expect(chain.database.blocks.sealedTo()).toBeGreaterThan(60);
    }
    mkdirSync(join(path, "snapshots"));
    for (const name of ["6.db", "7.db", "90.db", "notes.txt"]) writeFileSync(join(path, "snapshots", name), "");
    expect(await rollbackFolder(path, 6)).toEqual({ from: 110, to: 6 });
    expect(readdirSync(join(path, "snapshots")).sort()).toEqual(["6.db", "notes.txt"]);
    using chain = open();
    expect(chain.database.own.all().map(({ publicKey }) => publicKey)).toEqual([validator.pub]);
    expect(chain.database.blocks.sealedTo()).toBe(-1);
    const { history, takenBack } = chain.database;
    const problems: string[] = [];
    const taken = takeUpBlocks({ history, takenBack, executor: chain.executor, onProblem: (_, reason) => void problems.push(reason) });
    expect(await taken).toBe(0);
    expect(problems).toEqual([expect.stringContaining("the blocks above 6 were taken back")]);
    expectReplayable(chain.database, CONTRACTS_GENESIS);
  });

  it("leaves the chain as it was when it is killed, and the next one reaches the block", async () => {
    grow();
    const before = rootsAndLists(110);
    const child = spawn(process.execPath, [KILLED, path, "5"], { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect(readdirSync(path)).toContain("rollback");
    expect(rootsAndLists(110)).toEqual(before);
    expect(await rollbackFolder(path, 5)).toEqual({ from: 110, to: 5 });
    expect(readdirSync(path)).not.toContain("rollback");
    using chain = open();
    expectReplayable(chain.database, CONTRACTS_GENESIS);
  });

  it("leaves the chain as it was where a block is damaged, the disk is small or a process before was killed", async () => {
    grow();
    mkdirSync(join(path, "rollback"));
    writeFileSync(join(path, "rollback", "chain.db"), "half a chain");
    await expect(rollbackFolder(path, 5, { freeBytes: () => 1_000 })).rejects.toThrow(/which takes \d+ MiB, and 1 MiB are free/);
    const database = new Database(join(path, "chain.db"));
    const damage = "UPDATE block_bodies SET commit_record = (SELECT commit_record FROM block_bodies WHERE height = 4) WHERE height = 3";
    const commit = database.prepare("SELECT commit_record FROM block_bodies WHERE height = 3").pluck().get();
    database.exec(damage);
    await expect(rollbackFolder(path, 5)).rejects.toThrow("its commit does not prove it");
    expect(readdirSync(path)).not.toContain("rollback");
    database.prepare("UPDATE block_bodies SET commit_record = ? WHERE height = 3").run(commit);
    database.close();
    expect(open().executor.tip().height).toBe(110);
    expect(await rollbackFolder(path, 5)).toEqual({ from: 110, to: 5 });
  });

  it("reaches exactly the heights whose state can be exported", async () => {
    grow();
    const out = join(folder.path, "out");
    expect(() => exportGenesis(path, out, { ...PLAN, height: 9 })).toThrow("the heights 10 to 110");
    const exported = exportGenesis(path, out, { ...PLAN, height: 10 });
    await rollbackFolder(path, 10);
    using chain = open();
    expect(chain.database.blocks.summary(10)?.stateRoot).toBe(exported.genesis.previous?.state_root);
  });

  it("refuses the only validator, which would not sign those heights again", async () => {
    becomeValidator();
    await expect(rollbackFolder(path, 7)).rejects.toThrow("is the only validator of block 8 and has signed it");
    using chain = open();
    expect(chain.executor.tip().height).toBe(OLD_BLOCKS);
  });

  it("exports a block far below out of a copy without keys", async () => {
    becomeValidator();
    const [roots] = rootsAndLists(5);
    grow();
    await expect(rollbackFolder(path, 5)).rejects.toThrow("of a copy without its keys that was rolled back (parley backup --without-keys)");
    const copy = join(folder.path, "copy");
    await backupFolder(path, copy, { hasKeys: false });
    await rollbackFolder(copy, 5);
    const { genesis } = exportGenesis(copy, join(folder.path, "out"), { ...PLAN, height: 5 });
    expect((roots as readonly { readonly stateRoot: string }[])[5]?.stateRoot).toBe(genesis.previous?.state_root);
  });

  it("refuses it also where a signer has its key", async () => {
    const file = createEngineStorage(join(path, "consensus")).openGuard();
    const guard = new SignGuard(file, CONTRACTS_GENESIS.chain_id, createValidatorSigner(validator.seed));
    guard.sign({ height: OLD_BLOCKS, round: 0, step: "precommit" }, Uint8Array.of(1));
    guard.flush();
    await expect(rollbackFolder(path, 7)).rejects.toThrow("is the only validator of block 8 and has signed it");
  });

  it("touches nothing of what the key has signed", async () => {
    mkdirSync(join(path, "consensus"));
    writeFileSync(join(path, "consensus", "sign-guard"), "signed");
    await rollbackFolder(path, 7);
    expect(readdirSync(join(path, "consensus"))).toEqual(["sign-guard"]);
    expect(readFileSync(join(path, "consensus", "sign-guard"), "utf8")).toBe("signed");
  });

  it("is refused while a node uses the folder, and of a database that is damaged", async () => {
    const lock = lockDataFolder(path);
    await expect(rollbackFolder(path, 7)).rejects.toThrow("Another node uses the data folder");
    lock.release();
    {
      using chain = open();
      chain.database.inTransaction(() =>
        chain.database.state.apply(
          [{ namespace: "supply", key: Buffer.from("x"), value: Buffer.from("y") }],
          [{ prefix: "", before: undefined, after: undefined }],
        ),
      );
    }
    await expect(rollbackFolder(path, 7)).rejects.toThrow("is damaged (its state is not the one of block 30)");
  });
});
