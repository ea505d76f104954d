// A copy of a folder whose node goes on writing: whole, private, startable, and without what the key has signed.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backupFolder } from "#node/engine/recovery/backup-folder.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { createOldChain, OLD_BLOCKS } from "#test/support/chain/recovered-chain.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
let path = "";
let out = "";
beforeEach(async () => {
  folder = await createTemporaryFolder();
  [path = ""] = createOldChain(folder.path, [OLD_BLOCKS]);
  out = join(folder.path, "copy");
  mkdirSync(join(path, "keys"), { mode: 0o700 });
  writeFileSync(join(path, "keys", "node-key.json"), "secret", { mode: 0o600 });
  mkdirSync(join(path, "consensus"));
  writeFileSync(join(path, "consensus", "sign-guard"), "signed");
  writeFileSync(join(path, "endpoint.json"), "{}");
});
afterEach(() => folder.remove());

const findings = (): unknown => checkFolder(out, { isFull: true, onProgress: () => undefined }).findings;

describe("a backup", () => {
  it("is one state of a chain that goes on, and can itself go on", () => {
    using chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    chain.commit();
    expect(backupFolder(path, out, { hasKeys: true })).toEqual({ height: OLD_BLOCKS + 1 });
    expect(chain.commit().header.height).toBe(OLD_BLOCKS + 2);
    expect(findings()).toEqual([]);
    using copy = openTestChain(out, { genesis: CONTRACTS_GENESIS });
    expect(copy.executor.tip().height).toBe(OLD_BLOCKS + 1);
    expect(copy.commit().header.height).toBe(OLD_BLOCKS + 2);
  });

  it("is not made of a folder that lacks a file of old blocks, or has part of one", async () => {
    const chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    await sealTestChain(chain, { depth: 3, maxBlocks: 4, maxBytes: 1_000_000 });
    chain.close();
    const file = join(path, "history", "0-3.seg");
    truncateSync(file, 100);
    expect(() => backupFolder(path, out, { hasKeys: false })).toThrow(/0-3\.seg is damaged at byte 100/);
    rmSync(file);
    expect(() => backupFolder(path, out, { hasKeys: false })).toThrow(/0-3\.seg is damaged at byte 0 \(it is missing\)/);
    expect(existsSync(out)).toBe(false);
  });

  it("has the files of old blocks, which it shares with the folder", async () => {
    const chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    await sealTestChain(chain, { depth: 3, maxBlocks: 4, maxBytes: 1_000_000 });
    const sealedTo = chain.database.blocks.sealedTo();
    expect(sealedTo).toBeGreaterThan(3);
    chain.commit();
    chain.close();
    writeFileSync(join(path, "history", "left.seg.tmp"), "left by a crash");
    expect(backupFolder(path, out, { hasKeys: false })).toEqual({ height: OLD_BLOCKS + 1 });
    const [names, copied] = [path, out].map((place) => readdirSync(join(place, "history")).toSorted());
    expect(copied).toEqual(names?.filter((name) => name !== "left.seg.tmp"));
    for (const name of copied ?? []) expect(statSync(join(out, "history", name)).ino).toBe(statSync(join(path, "history", name)).ino);
    expect(findings()).toEqual([]);
    // What is gone from one folder stays in the other.
    rmSync(path, { recursive: true });
    using copy = openTestChain(out, { genesis: CONTRACTS_GENESIS });
    expect(copy.database.blocks.get(2)?.block.header.height).toBe(2);
    expect(copy.commit().header.height).toBe(OLD_BLOCKS + 2);
  });

  it("is whole beside a node that drops old blocks meanwhile, with what was there when the database was copied", async () => {
    const chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    await sealTestChain(chain, { depth: 3, maxBlocks: 4, maxBytes: 1_000_000 });
    chain.close();
    const onCopied = (): void => rmSync(join(path, "history", "0-3.seg"), { force: true });
    expect(backupFolder(path, out, { hasKeys: false, onCopied })).toEqual({ height: OLD_BLOCKS });
    expect(existsSync(join(path, "history", "0-3.seg"))).toBe(false);
    expect(readdirSync(join(out, "history"))).toContain("0-3.seg");
    expect(findings()).toEqual([]);
  });

  it("is made once more where a file went before it could be linked, without what is not named any more", async () => {
    const chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    await sealTestChain(chain, { depth: 3, maxBlocks: 4, maxBytes: 1_000_000 });
    chain.close();
    let copies = 0;
    const onCopied = (): void => {
      copies += 1;
      if (copies > 1) return;
      for (const place of [path, out]) rmSync(join(place, "history", "0-3.seg"));
      const database = openSqliteDatabase(join(path, "chain.db"), CHAIN_DATABASE);
      database.exec("DELETE FROM segments WHERE last = 3");
      database.close();
      // What is linked and was dropped since is left out.
      writeFileSync(join(path, "history", "900-903.seg"), "merged or dropped since");
    };
    backupFolder(path, out, { hasKeys: false, onCopied });
    expect(copies).toBe(2);
    const names = readdirSync(join(path, "history")).filter((name) => name !== "900-903.seg");
    expect(readdirSync(join(out, "history")).toSorted()).toEqual(names.toSorted());
  });

  it("has the keys for its owner alone, and neither what they signed nor the address of the running node", () => {
    backupFolder(path, out, { hasKeys: true });
    expect(readdirSync(out).toSorted()).toEqual(["chain.db", "genesis.json", "keys"]);
    expect(readFileSync(join(out, "keys", "node-key.json"), "utf8")).toBe("secret");
    for (const name of ["", "chain.db", "keys", "keys/node-key.json"]) expect(statSync(join(out, name)).mode & 0o077, name).toBe(0);
  });

  it("leaves the keys out when it is to", () => {
    backupFolder(path, out, { hasKeys: false });
    expect(readdirSync(out).toSorted()).toEqual(["chain.db", "genesis.json"]);
  });

  it("takes an empty folder, and refuses one that holds something, itself and what is no node", () => {
    mkdirSync(out);
    expect(backupFolder(path, out, { hasKeys: false })).toEqual({ height: OLD_BLOCKS });
    expect(() => backupFolder(path, out, { hasKeys: false })).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
    for (const place of [path, join(path, "copy")])
      expect(() => backupFolder(path, place, { hasKeys: false })).toThrow("inside the data folder");
    expect(() => backupFolder(folder.path, join(folder.path, "other"), { hasKeys: false })).toThrow("holds no chain");
    expect(findings()).toEqual([]);
  });

  it("leaves nothing behind when it fails", () => {
    writeFileSync(join(path, "mailbox.db"), "no database");
    expect(() => backupFolder(path, out, { hasKeys: true })).toThrowError(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
    expect(readdirSync(folder.path)).not.toContain("copy");
  });
});
