import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { KEPT_EVERY, LIGHT_FILE, MOST_KEPT, NEWEST_KEPT, openLightDatabase } from "#node/storage/light-database.ts";
import { encode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { lightBlockCodec } from "#shared/protocol/chain/light-block.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { LIGHT_CHAIN_ID, lightBlockOn, lightGenesis, untrusted } from "#test/support/worlds/light-world.ts";

const IDENTITY = { chainId: LIGHT_CHAIN_ID, genesisHash: "00".repeat(32) };
const SET = [1];
const GENESIS = lightGenesis(SET);
const blockAt = (height: number): typeof GENESIS => lightBlockOn(GENESIS, SET, SET, { fields: { height } });
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (isCodedError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "no error";
};

describe("the light node's database", () => {
  it("gives back what was put, also after it was closed", async () => {
    await using folder = await createTemporaryFolder();
    const blocks = [3, 7, 9].map(blockAt);
    const first = openLightDatabase(folder.path, IDENTITY);
    expect(first.tip()).toBeUndefined();
    for (const block of blocks) first.insert(block);
    first.close();
    const database = openLightDatabase(folder.path, IDENTITY);
    expect(database.tip()).toEqual(blocks[2]);
    expect(database.at(7)).toEqual(blocks[1]);
    expect(database.at(8)).toBeUndefined();
    expect(database.below(7)).toEqual(blocks[0]);
    expect(database.below(3)).toBeUndefined();
    expect(database.above(7)).toEqual(blocks[2]);
    expect(database.above(9)).toBeUndefined();
    database.close();
  });

  it("keeps the first, the newest and one of every thousand blocks", async () => {
    await using folder = await createTemporaryFolder();
    fill(folder.path, 37, 3_200, 1);
    const database = openLightDatabase(folder.path, IDENTITY);
    database.insert(blockAt(3_237));
    const newest = Array.from({ length: NEWEST_KEPT }, (_, at) => 3_237 - NEWEST_KEPT + 1 + at);
    expect(database.heights()).toEqual([37, KEPT_EVERY, 2 * KEPT_EVERY, 3 * KEPT_EVERY, ...newest]);
    database.close();
  });

  it("holds no more than a bound however long the chain is, and still the first", async () => {
    await using folder = await createTemporaryFolder();
    fill(folder.path, 5, 5 * MOST_KEPT, KEPT_EVERY);
    const database = openLightDatabase(folder.path, IDENTITY);
    database.insert(blockAt(5 * MOST_KEPT * KEPT_EVERY));
    const heights = database.heights();
    expect(heights.length).toBeLessThanOrEqual(MOST_KEPT + NEWEST_KEPT);
    expect(heights.length).toBeGreaterThan(MOST_KEPT / 2);
    expect(heights[0]).toBe(5);
    database.close();
  });

  it("looks after that itself while blocks come", async () => {
    await using folder = await createTemporaryFolder();
    const database = openLightDatabase(folder.path, IDENTITY);
    for (let height = 1; height <= 150; height += 1) database.insert(blockAt(height));
    expect(database.heights().length).toBeLessThan(100);
    expect(database.tip()).toEqual(blockAt(150));
    database.close();
  });

  it("keeps both blocks of a fork until a checkpoint settles it, which lets all others go", async () => {
    await using folder = await createTemporaryFolder();
    const database = openLightDatabase(folder.path, IDENTITY);
    const [low, first, second, settled] = [blockAt(2), blockAt(3), lightBlockOn(GENESIS, SET, [2], { fields: { height: 3 } }), blockAt(8)];
    database.insert(low);
    const fork = { first: untrusted(first), second: untrusted(second), reason: "two", checkpoint: "", seenAtMs: 5 };
    database.recordFork(fork);
    expect(database.fork()).toEqual(fork);
    database.resolveForks(settled);
    expect(database.fork()).toBeUndefined();
    expect(database.heights()).toEqual([8]);
    database.close();
    // What was seen is not forgotten.
    using raw = open(join(folder.path, LIGHT_FILE));
    expect(raw.database.prepare("SELECT COUNT(*) FROM forks WHERE is_settled = 1").pluck().get()).toBe(1);
  });

  it("of another network is refused", async () => {
    await using folder = await createTemporaryFolder();
    openLightDatabase(folder.path, IDENTITY).close();
    expect(codeOf(() => openLightDatabase(folder.path, { chainId: "other-1", genesisHash: "11".repeat(32) }))).toMatch(
      /^STORAGE_FOREIGN: .*belongs to the network light-1/,
    );
  });

  it.each([
    [
      "of the first version",
      "DELETE FROM meta WHERE name = 'header_version'",
      /^STORAGE_FOREIGN: .*headers of version 1, .*another network now/,
    ],
    ["of a later version", "UPDATE meta SET value = '9' WHERE name = 'header_version'", /^STORAGE_FOREIGN: .*version 9, .*newer program/],
  ])("with headers %s is refused, and nothing in it changes", async (_, change, reason) => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, LIGHT_FILE);
    const database = openLightDatabase(folder.path, IDENTITY);
    database.insert(blockAt(3));
    database.close();
    new Database(file).exec(change).close();
    const before = readFileSync(file);
    for (let attempt = 0; attempt < 2; attempt += 1) expect(codeOf(() => openLightDatabase(folder.path, IDENTITY))).toMatch(reason);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("that is no database, that of another program or cut off is refused with words", async () => {
    await using folder = await createTemporaryFolder();
    const file = join(folder.path, LIGHT_FILE);
    writeFileSync(file, "This is a letter and no database. ".repeat(100));
    expect(codeOf(() => openLightDatabase(folder.path, IDENTITY))).toMatch(/^STORAGE_CORRUPT: .*damaged/);
    await using other = await createTemporaryFolder();
    new Database(join(other.path, LIGHT_FILE)).exec("CREATE TABLE theirs (a)").close();
    expect(codeOf(() => openLightDatabase(other.path, IDENTITY))).toMatch(/^STORAGE_FOREIGN: .*another program/);
    await using torn = await createTemporaryFolder();
    const database = openLightDatabase(torn.path, IDENTITY);
    for (let height = 1; height < 40; height += 1) database.insert(blockAt(height));
    database.close();
    truncateSync(join(torn.path, LIGHT_FILE), Math.floor(readFileSync(join(torn.path, LIGHT_FILE)).length / 2));
    expect(codeOf(() => openLightDatabase(torn.path, IDENTITY).tip())).toMatch(/^STORAGE_CORRUPT: .*damaged/);
  });

  it("with a block that is not what it was is refused when that is read", async () => {
    await using folder = await createTemporaryFolder();
    const database = openLightDatabase(folder.path, IDENTITY);
    for (const height of [1, 2, 3]) database.insert(blockAt(height));
    database.close();
    {
      using raw = open(join(folder.path, LIGHT_FILE));
      raw.database.exec("UPDATE trusted_blocks SET block = (SELECT block FROM trusted_blocks WHERE height = 1) WHERE height = 2");
      raw.database.exec("UPDATE trusted_blocks SET block = x'00' WHERE height = 3");
    }
    const again = openLightDatabase(folder.path, IDENTITY);
    expect(again.at(1)?.header.height).toBe(1);
    for (const height of [2, 3]) expect(codeOf(() => again.at(height))).toMatch(/^STORAGE_CORRUPT: .*move it away and start again/);
    again.close();
  });
});

describe("a block whose validators were replaced", () => {
  it("is damage, though its header is whole", async () => {
    await using folder = await createTemporaryFolder();
    const database = openLightDatabase(folder.path, IDENTITY);
    database.insert(blockAt(1));
    database.close();
    {
      using raw = open(join(folder.path, LIGHT_FILE));
      const replaced = encode(lightBlockCodec, { ...blockAt(1), validators: lightGenesis([2]).validators });
      raw.database.prepare("UPDATE trusted_blocks SET block = ?").run(replaced);
    }
    const again = openLightDatabase(folder.path, IDENTITY);
    expect(codeOf(() => again.at(1))).toMatch(/^STORAGE_CORRUPT/);
    again.close();
  });
});

/** Rows at heights from `first` on, in one go. */
function fill(directory: string, first: number, count: number, step: number): void {
  openLightDatabase(directory, IDENTITY).close();
  using raw = open(join(directory, LIGHT_FILE));
  const insert = raw.database.prepare("INSERT INTO trusted_blocks (height, hash, block) VALUES (?, '', x'00')");
  raw.database.transaction(() => {
    for (let at = 0; at < count; at += 1) insert.run(first + at * step);
  })();
}

function open(file: string): Disposable & { readonly database: Database.Database } {
  const database = new Database(file);
  return { database, [Symbol.dispose]: (): void => void database.close() };
}
