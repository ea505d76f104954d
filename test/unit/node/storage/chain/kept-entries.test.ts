// Histories of own accounts outlive their blocks: they read as before, and each transaction has a proof that needs no chain.
import { describe, expect, it } from "vitest";
import { createFeedHandlers } from "#node/api/routes/chain/feed.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { keptSource } from "#node/storage/chain/sealing/kept-source.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { MOST_NAMED_ACCOUNTS } from "#node/storage/history/records/own-repository.ts";
import { KEPT_AT_ONCE, KEPT_BYTES_AT_ONCE, KeptRows } from "#node/storage/history/sealing/kept-rows.ts";
import type { SealLimits } from "#node/storage/history/sealing/seal-segment.ts";
import { closeHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { decode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { BLOCK_REWARD } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { databaseRows } from "#test/support/chain/database-rows.ts";
import { growChain, openGrownChain } from "#test/support/chain/grown-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { writeVersion1 } from "#test/support/chain/version-1.ts";
import { provesTransaction } from "#test/support/codec/proof-checker.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, GENESIS, validator } from "#test/support/worlds/ledger-world.ts";

const LIMITS: SealLimits = { depth: 12, maxBlocks: 9, maxBytes: 1_000_000 };
const HEIGHT = 80;
const CLOCK = { nowMs: (): number => 0, monotonicMs: (): number => 0 };

/** Seals, lets rows go, and drops what lies below a height; entries of own accounts stay. */
async function drop({ database, executor }: TestChain, bodiesFrom: number, own: readonly string[]): Promise<void> {
  for (const below of [0, bodiesFrom]) {
    const sealer = startHistorySealer({
      ...{ file: database.file, history: database.history, tipHeight: executor.tip().height, limits: LIMITS, own },
      border: () => ({ bodiesFrom: below, headersFrom: below, maxRunBlocks: 18 }),
      onFailure: (error) => {
        throw error;
      },
    });
    await sealer.settled();
    await sealer.stop();
    for (let rounds = 0; rounds < 200; rounds += 1) database.inTransaction(() => database.blocks.removeSealed());
  }
}

describe("own accounts", () => {
  it("are those that programs named too, from the block on that was here then, and stay named", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    const { explorer, own, blocks } = chain.database;
    const before = explorer.historyPage(alice.pub, 1_000, 0);
    own.add([bob.pub]);
    await drop(chain, 20, []);
    own.add([bob.pub, alice.pub]);
    const fromMs = blocks.summary(18)?.timeMs;
    await drop(chain, 40, []);
    expect(blocks.firstHeight()).toBe(36);
    expect(own.all().toSorted((a, b) => a.fromHeight - b.fromHeight)).toMatchObject([
      { publicKey: bob.pub, fromHeight: 0 },
      { publicKey: alice.pub, fromHeight: 18, fromMs },
    ]);
    expect(explorer.hasWholeHistory(bob.pub)).toBe(true);
    expect(explorer.historyPage(alice.pub, 1_000, 0)).toEqual(before.filter(({ blockHeight }) => blockHeight >= 18));
    const many = Array.from({ length: MOST_NAMED_ACCOUNTS - 2 }, (_, at) => toHex(new Uint8Array(32).fill(at)));
    own.add(many);
    expect(() => own.add([validator.pub])).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(own.all()).toHaveLength(MOST_NAMED_ACCOUNTS);
  }, 60_000);

  it("are the same in a folder of the version before, whose old blocks were dropped, with all that is left of these", async () => {
    await using folder = await createTemporaryFolder();
    let before: unknown;
    {
      using chain = openGrownChain(folder.path, HEIGHT);
      chain.database.own.add([bob.pub]);
      await drop(chain, 40, []);
      chain.database.takenBack.set(HEIGHT);
      before = chain.database.explorer.historyPage(bob.pub, 1_000, 0);
    }
    const rows = databaseRows(folder.path);
    for (const table of ["kept", "own", "kept_ranges", "headers", "segments", "runs"])
      expect(rows[table]?.length, table).toBeGreaterThan(0);
    writeVersion1(folder.path);
    const database = openChainDatabase(folder.path, { chainId: GENESIS.chain_id, genesisHash: genesisHash(GENESIS) });
    try {
      expect(database.explorer.historyPage(bob.pub, 1_000, 0)).toEqual(before);
      expect([database.blocks.firstHeight(), database.takenBack.to()]).toEqual([36, HEIGHT]);
    } finally {
      database.close();
    }
    expectEqual(databaseRows(folder.path), rows);
  }, 60_000);

  it("have no block dropped that holds entries of one that was named a moment ago", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    const { database } = chain;
    await drop(chain, 0, []);
    const other = openSqliteDatabase(database.file, CHAIN_DATABASE);
    const source = keptSource(other);
    const batches: number[] = [];
    const named = (): readonly string[] => database.own.all().map(({ publicKey }) => publicKey);
    const [segment] = database.history.all();
    if (segment === undefined) throw new Error("There is a segment");
    let isNamed = false;
    const rows = new KeptRows(other, { own: named, entries: source }, (_, entries) => {
      batches.push(entries);
      if (!isNamed) database.own.add([bob.pub]);
      isNamed = true;
    });
    database.own.add([alice.pub]);
    rows.keep(segment);
    expect(rows.hasKept(segment)).toBe(false);
    rows.keep(segment);
    expect(rows.hasKept(segment)).toBe(true);
    // What was kept is not read again.
    expect([...source(segment, named(), (_, __, last) => last)]).toEqual([]);
    expect(batches).toHaveLength(2);
    closeHistory(other);
    other.close();
  }, 60_000);

  it("are stored in steps that are short by entries and by bytes", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { database } = chain;
    const other = openSqliteDatabase(database.file, CHAIN_DATABASE);
    const stepsOf = (count: number, bytes: number): readonly number[] => {
      const steps: number[] = [];
      const entries = Array.from({ length: count }, (_, at) => ({
        publicKey: alice.pub,
        number: at + 1,
        seq: at,
        key: null,
        entry: new Uint8Array(bytes),
      }));
      const rows = new KeptRows(other, { own: () => [alice.pub], entries: () => entries }, (_, stored) => steps.push(stored));
      rows.keep({ first: 0, last: 9 } as Parameters<KeptRows["keep"]>[0]);
      return steps;
    };
    expect(stepsOf(2 * KEPT_AT_ONCE + 1, 8)).toEqual([KEPT_AT_ONCE, 2 * KEPT_AT_ONCE, 2 * KEPT_AT_ONCE + 1]);
    expect(stepsOf(3, KEPT_BYTES_AT_ONCE / 2)).toEqual([2, 3]);
    expect(database.explorer.keptCount(alice.pub)).toBe(2 * KEPT_AT_ONCE + 1);
    closeHistory(other);
    other.close();
  });

  it("keep their history over the border, with proofs that verify offline", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    const { explorer, blocks } = chain.database;
    const own = [alice.pub, validator.pub];
    const before = own.map((pub) => explorer.historyPage(pub, 1_000, 0));
    const range = own.map((pub) => explorer.historyRange(pub, { limit: 7, order: "asc", afterBlock: 3, beforeBlock: 60 }));
    const ids = own.map((pub, at) => explorer.historyIds(pub, 1, before[at]?.length ?? 0));
    const details = before.flat().map(({ id }) => explorer.transaction(id));
    const ofBob = explorer.historyPage(bob.pub, 1_000, 0);
    const queries = createReadQueries(chain.database, CLOCK);
    const proven = before.flat().filter(({ type, blockHeight }) => type !== BLOCK_REWARD && blockHeight < 36);
    const proofs = await Promise.all(proven.map(({ id }) => queries.proofs.transaction(id)));
    expect(before.flat().some(({ type, blockHeight }) => type === BLOCK_REWARD && blockHeight < 36)).toBe(true);
    expect(proven.length).toBeGreaterThan(5);

    await drop(chain, 20, own);
    await drop(chain, 40, own);
    expect(blocks.firstHeight()).toBe(36);
    expect(blocks.header(30)).toBeUndefined();
    expect(own.map((pub) => explorer.historyPage(pub, 1_000, 0))).toEqual(before);
    expect(own.map((pub) => explorer.historyRange(pub, { limit: 7, order: "asc", afterBlock: 3, beforeBlock: 60 }))).toEqual(range);
    expect(own.map((pub, at) => explorer.historyIds(pub, 1, before[at]?.length ?? 0))).toEqual(ids);
    expect(before.flat().map(({ id, type }) => (type === BLOCK_REWARD ? undefined : explorer.transaction(id)))).toEqual(
      details.map((detail) => (detail?.type === BLOCK_REWARD ? undefined : detail)),
    );
    for (const pub of own) expect(explorer.hasWholeHistory(pub)).toBe(true);
    // Others have what their blocks have.
    expect(explorer.historyPage(bob.pub, 1_000, 0)).toEqual(ofBob.filter(({ blockHeight }) => blockHeight >= 36));
    expect(explorer.hasWholeHistory(bob.pub)).toBe(false);

    const trusted = new Set([validator.pub]);
    for (const [at, { id }] of proven.entries()) {
      const proof = await queries.proofs.transaction(id);
      expect(proof).toEqual(proofs[at]);
      if (proof === undefined) throw new Error("A proof was kept");
      expect(provesTransaction(proof, trusted)).toBe(true);
    }
    const pages = await queries.explorer.accountHistory(alice.pub, { limit: 1_000, offset: 0 });
    expect(pages.missingBelow).toBe(0);
    expect(pages.transactions).toHaveLength(before[0]?.length ?? 0);

    // Peers do not learn whose node this is: they get of own accounts what they get of all others.
    const light = new LightReads(chain.database);
    const last = before[0]?.length ?? 0;
    const request = { kind: "history" as const, account: alice.pub, last, count: last };
    expect(decode(lightResponseCodec, light.respond(request))).toMatchObject({ kind: "unknown" });
    const [{ id } = { id: "" }] = proven;
    expect(decode(lightResponseCodec, light.respond({ kind: "transaction", id })).kind).toBe("unknown");

    growChain(chain, HEIGHT + 12);
    expect(explorer.historyPage(alice.pub, 1_000, 0).slice(-last)).toEqual(before[0]);
  }, 60_000);

  it("show what follows a gap alone: what was dropped while they were not named is not made up for", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openGrownChain(folder.path, HEIGHT);
    const { explorer } = chain.database;
    const before = explorer.historyPage(alice.pub, 1_000, 0);
    const from = (height: number): typeof before => before.filter(({ blockHeight }) => blockHeight >= height);
    await drop(chain, 10, []);
    await drop(chain, 20, [alice.pub]);
    expect(chain.database.blocks.firstHeight()).toBe(18);
    expect(explorer.historyPage(alice.pub, 1_000, 0)).toEqual(from(9));
    expect(explorer.hasWholeHistory(alice.pub)).toBe(false);
    await drop(chain, 30, []);
    expect(explorer.historyPage(alice.pub, 1_000, 0)).toEqual(from(27));
    await drop(chain, 40, [alice.pub]);
    expect(explorer.historyPage(alice.pub, 1_000, 0)).toEqual(from(27));
    const { explorer: queries } = createReadQueries(chain.database, CLOCK);
    const page = await queries.accountHistory(alice.pub, { limit: 1_000, offset: 0 });
    // Entries are kept from block 27 on: lists begin there, and say so.
    const oldest = from(27).at(-1)?.blockHeight ?? 0;
    expect(page.missingBelow).toBeGreaterThanOrEqual(27);
    expect(page.missingBelow).toBeLessThanOrEqual(oldest + 1);
    expect(explorer.historyRange(alice.pub, { limit: 1_000, order: "desc" })).toEqual(from(27));
    const { missingBelow } = page;
    const bounded = await queries.accountFeed(alice.pub, { limit: 1_000, order: "asc", afterBlock: missingBelow - 1, beforeBlock: 36 });
    const within = before.filter(({ blockHeight }) => blockHeight >= missingBelow && blockHeight < 36).map(({ id }) => id);
    expect(bounded.map(({ id }) => id)).toEqual(within.toReversed());
    expect(within.length).toBeGreaterThan(0);
    const below = before.filter(({ blockHeight }) => blockHeight < missingBelow).length;
    expect(explorer.history.missing(alice.pub)).toEqual({ firstHeight: missingBelow, count: below });
    const { getAccountFeed } = createFeedHandlers({ explorer: queries });
    const feedOf = (range: object): unknown => getAccountFeed({ account_id: alice.pub, limit: 1_000, ...range }, {} as never);
    expect(await feedOf({})).toMatchObject({ count: from(27).length, missing_below: missingBelow });
    expect(await feedOf({ order: "asc", limit: 2 })).toMatchObject({ count: 2, missing_below: missingBelow });
    expect(await feedOf({ limit: 2 })).not.toHaveProperty("missing_below");
    expect(await feedOf({ after_block: missingBelow - 1 })).not.toHaveProperty("missing_below");
    await expect(async () => queries.accountFeed(alice.pub, { limit: 5, order: "asc", afterBlock: 3 })).rejects.toSatisfy((error) =>
      isCodedError(error, "HISTORY_PRUNED"),
    );
  }, 60_000);
});
