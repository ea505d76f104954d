// A check finds every kind of damage and names its place, finds none in a sound folder, and changes nothing.
import { createHash } from "node:crypto";
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CheckReport, checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { MAX_NAMED_FINDINGS } from "#node/engine/recovery/check/findings.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { makeSnapshot } from "#node/storage/snapshots/make-snapshot.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { breakPages, flipRecordBit } from "#test/support/chain/damaged-snapshot.ts";
import { createOldChain, OLD_BLOCKS } from "#test/support/chain/recovered-chain.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
let sound = "";
let path = "";
beforeAll(async () => {
  folder = await createTemporaryFolder();
  [sound = ""] = createOldChain(folder.path, [OLD_BLOCKS]);
});
afterAll(() => folder.remove());
beforeEach(() => {
  path = mkdtempSync(join(folder.path, "copy-"));
  cpSync(sound, path, { recursive: true });
});

const check = (isFull: boolean): CheckReport => checkFolder(path, { isFull, onProgress: () => undefined });
const file = (): string => join(path, "chain.db");

/** Places and problems, as a person reads them. */
function findingsOf({ findings }: CheckReport): readonly string[] {
  return findings.map(({ file: name, place, problem }) => `${name}, ${place}: ${problem}`);
}

function change(sql: string): void {
  const database = new Database(file());
  try {
    expect(database.prepare(sql).run().changes, sql).toBeGreaterThan(0);
  } finally {
    database.close();
  }
}

/** SQL that changes rows, or a blob of which one bit is turned. */
type Damage = string | { readonly table: string; readonly column: string; readonly where: string };

function damage(what: Damage): void {
  if (typeof what === "string") change(what);
  else flip(what);
}

function flip({ table, column, where }: Exclude<Damage, string>): void {
  const database = new Database(file());
  try {
    const row = database.prepare<[], { value: Buffer }>(`SELECT ${column} AS value FROM ${table} WHERE ${where}`).get();
    if (row === undefined) throw new Error(`no row ${where} in ${table}`);
    const changed = Buffer.from(row.value);
    const at = Math.floor(changed.length / 2);
    changed[at] = (changed[at] ?? 0) ^ 1;
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(changed, row.value);
  } finally {
    database.close();
  }
}

describe("a sound folder", () => {
  it.each([false, true])("has no finding, and is not changed (full: %s)", (isFull) => {
    const before = digest();
    expect(check(isFull)).toMatchObject({ height: OLD_BLOCKS, findings: [], count: 0 });
    expect(check(isFull).transactions).toBeGreaterThan(OLD_BLOCKS);
    expect(digest()).toBe(before);
    expect(readdirSync(path).filter((name) => name.startsWith("check"))).toEqual([]);
  });

  it("has none after blocks were taken back and others came", async () => {
    await rollbackFolder(path, 7);
    {
      using chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
      for (let count = 0; count < 3; count += 1) chain.commit();
    }
    expect(findingsOf(check(true))).toEqual([]);
  });

  it("is refused while a node uses it, and when it is none", () => {
    const lock = lockDataFolder(path);
    try {
      expect(() => check(false)).toThrowError(expect.objectContaining({ code: "STORAGE_LOCKED" }));
    } finally {
      lock.release();
    }
    path = join(folder.path, "none");
    expect(() => check(false)).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  function digest(): string {
    return createHash("sha256").update(readFileSync(file())).digest("hex");
  }
});

describe("a folder of another version", () => {
  it.each([
    ["STORAGE_OLDER", 0, "start its node once"],
    ["STORAGE_NEWER", 999, "update the program"],
  ])("is not damaged, and the words say what to do: %s", (code, version, words) => {
    const database = new Database(file());
    database.pragma(`user_version = ${version}`);
    database.close();
    for (const isFull of [false, true]) {
      expect(() => check(isFull)).toThrow(words);
      expect(() => check(isFull)).toThrow(expect.objectContaining({ code }));
    }
  });
});

describe("damage that every check finds", () => {
  it.each([
    ["a header", { table: "block_bodies", column: "front", where: "height = 7" }, "chain.db, block 7: "],
    ["a missing body", "DELETE FROM block_bodies WHERE height = 7", "chain.db, block 7: it has no body"],
    ["a missing row", "DELETE FROM blocks WHERE height = 7", "chain.db, block 7: it has no row in the table of blocks"],
    ["a row's time", "UPDATE blocks SET time_ms = time_ms + 1 WHERE height = 7", "chain.db, block 7: its row in the table"],
    ["a row's hash", "UPDATE blocks SET hash = x'ff' WHERE height = 7", "chain.db, block 7: its header has another hash"],
    ["fees", "UPDATE blocks SET total_fees_ut = 1 WHERE height = 7", "chain.db, block 7: its row in the table of blocks has other"],
    [
      "the root page",
      { table: "tree_pages", column: "page", where: "prefix = x'00'" },
      "chain.db, table tree_pages: the root of the state",
    ],
    ["undo records", "DELETE FROM undo WHERE height = 9", "chain.db, table undo: its rows are not"],
    ["a commit", { table: "block_bodies", column: "commit_record", where: "height = 7" }, "chain.db, block 7: "],
    ["transactions and receipts", { table: "block_records", column: "records", where: "seq > 0" }, "chain.db, block "],
  ] satisfies readonly (readonly [string, Damage, string])[])("%s", (_, what, expected) => {
    damage(what);
    const report = check(false);
    expect(findingsOf(report)).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
  });

  it("a block of another height, and what follows it", () => {
    change("UPDATE block_bodies SET front = (SELECT front FROM block_bodies WHERE height = 8) WHERE height = 7");
    expect(findingsOf(check(false))).toEqual([
      "chain.db, block 7: its body is that of block 8",
      "chain.db, block 8: it does not follow the block below it",
    ]);
  });

  it("a file that is cut short, or filled with other bytes", () => {
    const { size } = statSync(file());
    const descriptor = openSync(file(), "r+");
    writeSync(descriptor, Buffer.alloc(16_384, 0x5a), 0, 16_384, 40_960);
    closeSync(descriptor);
    expect(check(false).count).toBeGreaterThan(0);
    truncateSync(file(), Math.floor(size / 2));
    expect(check(false).count).toBeGreaterThan(0);
    writeFileSync(file(), "no database");
    expect(findingsOf(check(false)).join("\n")).toContain("chain.db");
  });

  it("more than is listed", () => {
    using chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    for (let count = 0; count < MAX_NAMED_FINDINGS; count += 1) chain.commit();
    chain.close();
    change("UPDATE blocks SET total_fees_ut = total_fees_ut + 1");
    const report = check(false);
    expect(report.findings).toHaveLength(MAX_NAMED_FINDINGS);
    expect(report.count).toBe(OLD_BLOCKS + MAX_NAMED_FINDINGS + 1);
  });
});

describe("damage that a full check finds", () => {
  it.each([
    ["a record", { table: "state", column: "value", where: "namespace = 'account'" }, "chain.db, table state: the record account "],
    ["a lost record", "DELETE FROM state WHERE namespace = 'account'", "records, and the tree has "],
    ["a page", { table: "tree_pages", column: "page", where: "prefix = x'0001'" }, 'chain.db, page "0" of the state tree: '],
    ["a lost page", "DELETE FROM tree_pages WHERE prefix = x'0001'", 'chain.db, page "0" of the state tree: it is missing'],
    ["a page of nothing", "INSERT INTO tree_pages VALUES (x'012345678900', x'00000000')", "pages, and the tree has "],
    ["the place of an id", "UPDATE ids SET seq = seq + 1 WHERE seq = (SELECT MAX(seq) FROM ids)", "chain.db, table ids: row "],
    ["a history", "DELETE FROM account_entries WHERE number = 1", "chain.db, table account_entries: row "],
    ["a reward", "UPDATE rewards SET amount_ut = amount_ut + 1", "chain.db, table rewards: row "],
    ["totals", "UPDATE type_totals SET total = total + 1", "chain.db, table type_totals: row 1"],
    ["a contract", "UPDATE contracts SET name = 'other'", "chain.db, table contracts: row 1"],
    ["a contact pair", "DELETE FROM contact_pairs", "chain.db, table contact_pairs: the request of "],
  ] satisfies readonly (readonly [string, Damage, string])[])("%s", (_, what, expected) => {
    damage(what);
    expect(check(false).count).toBe(0);
    expect(findingsOf(check(true))).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
  });
});

describe("a folder whose old blocks are in files", () => {
  const segment = (): string => join(path, "history", "4-7.seg");
  beforeEach(async () => {
    using chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    await sealTestChain(chain, { depth: 3, maxBlocks: 4, maxBytes: 1_000_000 });
    // Rows of sealed blocks go with the next block.
    chain.commit();
    expect(chain.database.blocks.sealedTo()).toBeGreaterThanOrEqual(7);
  });

  it.each([false, true])("is sound (full: %s)", (isFull) => {
    expect(findingsOf(check(isFull))).toEqual([]);
  });

  it.each([false, true])("names a file that is cut off (full: %s)", (isFull) => {
    truncateSync(segment(), 300);
    expect(findingsOf(check(isFull))[0]).toMatch(/^history\/4-7\.seg, : The history file .*4-7\.seg is damaged at byte 300 /);
  });

  it("names a flipped bit by file and byte, in a full check", () => {
    const content = readFileSync(segment());
    const at = Math.floor(content.length / 2);
    content[at] = (content[at] ?? 0) ^ 1;
    writeFileSync(segment(), content);
    const [finding = ""] = findingsOf(check(true));
    const offset = Number(/^history\/4-7\.seg, : .* at byte (\d+) /.exec(finding)?.[1]);
    expect(offset).toBeLessThanOrEqual(at);
    expect(offset).toBeGreaterThan(at - 5_000);
  });

  it("names the blocks that are in no file", () => {
    change("DELETE FROM segments WHERE first = 4");
    expect(findingsOf(check(false)).join("\n")).toContain("the blocks from 4 to 7 are in no file");
  });

  it.each(["0-3.ids", "4-7.acc"])("names %s, which finds them, where it is damaged", (name) => {
    const file = join(path, "history", name);
    const content = readFileSync(file);
    content[100] = (content[100] ?? 0) ^ 1;
    writeFileSync(file, content);
    expect(findingsOf(check(true))[0]).toMatch(new RegExp(`^history/${name}, : The history file .*${name} is damaged at byte `));
    truncateSync(file, 80);
    expect(findingsOf(check(false))[0]).toMatch(new RegExp(`^history/${name}, : The history file .*${name} is damaged at byte 80 `));
  });

  it("names an entry that neither a row nor a file has, in a full check", () => {
    change("DELETE FROM runs WHERE kind = 'acc'");
    change("UPDATE account_entries SET number = number + 1 WHERE seq = (SELECT MAX(seq) FROM account_entries)");
    expect(findingsOf(check(true)).join("\n")).toContain("chain.db, table account_entries: row ");
  });
});

describe("a folder with a snapshot", () => {
  const snapshot = (): string => join(path, "snapshots", "8.db");
  beforeEach(() => {
    mkdirSync(join(path, "snapshots"));
    const identity = { chainId: CONTRACTS_GENESIS.chain_id, genesisHash: genesisHash(CONTRACTS_GENESIS) };
    makeSnapshot({ directory: path, identity, height: 8, file: snapshot(), logBytes: 1e9, reservedBytes: 0 }, () => false);
  });

  it.each([false, true])("is sound (full: %s)", (isFull) => {
    expect(findingsOf(check(isFull))).toEqual([]);
  });

  it("names file and place of a turned bit, in a full check", () => {
    flipRecordBit(snapshot());
    expect(check(false).count).toBe(0);
    expect(findingsOf(check(true))).toEqual([
      expect.stringMatching(
        /^snapshots\/8\.db, (?:the root|place [01]+): .*is not the state of block 8 at .*: it does not lead to the state root$/,
      ),
    ]);
  });

  it("names it where pages are broken, or it is another file", () => {
    breakPages(snapshot());
    expect(findingsOf(check(false)).every((finding) => finding.startsWith("snapshots/8.db, : "))).toBe(true);
    expect(check(false).count).toBeGreaterThan(0);
    writeFileSync(snapshot(), "no database");
    expect(findingsOf(check(true))[0]).toMatch(/^snapshots\/8\.db, : /);
  });
});
