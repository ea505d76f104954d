// Places of ids against a plain list, over parts of any size, rollbacks and restarts.
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { CHAIN_DATABASE, SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { IdRepository } from "#node/storage/history/records/id-repository.ts";
import { extent } from "#test/support/host/test-extent.ts";

const HASH = "00".repeat(32);

class IdWorld implements Disposable {
  readonly #database = new Database(":memory:");
  readonly #idsPerPart: number;
  #ids: IdRepository;
  #blocks: (readonly string[])[] = [];

  constructor(idsPerPart: number) {
    this.#database.exec(CHAIN_DATABASE.initialSchema);
    this.#idsPerPart = idsPerPart;
    this.#ids = new IdRepository(this.#database, idsPerPart);
  }

  commit(ids: readonly string[]): void {
    const height = this.#blocks.push(ids) - 1;
    const hashes = { hash: height.toString(16).padStart(64, "0"), parentHash: HASH, stateRoot: HASH, proposer: HASH };
    new BlockRepository(this.#database).insertSummary({ height, ...hashes, timeMs: height, txCount: ids.length, totalFeesUt: 0 });
    this.#ids.insert(height, ids);
  }

  rollback(depth: number): void {
    const height = Math.max(-1, this.#blocks.length - 1 - depth);
    this.#ids.removeAbove(height);
    new BlockRepository(this.#database).removeAbove(height);
    this.#blocks = this.#blocks.slice(0, height + 1);
  }

  reopen(): void {
    this.#ids = new IdRepository(this.#database, this.#idsPerPart);
  }

  expectExact(): void {
    for (let n = 0; n < 12; n += 1) {
      const expected = this.#blocks.flatMap((ids, height) =>
        ids.flatMap((id, position) => (id === `id-${n}` ? [height * SEQ_PER_BLOCK + position] : [])),
      );
      expect([...this.#ids.places(`id-${n}`)]).toEqual(expected.toReversed());
    }
  }

  /** Parts with their numbers of rows. */
  parts(): unknown {
    return this.#database.prepare("SELECT part, COUNT(*) FROM ids GROUP BY part").raw().all();
  }

  /** A part begins with the first ids, and with those after a part that is full. */
  expectedParts(): unknown {
    const parts: [number, number][] = [];
    for (const [height, { length }] of this.#blocks.entries()) {
      const newest = parts.at(-1);
      if (length === 0) continue;
      if (newest === undefined || newest[1] >= this.#idsPerPart) parts.push([height, length]);
      else newest[1] += length;
    }
    return parts;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const ids = fc.uniqueArray(
  fc.nat({ max: 11 }).map((n) => `id-${n}`),
  { maxLength: 6 },
);
const step: fc.Arbitrary<(world: IdWorld) => void> = fc.oneof(
  {
    weight: 6,
    arbitrary: ids.map(
      (of) =>
        (world: IdWorld): void =>
          world.commit(of),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 5 }).map(
      (depth) =>
        (world: IdWorld): void =>
          world.rollback(depth),
    ),
  },
  { weight: 1, arbitrary: fc.constant((world: IdWorld): void => world.reopen()) },
);

describe("places of ids", () => {
  it("are found, the newest first, in every part, through rollbacks and restarts", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (steps, idsPerPart) => {
        using world = new IdWorld(idsPerPart);
        for (const next of steps) {
          next(world);
          world.expectExact();
        }
        expect(world.parts()).toEqual(world.expectedParts());
      }),
      { seed: 20_261_123, numRuns: extent(20, 60) },
    );
  });
});
