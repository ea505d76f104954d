// A chain that begins after a block: what follows is the same as everywhere, and what it does not hold it says.
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backupFolder } from "#node/engine/recovery/backup-folder.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { reindexFolder } from "#node/explorer/reindex/reindex-folder.ts";
import { writeSupply } from "#node/ledger/records/records.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { decode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { beginAtTip } from "#test/support/chain/begun-chain.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { createOldChain, OLD_BLOCKS, PLAN } from "#test/support/chain/recovered-chain.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, alice, bob, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const FIRST = OLD_BLOCKS;
const HOUR_MS = 3_600_000;
const options = { genesis: CONTRACTS_GENESIS };

let folder: TemporaryFolder;
let whole: TestChain;
let begun: TestChain;
let path = "";
/** Transactions of blocks below the first one. */
let old: readonly Transaction[] = [];
let runs = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

beforeEach(() => {
  runs += 1;
  const [wholePath = ""] = createOldChain(join(folder.path, `run-${runs}`), [OLD_BLOCKS]);
  path = join(folder.path, `begun-${runs}`);
  whole = openTestChain(wholePath, options);
  beginAtTip(whole, path, CONTRACTS_GENESIS);
  begun = openTestChain(path, options);
  old = Array.from({ length: FIRST - 1 }, (_, index) => whole.database.blocks.get(index + 1)?.block.transactions ?? []).flat();
  return (): void => {
    whole.close();
    begun.close();
  };
});

const tipMs = (): number => whole.executor.tip().timeMs;

/** A transfer of now. */
function pay(from: Actor, to: Actor, amount: number, nowMs = tipMs()): Transaction {
  return signed(from, { type: "TRANSFER", to: to.pub, amount, payload: {}, fee: 1_000, nowMs });
}

/** Commits the same block on both chains. */
async function commitBoth(transactions: readonly Transaction[], timeMs = tipMs() + 1_000): Promise<void> {
  const { height } = whole.executor.tip();
  whole.commit(transactions, timeMs);
  expect(await begun.applyBatch(whole.decidedAfter(height))).toBe(1);
}

async function codeOf(work: () => unknown): Promise<ErrorCode | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return isCodedError(error) ? error.code : Promise.reject(error);
  }
}

it("says of lists out of blocks that it does not hold where they begin, and nothing of those that are whole", async () => {
  const [own, all] = [begun, whole].map(({ database }) => createReadQueries(database, { nowMs: tipMs, monotonicMs: (): number => 0 }));
  const { items } = (await all?.contracts.list({ limit: 10 })) ?? { items: [] };
  expect(items.length).toBeGreaterThan(0);
  for (const { contract_id: id } of items) {
    expect(await own?.contracts.logs(id, { limit: 10, order: "desc" })).toMatchObject({ missingBelow: FIRST });
    expect(await all?.contracts.logs(id, { limit: 10, order: "desc" })).not.toHaveProperty("missingBelow");
  }
  expect(await own?.channels.channels(alice.pub, { limit: 10 })).toMatchObject({ missingBelow: FIRST });
  expect(await all?.channels.channels(alice.pub, { limit: 10 })).not.toHaveProperty("missingBelow");
});

describe("a chain that begins after a block", () => {
  it("follows the next blocks to the same state, also after it was opened again", async () => {
    await commitBoth([pay(alice, bob, 5)]);
    begun.close();
    begun = openTestChain(path, options);
    await commitBoth([pay(bob, alice, 7)]);
    expect(begun.executor.tip()).toEqual(whole.executor.tip());
    expect(begun.database.blocks.firstHeight()).toBe(FIRST);
    expect(begun.database.blocks.firstHeader()).toBe(1);
  });

  it("takes no transaction of the last two hours a second time, whose block it does not hold", async () => {
    expect(old.length).toBeGreaterThan(10);
    const seen = (chain: TestChain): readonly boolean[] => old.map(({ id }) => chain.executor.hasSeenId(id));
    const heldAll = old.map(() => true);
    expect(seen(begun)).toEqual(heldAll);
    for (let block = 0; block < 3; block += 1) await commitBoth([pay(alice, bob, 1 + block)]);
    expect(seen(begun)).toEqual(heldAll);
    begun.close();
    begun = openTestChain(path, options);
    await commitBoth([pay(bob, alice, 9)]);
    expect(seen(begun)).toEqual(heldAll);
    // Time goes on: at the very block at which the others forget an id, this chain does.
    for (let step = 1; step <= 3; step += 1) {
      const timeMs = START_MS + 2 * HOUR_MS + step * 10_000;
      await commitBoth([pay(alice, bob, step, timeMs)], timeMs);
      expect(seen(begun)).toEqual(seen(whole));
    }
    expect(seen(begun)).not.toEqual(heldAll);
    await commitBoth([], tipMs() + 3 * HOUR_MS);
    expect(seen(begun)).toEqual(old.map(() => false));
  });

  it("numbers the entries of accounts as all others do, and lists what it holds", async () => {
    await commitBoth([pay(alice, bob, 5), pay(bob, alice, 6)]);
    await commitBoth([pay(alice, bob, 8)]);
    for (const { pub } of [alice, bob]) {
      const total = whole.database.explorer.historyIds(pub, 1, 10_000).length;
      const held = begun.database.explorer.historyPage(pub, 100, 0);
      expect(held.length).toBeGreaterThan(2);
      expect(held.map(({ id }) => id)).toEqual(whole.database.explorer.historyPage(pub, held.length, 0).map(({ id }) => id));
      expect(begun.database.explorer.historyIds(pub, total - 1, total)).toEqual(whole.database.explorer.historyIds(pub, total - 1, total));
      expect(begun.database.explorer.hasWholeHistory(pub)).toBe(false);
    }
  });

  it("says from which block on it counts, also after a rollback; one that has all blocks says nothing", async () => {
    const { pub } = validator;
    const answersOf = async ({ database }: TestChain): Promise<unknown> => {
      const { explorer, nodes } = createReadQueries(database, { nowMs: tipMs, monotonicMs: () => 0 });
      const charts = [{ limit: 720 } as const, { limit: 1 } as const].map(({ limit }) => explorer.chart({ resolution: "hour", limit }));
      const all = await Promise.all([explorer.netStats(), ...charts, nodes.nodeStats(pub, 10)]);
      return all.map((answer) => ("from_height" in answer ? answer.from_height : undefined));
    };
    await commitBoth([pay(alice, bob, 5)]);
    expect(await answersOf(begun)).toEqual([FIRST, FIRST, FIRST, FIRST]);
    await commitBoth([pay(alice, bob, 6)], tipMs() + 3 * HOUR_MS);
    // The newest hour has nothing to do with what is missing.
    expect(await answersOf(begun)).toEqual([FIRST, FIRST, undefined, FIRST]);
    expect(await answersOf(whole)).toEqual([undefined, undefined, undefined, undefined]);
    begun.database.rollback(FIRST + 1);
    expect(await answersOf(begun)).toEqual([FIRST, FIRST, FIRST, FIRST]);
  });

  it("moves its old blocks into files, and reads the same from there", async () => {
    const fresh: string[] = [];
    for (let block = 0; block < 24; block += 1) {
      const tx = pay(alice, bob, 1 + block);
      fresh.push(tx.id);
      await commitBoth([tx]);
    }
    const held = begun.database.explorer.historyPage(bob.pub, 100, 0);
    await sealTestChain(begun, { depth: 4, maxBlocks: 5, maxBytes: 1_000_000 });
    for (let block = 0; block < 3; block += 1) await commitBoth([pay(bob, alice, 1)]);
    expect(begun.database.blocks.sealedTo()).toBeGreaterThan(FIRST);
    expect(begun.database.blocks.firstHeight()).toBe(FIRST);
    begun.close();
    begun = openTestChain(path, options);
    for (const id of fresh) expect(begun.database.explorer.transaction(id)?.id).toBe(id);
    expect(begun.database.explorer.historyPage(bob.pub, 100, 3)).toEqual(held);
    await commitBoth([pay(bob, alice, 2)]);
    expect(old.map(({ id }) => begun.executor.hasSeenId(id))).toEqual(old.map(() => true));
    begun.close();
    expect(checkFolder(path, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
    begun = openTestChain(path, options);
  });

  it("lists the contacts, contracts and open channels of the state", () => {
    const ids = (chain: TestChain): readonly string[] =>
      chain.database.explorer.contracts
        .list(100)
        .map(({ id }) => id)
        .toSorted();
    expect(ids(begun)).toEqual(ids(whole));
    expect(ids(begun).length).toBeGreaterThan(0);
    const heights = (chain: TestChain): readonly number[] =>
      chain.database.explorer.contracts.list(100).map(({ deployedAt }) => deployedAt);
    expect(heights(begun)).toEqual(heights(whole));
    for (const { pub } of [alice, bob])
      expect(begun.database.explorer.recipientsOf(pub)).toEqual(whole.database.explorer.recipientsOf(pub));
  });

  it("says of older blocks and transactions that it does not hold them", async () => {
    const { explorer } = createReadQueries(begun.database, { nowMs: () => tipMs(), monotonicMs: () => 0 });
    const [{ id } = { id: "" }] = old;
    expect(await codeOf(() => explorer.getBlock(FIRST - 1))).toBe("HISTORY_PRUNED");
    expect(await codeOf(() => explorer.getBlock(0))).toBe("HISTORY_PRUNED");
    expect(await codeOf(() => explorer.getTransaction(id))).toBe("HISTORY_PRUNED");
    expect(await codeOf(() => explorer.getTransaction(`reward-${FIRST - 1}`))).toBe("HISTORY_PRUNED");
    expect(await codeOf(() => explorer.listBlocks({ limit: 5, before: FIRST }))).toBe("HISTORY_PRUNED");
    expect(await codeOf(() => explorer.accountFeed(alice.pub, { limit: 5, order: "desc", beforeBlock: FIRST }))).toBe("HISTORY_PRUNED");
    expect(await explorer.getTransaction("tx1-of-none")).toBeUndefined();
    expect(await explorer.getBlock(FIRST)).toMatchObject({ index: FIRST });
    expect(await explorer.listBlocks({ limit: 5 })).toHaveLength(1);
    const page = await explorer.accountHistory(alice.pub, { limit: 50, offset: 0 });
    expect(page.missingBelow).toBe(FIRST);
    expect(page.txCount).toBeGreaterThan(page.transactions.length);
  });

  it("answers light nodes with what it holds, and that it does not know the rest", () => {
    const reads = new LightReads(begun.database);
    const kindOf = (request: Parameters<LightReads["respond"]>[0]): string => decode(lightResponseCodec, reads.respond(request)).kind;
    const [{ id } = { id: "" }] = old;
    expect(kindOf({ kind: "block", height: FIRST, knownSet: null })).toBe("block");
    expect(kindOf({ kind: "block", height: FIRST - 1, knownSet: null })).toBe("unknown");
    expect(kindOf({ kind: "header", height: FIRST - 1 })).toBe("header");
    expect(kindOf({ kind: "body", height: FIRST - 1 })).toBe("unknown");
    expect(kindOf({ kind: "transaction", id })).toBe("unknown");
    expect(kindOf({ kind: "history", account: alice.pub, last: 2, count: 1 })).toBe("unknown");
    expect(decode(lightResponseCodec, reads.respond({ kind: "blocks", from: 1, count: 4 }))).toEqual({ kind: "blocks", blocks: [] });
  });
});

describe("the folder of such a chain", () => {
  it("is sound, is copied, and gives a new chain", async () => {
    await commitBoth([pay(alice, bob, 5)]);
    begun.close();
    for (const isFull of [false, true]) {
      const report = checkFolder(path, { isFull, onProgress: () => undefined });
      expect(report.findings).toEqual([]);
      expect(report.height).toBe(FIRST + 1);
    }
    const copy = join(folder.path, `copy-${runs}`);
    expect(backupFolder(path, copy, { hasKeys: false })).toEqual({ height: FIRST + 1 });
    expect(checkFolder(copy, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
    expect(exportGenesis(path, join(folder.path, `new-${runs}`), { ...PLAN, height: FIRST }).genesis.previous?.height).toBe(FIRST);
  });

  it.each([
    ["the place of an id", "UPDATE ids SET seq = seq + 1 WHERE seq = (SELECT MAX(seq) FROM ids)", "ids: row "],
    ["a lost id", "DELETE FROM ids WHERE seq = (SELECT MAX(seq) FROM ids)", "ids: row "],
    [
      "a number of a history",
      "UPDATE account_entries SET number = number + 1 WHERE seq = (SELECT MAX(seq) FROM account_entries)",
      "account_entries: row ",
    ],
    ["a lost entry", "DELETE FROM account_entries WHERE seq = (SELECT MAX(seq) FROM account_entries)", "account_entries: row "],
    ["a reward", "UPDATE rewards SET amount_ut = amount_ut + 1", "rewards: row "],
    ["totals", "UPDATE type_totals SET total = 0", "type_totals: it counts less of TRANSFER"],
    ["proposers", "UPDATE proposer_totals SET total = 0", "proposer_totals: it counts less of "],
    ["an hour", "UPDATE chart_hours SET failed = failed + 1 WHERE hour = (SELECT MAX(hour) FROM chart_hours)", "chart_hours: row "],
    ["a contact pair", "DELETE FROM contact_pairs", "contact_pairs: the request of "],
  ])("is held to its blocks and its state: %s", async (_, sql, expected) => {
    await commitBoth([pay(alice, bob, 5)]);
    await commitBoth([pay(bob, alice, 6)], tipMs() + 2 * HOUR_MS);
    begun.close();
    const database = new Database(join(path, "chain.db"));
    expect(database.prepare(sql).run().changes).toBeGreaterThan(0);
    database.close();
    expect(checkFolder(path, { isFull: false, onProgress: () => undefined }).findings).toEqual([]);
    const { findings } = checkFolder(path, { isFull: true, onProgress: () => undefined });
    expect(findings.map(({ place, problem }) => `${place}: ${problem}`)).toEqual(
      expect.arrayContaining([expect.stringContaining(expected)]),
    );
  });

  it("may have rewards that the largest supply cut", async () => {
    await commitBoth([pay(alice, bob, 5)]);
    const { state, inTransaction } = begun.database;
    const view = new OverlayStateView(state);
    writeSupply(view, MAX_SUPPLY_UT - 1);
    inTransaction(() => state.apply(view.changes(), []));
    begun.close();
    const database = new Database(join(path, "chain.db"));
    database.exec("UPDATE rewards SET amount_ut = amount_ut - 7");
    database.close();
    const { findings } = checkFolder(path, { isFull: true, onProgress: () => undefined });
    expect(findings.map(({ place }) => place)).not.toContain("table rewards");
    expect(findings.length).toBeGreaterThan(0);
  });

  it("goes back to its first block and no further", async () => {
    await commitBoth([pay(alice, bob, 5)]);
    await commitBoth([pay(alice, bob, 6)]);
    begun.close();
    await expect(rollbackFolder(path, FIRST - 1)).rejects.toThrow(`This folder can give the heights ${FIRST} to ${FIRST + 2}`);
    begun = openTestChain(path, options);
    begun.database.rollback(FIRST);
    begun.close();
    begun = openTestChain(path, options);
    expect(begun.executor.tip().height).toBe(FIRST);
    expect(await begun.applyBatch(whole.decidedAfter(FIRST))).toBe(2);
    expect(begun.executor.tip()).toEqual(whole.executor.tip());
  });

  it("cannot make its index again, and says so", () => {
    begun.close();
    expect(() => reindexFolder(path)).toThrow(/begins with the state of block/);
  });
});
