import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { SeenIdFilter } from "#node/storage/chain/seen-ids/seen-id-filter.ts";
import { SeenIdRepository } from "#node/storage/chain/seen-ids/seen-id-repository.ts";
import { UNDO_HEIGHTS } from "#node/storage/chain/undo-repository.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { IdRepository } from "#node/storage/history/records/id-repository.ts";
import { RecordRepository } from "#node/storage/history/records/record-repository.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";

import { plainGroups } from "#test/support/chain/plain-records.ts";
import { extent } from "#test/support/host/test-extent.ts";

const START_MS = 1_800_000_000_000;

interface SeenBlock {
  readonly timeMs: number;
  readonly ids: readonly string[];
}

/** Blocks with ids in a database of their own, beside a plain list of them. */
class SeenWorld implements Disposable {
  readonly blocks: SeenBlock[] = [{ timeMs: START_MS, ids: [] }];
  readonly #database = new Database(":memory:");
  #repository: SeenIdRepository;
  readonly #ids: IdRepository;

  constructor() {
    this.#database.exec(CHAIN_DATABASE.initialSchema);
    this.#repository = new SeenIdRepository(this.#database);
    this.#ids = new IdRepository(this.#database, 7);
    this.#storeBlock(0, START_MS, []);
  }

  get tipMs(): number {
    return this.blocks.at(-1)?.timeMs ?? 0;
  }

  get parts(): number {
    return this.#database.prepare<[], number>("SELECT COUNT(DISTINCT part) FROM ids").pluck().get() ?? 0;
  }

  has(id: string, timeMs: number): boolean {
    return this.#repository.has(id, timeMs);
  }

  expected(id: string, timeMs: number): boolean {
    return this.blocks.some((block) => block.timeMs > timeMs - SEEN_WINDOW_MS && block.ids.includes(id));
  }

  commit(afterMs: number, ids: readonly string[]): void {
    const timeMs = this.tipMs + afterMs;
    const fresh = ids.filter((id) => !this.has(id, timeMs));
    const height = this.blocks.push({ timeMs, ids: fresh }) - 1;
    this.#storeBlock(height, timeMs, fresh);
    this.#repository.remember(fresh, timeMs);
  }

  rollback(depth: number): void {
    const height = Math.max(0, this.blocks.length - 1 - Math.min(depth, UNDO_HEIGHTS));
    this.#repository.forget();
    this.#ids.removeAbove(height);
    new RecordRepository(this.#database).removeAbove(height);
    this.#database.prepare("DELETE FROM blocks WHERE height > ?").run(height);
    this.blocks.length = height + 1;
  }

  reopen(): void {
    this.#repository = new SeenIdRepository(this.#database);
  }

  #storeBlock(height: number, timeMs: number, ids: readonly string[]): void {
    const hash = height.toString(16).padStart(64, "0");
    const summary = { height, hash, parentHash: hash, stateRoot: hash, timeMs, proposer: "", txCount: ids.length, totalFeesUt: 0 };
    new BlockRepository(this.#database).insertSummary(summary);
    new RecordRepository(this.#database).insert(height, plainGroups(ids));
    this.#ids.insert(height, ids);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const commit = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 1, max: 900_000 }), fc.constantFrom(1, SEEN_WINDOW_MS - 1, SEEN_WINDOW_MS, SEEN_WINDOW_MS + 1)),
  ids: fc.uniqueArray(
    fc.integer({ min: 0, max: 30 }).map((n) => `id-${n}`),
    { maxLength: 6 },
  ),
});
const step: fc.Arbitrary<(world: SeenWorld) => void> = fc.oneof(
  {
    weight: 8,
    arbitrary: commit.map(
      ({ afterMs, ids }) =>
        (world: SeenWorld): void =>
          world.commit(afterMs, ids),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 6 }).map(
      (depth) =>
        (world: SeenWorld): void =>
          world.rollback(depth),
    ),
  },
  { weight: 1, arbitrary: fc.constant((world: SeenWorld): void => world.reopen()) },
);

function expectExact(world: SeenWorld): void {
  for (const timeMs of [
    world.tipMs - SEEN_WINDOW_MS,
    world.tipMs,
    world.tipMs + 1,
    world.tipMs + SEEN_WINDOW_MS - 1,
    world.tipMs + SEEN_WINDOW_MS,
  ]) {
    for (let n = 0; n <= 30; n += 1) expect(world.has(`id-${n}`, timeMs)).toBe(world.expected(`id-${n}`, timeMs));
  }
}

describe("SeenIdRepository", () => {
  it("remembers exactly the ids of two hours of block time, through rollbacks and restarts", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        using world = new SeenWorld();
        for (const next of steps) {
          next(world);
          expectExact(world);
        }
      }),
      { seed: 8_113, numRuns: extent(10, 30) },
    );
  });

  it("finds every id while a long window is read after a restart", () => {
    using world = new SeenWorld();
    const ids = Array.from({ length: 45_000 }, (_, n) => `tx1-${n}`);
    for (let at = 0; at < ids.length; at += 7_500) world.commit(1, ids.slice(at, at + 7_500));
    world.reopen();
    for (let block = 0; block < 5; block += 1) {
      // Each of them once, a fifth after each block: those that were read by then, and those that were not.
      expect(ids.filter((id, n) => n % 5 === block && !world.has(id, world.tipMs + 1))).toEqual([]);
      expect(world.has("another", world.tipMs + 1)).toBe(false);
      world.commit(1, [`later-${block}`]);
    }
  });

  it("finds ids in every part of a long chain", () => {
    using world = new SeenWorld();
    for (let n = 0; n < 40; n += 1) world.commit(60_000, [`id-${n}`, `other-${n}`]);
    expect(world.parts).toBeGreaterThan(5);
    world.reopen();
    for (let n = 0; n < 40; n += 1) expect([n, world.has(`id-${n}`, world.tipMs + 1)]).toEqual([n, true]);
    world.commit(SEEN_WINDOW_MS - 60_000, ["late"]);
    expect([world.has("id-38", world.tipMs), world.has("id-39", world.tipMs)]).toEqual([false, true]);
  });
});

describe("SeenIdFilter", () => {
  it("has every id of two hours, and says perhaps of few others", () => {
    const filter = new SeenIdFilter(START_MS);
    const ids = Array.from({ length: 60_000 }, (_, n) => `tx1${(n * 2_654_435_761).toString(16)}`);
    for (const [n, id] of ids.entries()) filter.add(id, START_MS + n * 100);
    const newest = ids.slice(-(SEEN_WINDOW_MS / 100) + 1);
    expect(newest.every((id) => filter.mayHave(id))).toBe(true);
    const others = Array.from({ length: 20_000 }, (_, n) => `other-${n}`).filter((id) => filter.mayHave(id));
    expect(others.length).toBeLessThan(20);
    const late = START_MS + 10 * SEEN_WINDOW_MS;
    filter.add("late", late);
    filter.add("later", late + SEEN_WINDOW_MS + 1);
    expect(ids.filter((id) => filter.mayHave(id)).length).toBeLessThan(20);
  });
});
