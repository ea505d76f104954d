// Numbered histories: any page and any range of blocks is what a scan over the whole history gives, after removals too.
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { AccountHistoryRepository, type HistorySlice } from "#node/storage/explorer/account-history-repository.ts";

const ACCOUNTS = ["aa", "bb", "cc"];

interface Entry {
  readonly seq: number;
  readonly accounts: readonly string[];
}

function open(): { readonly history: AccountHistoryRepository; readonly seqs: (slice: HistorySlice) => readonly number[] } & Disposable {
  const database = new Database(":memory:");
  database.exec(CHAIN_DATABASE.initialSchema);
  const read = database
    .prepare<[number, number, number], number>(
      "SELECT seq FROM account_entries WHERE account_id = ? AND number BETWEEN ? AND ? ORDER BY number DESC",
    )
    .pluck();
  return {
    history: new AccountHistoryRepository(database),
    seqs: ({ accountId, first, last }) => read.all(accountId, first, last),
    [Symbol.dispose]: () => database.close(),
  };
}

const entriesArbitrary = fc
  .uniqueArray(fc.nat({ max: 60 }), { maxLength: 30 })
  .chain((seqs) =>
    fc.tuple(...seqs.sort((x, y) => x - y).map((seq) => fc.subarray(ACCOUNTS).map((accounts): Entry => ({ seq, accounts })))),
  );

describe("the history of an account", () => {
  it("has the pages and ranges of a plain list", () => {
    fc.assert(
      fc.property(
        fc.record({
          before: entriesArbitrary,
          later: entriesArbitrary,
          cut: fc.nat({ max: 60 }),
          limit: fc.nat({ max: 6 }),
          offset: fc.nat({ max: 30 }),
          from: fc.nat({ max: 62 }),
          below: fc.nat({ max: 62 }),
        }),
        ({ before, later, cut, limit, offset, from, below }) => {
          using world = open();
          world.history.insert(before);
          world.history.removeFrom(cut);
          const kept = before.filter(({ seq }) => seq < cut);
          const added = later.filter(({ seq }) => seq >= cut);
          world.history.insert(added);
          for (const account of ACCOUNTS) {
            const all = [...kept, ...added].filter(({ accounts }) => accounts.includes(account)).map(({ seq }) => seq);
            const newest = all.toReversed();
            expect(world.seqs(world.history.page(account, limit, offset))).toEqual(newest.slice(offset, offset + limit));
            expect(world.seqs(world.history.between(account, from, below))).toEqual(newest.filter((seq) => seq >= from && seq < below));
          }
        },
      ),
      { seed: 20_260_101, numRuns: 200 },
    );
  });
});
