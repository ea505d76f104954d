// Pages of events out of the database are those of the plain list of all lines, whatever is indexed.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContractLog, type LogQuery, pageOfLogs } from "#node/queries/contract-logs.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { ContractIndexRepository } from "#node/storage/explorer/contract-index-repository.ts";
import { ContractLogRepository, type IndexedLog } from "#node/storage/explorer/contract-log-repository.ts";
import { GAS_PER_EVENT_ENTRY, indexLogs } from "#node/storage/explorer/log-index.ts";
import { packGroups } from "#node/storage/history/records/record-groups.ts";
import { inImmediateTransaction, openSqliteDatabase, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import { MAX_BLOCK_GAS } from "#shared/protocol/primitives/limits.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { plainRecord } from "#test/support/chain/plain-records.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";

const [SHOP, INN] = ["0000000000000001", "0000000000000002"] as const;

const event = (name: string, index: Readonly<Record<string, string>>, data: object = {}): string =>
  JSON.stringify({ event: name, index, data });
const receiptOf = (gasUsed: number, lines: readonly string[], contractId: string = SHOP): Receipt =>
  ({ isOk: true, gasUsed, logs: lines.map((message) => ({ contractId, message })) }) as unknown as Receipt;

interface World extends Disposable {
  readonly database: SqliteDatabase;
  readonly logs: ContractLogRepository;
  /** Adds a block of transactions. */
  add(height: number, receipts: readonly Receipt[]): readonly IndexedLog[];
}

function openWorld(path: string): World {
  const database = openSqliteDatabase(`${path}/chain.db`, CHAIN_DATABASE);
  const [contracts, logs] = [new ContractIndexRepository(database), new ContractLogRepository(database)];
  if (contracts.get(SHOP) === undefined)
    contracts.insert(
      0,
      [SHOP, INN].map((id) => ({ id, name: "shop", version: "1" })),
    );
  const add: World["add"] = (height, receipts) => {
    const lines = indexLogs(receipts);
    inImmediateTransaction(database, () => {
      for (const position of new Set(lines.map((line) => line.position)))
        addTransaction(database, { height, position }, receipts[position]?.logs ?? []);
      logs.insert(height, lines);
    });
    return lines;
  };
  return { database, logs, add, [Symbol.dispose]: () => database.close() };
}

/** What a line is joined with. */
function addTransaction(
  database: SqliteDatabase,
  { height, position }: { readonly height: number; readonly position: number },
  logs: Receipt["logs"],
): void {
  const hash = hashOf(height);
  database.exec(`INSERT OR IGNORE INTO blocks VALUES (${height}, x'${hash}', x'', x'', ${height}000, x'', 1, 0, 0)`);
  const [records] = packGroups([plainRecord(`t${height}.${position}`, logs)]);
  database.prepare("INSERT OR REPLACE INTO block_records VALUES (?, ?)").run(height * 8_192 + position, records);
}

const hashOf = (height: number): string => height.toString(16).padStart(64, "0");

const asLog = (height: number, { position, line, message }: IndexedLog): ContractLog => ({
  height,
  position,
  line,
  message,
  txId: `t${height}.${position}`,
  blockHash: hashOf(height),
  blockTimeMs: height * 1_000,
});

/** All pages of a query. */
function allOf(logs: ContractLogRepository, query: LogQuery): readonly ContractLog[] {
  const found: ContractLog[] = [];
  for (let { after } = query, isDone = false; !isDone; ) {
    const page = logs.page(SHOP, after === undefined ? query : { ...query, after });
    found.push(...page.logs);
    isDone = page.next === undefined;
    after = page.next;
  }
  return found;
}

const texts = fc.constantFrom("a", "b", "ä\n\"'", "");
const lines = fc.oneof(
  fc.tuple(fc.constantFrom("Paid", "Pai", "Sold"), texts, texts).map(([name, to, id]) => event(name, { to, id }, { x: 1 })),
  fc.constantFrom('{"event":"Paid"', "paid", '{"event":"Paid","index":{"to":5},"data":{}}', event("Paid", {})),
);
const receipts = fc
  .tuple(fc.constantFrom(0, 1, 2, 5, 100), fc.array(fc.tuple(lines, fc.constantFrom(SHOP, SHOP, INN)), { maxLength: 6 }))
  .map(([entries, logged]) => ({
    ...receiptOf(entries * GAS_PER_EVENT_ENTRY, []),
    logs: logged.map(([message, contractId]) => ({ contractId, message })),
  }));
const positions = fc.record({ height: fc.nat(6), position: fc.nat(3), line: fc.nat(6) });
const filters = fc
  .tuple(fc.constantFrom("Paid", "Sold", "None"), fc.uniqueArray(fc.constantFrom("to", "id"), { maxLength: 2 }), texts)
  .map(([name, fields, value]) => ({ event: name, where: fields.map((field) => ({ field, value })) }));
const queries = fc.record(
  {
    limit: fc.constantFrom(1, 2, 100),
    order: fc.constantFrom("asc" as const, "desc" as const),
    since: fc.nat(6),
    after: positions,
    filter: filters,
  },
  { requiredKeys: ["limit", "order"] },
) as fc.Arbitrary<LogQuery>;

describe("pages of what a contract logged", () => {
  it("are those of the list of all lines, for all queries, in every mixture of what is indexed", async () => {
    await using folder = await createTemporaryFolder();
    using world = openWorld(folder.path);
    fc.assert(
      fc.property(
        fc.array(fc.array(receipts, { maxLength: 3 }), { maxLength: 5 }),
        fc.array(queries, { minLength: 20, maxLength: 20 }),
        (blocks, asked) => {
          world.logs.removeAbove(0);
          const all = blocks.flatMap((block, index) =>
            world
              .add(index + 1, block)
              .filter(({ contractId }) => contractId === SHOP)
              .map((line) => asLog(index + 1, line)),
          );
          for (const query of asked) {
            const { logs, next } = world.logs.page(SHOP, query);
            const expected = pageOfLogs(all, query);
            expect(logs).toEqual(expected.logs);
            expect(next).toEqual(expected.next === undefined ? undefined : expect.objectContaining({ line: expected.next.line }));
            expect(allOf(world.logs, query)).toEqual(pageOfLogs(all, { ...query, limit: 1_000 }).logs);
          }
        },
      ),
      { numRuns: extent(20, 60) },
    );
  });

  it("are found by reading lines in a file of a program without the index, and after such a program wrote it", async () => {
    await using folder = await createTemporaryFolder();
    const { additions: _, ...before } = CHAIN_DATABASE;
    const old = openSqliteDatabase(`${folder.path}/chain.db`, before);
    old.exec(`INSERT INTO contracts VALUES (1, x'${SHOP}', 'shop', '1', 0)`);
    const insert = (database: SqliteDatabase, height: number, message: string): void => {
      addTransaction(database, { height, position: 0 }, [{ contractId: SHOP, message }]);
      database.prepare("INSERT INTO contract_logs (contract_num, seq, line) VALUES (1, ?, 0)").run(height * 8_192);
    };
    insert(old, 1, event("Paid", { to: "a" }));
    old.close();
    const paid: LogQuery = { limit: 10, order: "desc", filter: { event: "Paid", where: [{ field: "to", value: "a" }] } };
    const heights = (world: World, query = paid): readonly number[] => world.logs.page(SHOP, query).logs.map(({ height }) => height);
    {
      using world = openWorld(folder.path);
      world.add(2, [receiptOf(1_000_000, [event("Paid", { to: "a" })])]);
      world.add(3, [receiptOf(1_000_000, [event("Paid", { to: "a" })])]);
      expect(heights(world)).toEqual([3, 2, 1]);
      // What the old program does in the same file: it takes a block back, and writes others.
      world.database.exec(`DELETE FROM contract_logs WHERE seq >= ${3 * 8_192}`);
      insert(world.database, 3, event("Paid", { to: "b" }));
      insert(world.database, 4, event("Paid", { to: "a" }));
    }
    using world = openWorld(folder.path);
    expect(heights(world)).toEqual([4, 2, 1]);
    expect(heights(world, { ...paid, filter: { event: "Paid", where: [{ field: "to", value: "b" }] } })).toEqual([3]);
    expect(heights(world, { ...paid, filter: { event: "Paid", where: [] } })).toEqual([4, 3, 2, 1]);
    world.logs.removeAbove(1);
    expect(world.database.prepare("SELECT COUNT(*) FROM contract_events").pluck().get()).toBe(0);
    expect(heights(world)).toEqual([1]);
  });

  it("read a bounded number of lines and continue behind them, also when nothing fits", async () => {
    await using folder = await createTemporaryFolder();
    using world = openWorld(folder.path);
    // A caller who pays for lines alone fills the log with events that only reading finds.
    const flood = Array.from({ length: 64 }, (_, index) => event("Paid", { to: `f${index}`, by: "x" }));
    world.add(1, [receiptOf(1_000_000, [event("Paid", { to: "rare" })])]);
    for (let height = 2; height <= 101; height += 1) world.add(height, [receiptOf(90_000, flood)]);
    const query: LogQuery = { limit: 5, order: "desc", filter: { event: "Paid", where: [{ field: "to", value: "rare" }] } };
    let pages = 0;
    const found: ContractLog[] = [];
    for (let after: LogQuery["after"], isDone = false; !isDone; pages += 1) {
      const page = world.logs.page(SHOP, after === undefined ? query : { ...query, after });
      found.push(...page.logs);
      isDone = page.next === undefined;
      after = page.next;
    }
    expect([pages, found.map(({ height }) => height)]).toEqual([4, [1]]);
  });

  it("end early where the transactions of their lines are large, and continue behind", async () => {
    await using folder = await createTemporaryFolder();
    using world = openWorld(folder.path);
    const large = Array.from({ length: 9 }, () => ({ contractId: INN, message: "x".repeat(60_000) }));
    const logs = [event("Paid", { to: "a", by: "b" }), event("Paid", { to: "c", by: "d" })].map((message) => ({
      contractId: SHOP,
      message,
    }));
    const heights = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const height of heights) world.add(height, [{ ...receiptOf(1_000_000, []), logs: [...large, ...logs] }]);
    const query: LogQuery = { limit: 100, order: "asc" };
    expect(world.logs.page(SHOP, query).next).toEqual({ height: 8, position: 0, line: 9 });
    expect(allOf(world.logs, query).map(({ height }) => height)).toEqual(heights.flatMap((height) => [height, height]));
    const paidTo: LogQuery = { ...query, order: "desc", filter: { event: "Paid", where: [{ field: "to", value: "a" }] } };
    expect(world.logs.page(SHOP, paidTo)).toMatchObject({ next: { height: 13, position: 0, line: 9 } });
    expect(allOf(world.logs, paidTo).map(({ height }) => height)).toEqual(heights.toReversed());
  });

  it("read no transaction of a line that the index says to be another event", async () => {
    await using folder = await createTemporaryFolder();
    using world = openWorld(folder.path);
    const pairs = [
      ["a", "b"],
      ["c", "d"],
    ] as const;
    const logged = (list: readonly (readonly [string, string])[]): Receipt =>
      receiptOf(
        1_000_000,
        list.map(([to, by]) => event("Paid", { to, by })),
      );
    for (let height = 1; height <= 300; height += 1) world.add(height, [logged(pairs)]);
    world.add(301, [logged([["a", "d"]])]);
    // What is read fails from here on.
    world.database.exec(`DELETE FROM block_records WHERE seq < ${301 * 8_192}`);
    const where = [
      { field: "to", value: "a" },
      { field: "by", value: "d" },
    ];
    for (const order of ["asc", "desc"] as const) {
      const { logs, next } = world.logs.page(SHOP, { limit: 100, order, filter: { event: "Paid", where } });
      expect([logs.map(({ height }) => height), next]).toEqual([[301], undefined]);
    }
    const single: LogQuery = { limit: 100, order: "asc", filter: { event: "Paid", where: where.slice(0, 1) } };
    expect(() => world.logs.page(SHOP, single)).toThrow("which is missing");
  });

  it("name a line that the receipt of its transaction lacks", async () => {
    await using folder = await createTemporaryFolder();
    using world = openWorld(folder.path);
    world.add(1, [receiptOf(1_000_000, [event("Paid", { to: "a" })])]);
    world.database.exec("UPDATE contract_logs SET line = 7; UPDATE contract_events SET line = 7");
    const filter = { event: "Paid", where: [] };
    for (const query of [{}, { filter }])
      expect(() => world.logs.page(SHOP, { limit: 10, order: "asc", ...query })).toThrow("The log names line 7 of the transaction 8192");
  });
});

describe("entries of the index", () => {
  const keyCounts = (list: readonly Receipt[]): readonly (number | undefined)[] => indexLogs(list).map(({ keys }) => keys?.length);

  it("are as many as the gas of their transaction pays for, one for a name and one for each field", () => {
    const sold = event("Sold", { to: "a", by: "b", id: "7" });
    expect(keyCounts([receiptOf(4 * GAS_PER_EVENT_ENTRY, [sold, "a line", '{"event":"no'])])).toEqual([4, 0, 0]);
    expect(keyCounts([receiptOf(4 * GAS_PER_EVENT_ENTRY, [sold, "a line"])])).toEqual([4, 0]);
    expect(keyCounts([receiptOf(4 * GAS_PER_EVENT_ENTRY - 1, [sold, "a line"])])).toEqual([undefined, 0]);
    expect(keyCounts([receiptOf(GAS_PER_EVENT_ENTRY, ['{"event":"no', '{"event":"no'])])).toEqual([undefined, undefined]);
    const failed = { ...receiptOf(1_000_000, [sold]), isOk: false };
    expect(keyCounts([failed])).toEqual([]);
  });

  it("go to the contracts with the fewest events first, so that one which logs much takes none from another", () => {
    const [mine, theirs] = [event("Sold", { to: "a" }), event("Flood", { a: "1" })];
    const mixed = receiptOf(10 * GAS_PER_EVENT_ENTRY, []);
    const of = (contractId: string, message: string, count: number): Receipt["logs"] =>
      Array.from({ length: count }, () => ({ contractId, message }));
    // Eight entries and four, for which ten do not suffice.
    const logs = [...of(INN, theirs, 4), ...of(SHOP, mine, 2)];
    const indexed = indexLogs([{ ...mixed, logs }]);
    expect(indexed.filter(({ keys }) => keys !== undefined).map(({ contractId }) => contractId)).toEqual([SHOP, SHOP]);
  });

  it("of a full block are bounded by its gas", () => {
    expect(MAX_BLOCK_GAS / GAS_PER_EVENT_ENTRY).toBe(6_250);
  });
});
