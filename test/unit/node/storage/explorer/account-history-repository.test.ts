// Account histories against plain lists: what stays in memory must follow rollbacks, failed transactions, rebuilds and restarts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FilledTables, rewriteIndex } from "#node/explorer/reindex/rewrite-index.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const IDENTITY = { chainId: "history-1", genesisHash: "00".repeat(32) };
const ACCOUNTS = ["aa", "bb", "cc", "dd"];

interface Entry {
  readonly seq: number;
  readonly accounts: readonly string[];
}

class HistoryWorld implements Disposable {
  readonly #path: string;
  #database: ChainDatabase;
  #entries: readonly Entry[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#database = openChainDatabase(path, IDENTITY);
  }

  append(accounts: readonly (readonly string[])[]): void {
    const next = this.#next(accounts);
    this.#database.inTransaction(() => this.#database.explorer.history.insert(next));
    this.#entries = [...this.#entries, ...next];
  }

  failToAppend(accounts: readonly (readonly string[])[]): void {
    const work = (): never => {
      this.#database.explorer.history.insert(this.#next(accounts));
      throw new Error("the disk is full");
    };
    expect(() => this.#database.inTransaction(work)).toThrow();
  }

  removeFrom(position: number): void {
    const seq = position % (this.#entries.length + 1);
    this.#database.inTransaction(() => this.#database.explorer.history.removeFrom(seq));
    this.#entries = this.#entries.filter((entry) => entry.seq < seq);
  }

  /** Rebuilds the tables from every second entry. */
  rebuild(isFailing: boolean): void {
    const kept = this.#entries.filter((_, position) => position % 2 === 0).map(({ accounts }, seq) => ({ seq, accounts }));
    const work = ({ explorer }: FilledTables): void => {
      explorer.history.insert(kept);
      if (isFailing) throw new Error("a block is damaged");
    };
    this.#database.close();
    if (isFailing) expect(() => rewriteIndex(this.#path, work)).toThrow("a block is damaged");
    else rewriteIndex(this.#path, work);
    this.#database = openChainDatabase(this.#path, IDENTITY);
    if (!isFailing) this.#entries = kept;
  }

  reopen(): void {
    this.#database.close();
    this.#database = openChainDatabase(this.#path, IDENTITY);
  }

  expectExact(): void {
    for (const account of ACCOUNTS) {
      const count = this.#entries.filter(({ accounts }) => accounts.includes(account)).length;
      const { first, last } = this.#database.explorer.history.page(account, 1_000, 0);
      expect([account, Math.max(0, last - first + 1), last]).toEqual([account, count, count]);
    }
  }

  #next(accounts: readonly (readonly string[])[]): readonly Entry[] {
    return accounts.map((of, n) => ({ seq: this.#entries.length + n, accounts: of }));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const entries = fc.array(fc.subarray(ACCOUNTS, { minLength: 1 }), { minLength: 1, maxLength: 5 });
const step: fc.Arbitrary<(world: HistoryWorld) => void> = fc.oneof(
  {
    weight: 5,
    arbitrary: entries.map(
      (accounts) =>
        (world: HistoryWorld): void =>
          world.append(accounts),
    ),
  },
  {
    weight: 1,
    arbitrary: entries.map(
      (accounts) =>
        (world: HistoryWorld): void =>
          world.failToAppend(accounts),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 40 }).map(
      (position) =>
        (world: HistoryWorld): void =>
          world.removeFrom(position),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isFailing) =>
        (world: HistoryWorld): void =>
          world.rebuild(isFailing),
    ),
  },
  { weight: 1, arbitrary: fc.constant((world: HistoryWorld): void => world.reopen()) },
);

describe("AccountHistoryRepository", () => {
  it("numbers the entries of every account without a gap, whatever happens in between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        await using folder = await createTemporaryFolder();
        using world = new HistoryWorld(folder.path);
        for (const next of steps) {
          next(world);
          world.expectExact();
        }
      }),
      { seed: 8_117, numRuns: 25 },
    );
  });
});
