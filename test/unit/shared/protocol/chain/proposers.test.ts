import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  firstProposerHeight,
  mostBehind,
  PROPOSER_EPOCH_BLOCKS,
  ProposerSchedule,
  proposerOf,
  shuffledValidators,
} from "#shared/protocol/chain/proposers.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

interface Vectors {
  readonly shuffles: readonly {
    readonly validatorsHash: string;
    readonly height: number;
    readonly size: number;
    readonly order: readonly number[];
  }[];
  readonly stories: readonly {
    readonly name: string;
    readonly validators: readonly string[];
    readonly validatorsHash: string;
    readonly blocks: readonly { readonly height: number; readonly order: readonly number[]; readonly proposer: string }[];
  }[];
}

const { shuffles, stories } = readVectors<Vectors>("proposers.json");
const HASH = "5a".repeat(32);
const setOf = (keys: readonly string[]): ValidatorSet => keys.map((publicKey) => ({ publicKey, bondUt: 1 }));
const keysOf = (size: number): readonly string[] => Array.from({ length: size }, (_, index) => index.toString(16).padStart(64, "0"));
const HEIGHTS = 2_000;

/** A chain with one set of validators. */
class Chain {
  readonly keys: readonly string[];
  readonly validators: ValidatorSet;
  readonly schedule = new ProposerSchedule();
  /** The next height. */
  height = 1;

  constructor(size: number) {
    this.keys = keysOf(size);
    this.validators = setOf(this.keys);
  }

  /** Keys by the rounds of the next height. */
  order(): readonly string[] {
    return this.schedule.order(this.height, HASH, this.validators).map((index) => this.keys[index] ?? "");
  }

  decide(proposer = "", validatorsHash = HASH, validators = this.validators): void {
    this.schedule.decided({ height: this.height, validatorsHash, proposer }, validators);
    this.height += 1;
  }
}

describe("the order of proposers, as a second implementation computes it", () => {
  it.each(shuffles)("of $size validators at height $height", ({ validatorsHash, height, size, order }) => {
    expect(shuffledValidators(validatorsHash, height, size)).toEqual(order);
  });

  it.each(stories)("$name", ({ validators: keys, validatorsHash, blocks }) => {
    const validators = setOf(keys);
    const schedule = new ProposerSchedule();
    for (const { height, order, proposer } of blocks) {
      expect(schedule.order(height, validatorsHash, validators)).toEqual(order);
      schedule.decided({ height, validatorsHash, proposer }, validators);
    }
  });

  it("needs no header from before the epoch of a height", () => {
    const story = stories.find(({ blocks }) => blocks.some(({ height }) => height === PROPOSER_EPOCH_BLOCKS));
    const { validators: keys, validatorsHash, blocks } = story ?? { validators: [], validatorsHash: "", blocks: [] };
    const validators = setOf(keys);
    const later = blocks.filter(({ height }) => height >= PROPOSER_EPOCH_BLOCKS);
    expect(later.length).toBeGreaterThan(20);
    for (const { height, order } of later) {
      const schedule = new ProposerSchedule();
      for (const block of blocks) {
        const isNeeded = block.height >= firstProposerHeight(height) && block.height < height;
        if (isNeeded) schedule.decided({ ...block, validatorsHash }, validators);
      }
      expect(schedule.order(height, validatorsHash, validators)).toEqual(order);
    }
    expect([1, 8_191, 8_192, 8_193, 20_000].map(firstProposerHeight)).toEqual([1, 1, 8_192, 8_192, 16_384]);
  });
});

describe("an order", () => {
  it("names everyone once, whatever happened before", () => {
    const property = fc.property(fc.integer({ min: 1, max: 12 }), fc.array(fc.nat(), { maxLength: 60 }), (size, proposers) => {
      const keys = keysOf(size);
      const validators = setOf(keys);
      const schedule = new ProposerSchedule();
      for (const [at, proposer] of proposers.entries())
        schedule.decided({ height: 1_000 + at, validatorsHash: HASH, proposer: keys[proposer % size] ?? "" }, validators);
      const order = schedule.order(1_000 + proposers.length, HASH, validators);
      expect([...order].sort((a, b) => a - b)).toEqual(keys.map((_, index) => index));
      expect([0, 1, size, size + 1].map((round) => proposerOf(order, round))).toEqual([
        order[0],
        order[1 % size],
        order[0],
        order[1 % size],
      ]);
    });
    fc.assert(property, { seed: 7, numRuns: 60 });
  });

  it("gives everyone the first turn about as often", () => {
    const [size, heights] = [10, 10_000];
    const turns = Array.from({ length: size }, () => 0);
    for (let height = 1; height <= heights; height += 1) {
      const [first = 0] = shuffledValidators(HASH, height, size);
      turns[first] = (turns[first] ?? 0) + 1;
    }
    for (const count of turns) expect(Math.abs(count - heights / size)).toBeLessThan(120);
  });

  it("keeps no neighbours together: a third that is silent costs one round more in the median and few at worst, also before it is known", () => {
    const chain = new Chain(100);
    const silent = new Set(chain.keys.slice(20, 53));
    const wasted: number[] = [];
    while (chain.height < PROPOSER_EPOCH_BLOCKS + 1_000) {
      const order = chain.order();
      const turn = order.findIndex((key) => !silent.has(key));
      wasted.push(turn);
      chain.decide(order[turn]);
    }
    expect(Math.max(...wasted)).toBeLessThanOrEqual(8);
    const missed = wasted.slice(300, PROPOSER_EPOCH_BLOCKS).filter((count) => count > 0);
    expect(missed.length / PROPOSER_EPOCH_BLOCKS).toBeLessThan(0.03);
  });

  it("makes a validator that never proposes wait longer each time, and forgets what it missed once it does", () => {
    const chain = new Chain(4);
    const [silent = ""] = chain.keys;
    const missed: number[] = [];
    for (let height = 1; height < 5_000; height += 1) {
      const [first, second] = chain.order();
      if (first === silent) missed.push(height);
      chain.decide(first === silent ? second : first);
    }
    const waits = missed.slice(1).map((height, at) => height - (missed[at] ?? 0));
    expect(waits).toHaveLength(4);
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThan(256 * 2 ** at);
      expect(wait).toBeLessThan(256 * 2 ** at + 64);
    }
    while (chain.height < PROPOSER_EPOCH_BLOCKS + 64) chain.decide(chain.order()[0]);
    const firsts = Array.from({ length: 100 }, () => {
      const [first] = chain.order();
      chain.decide(first);
      return first;
    });
    expect(firsts.filter((key) => key === silent).length).toBeGreaterThan(12);
  });

  it("after a block is known before that block is decided, and asking for it changes nothing", () => {
    const chain = new Chain(7);
    const { validators } = chain;
    for (let height = 1; height < 200; height += 1) {
      const order = chain.order();
      const expected = order.map((key) => {
        const block = { height, validatorsHash: HASH, proposer: key };
        return chain.schedule.orderAfter(block, validators).map((index) => chain.keys[index]);
      });
      expect(chain.order()).toEqual(order);
      const turn = height % 3;
      chain.decide(order[turn]);
      expect(chain.order()).toEqual(expected[turn]);
    }
  });
});

describe("missed turns", () => {
  it.each([4, 5, 6, 7, 8, 9])("put one of %i validators behind for 256 heights, no more and no fewer", (size) => {
    const chain = new Chain(size);
    const [missing = "", second] = chain.order();
    chain.decide(second);
    for (let height = 2; height <= 257; height += 1) {
      expect(chain.order().at(-1)).toBe(missing);
      chain.decide(chain.order()[0]);
    }
    expect(chain.height).toBe(258);
    expect(chain.order()).toEqual(shuffledValidators(HASH, 258, size).map((index) => chain.keys[index]));
  });

  // Idle heights: the one that has the only transaction may let all rounds before its own end. It pays a fee to itself.
  it.each([
    [4, 1],
    [7, 2],
    [40, 13],
  ])(
    "of %i validators, of whom %i let the others miss theirs at every second height, give them no more than the share of a smaller set",
    (size, count) => {
      const chain = new Chain(size);
      const bad = new Set(chain.keys.slice(0, count));
      let turns = 0;
      for (let height = 1; height <= 2 * HEIGHTS; height += 1) {
        const order = chain.order();
        if (height % 2 === 0) chain.decide(order.find((key) => bad.has(key)));
        else {
          const [first = ""] = order;
          if (bad.has(first)) turns += 1;
          chain.decide(first);
        }
      }
      const inFront = size - mostBehind(size);
      expect(turns / HEIGHTS).toBeLessThan(count / inFront + 0.03);
    },
  );

  it("put those behind who missed most, and never more than may be faulty", () => {
    const chain = new Chain(10);
    const [silent = "", ...others] = chain.keys;
    for (let height = 1; height < 1_000; height += 1) {
      // Everyone but the silent one misses turns too, and makes up for it later.
      const order = chain.order().filter((key) => key !== silent);
      chain.decide(order[height % 5 === 0 ? 4 : 0]);
    }
    const firsts = new Map<string, number>();
    for (let height = 1_000; height < 1_200; height += 1) {
      const [first = ""] = chain.order();
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
      chain.decide(chain.order().filter((key) => key !== silent)[0]);
    }
    expect(firsts.get(silent) ?? 0).toBeLessThan(2);
    expect(others.filter((key) => firsts.has(key)).length).toBeGreaterThanOrEqual(6);
    expect([1, 2, 3, 4, 6, 7, 10, 100].map(mostBehind)).toEqual([0, 0, 0, 1, 1, 2, 3, 33]);
  });

  it("stay with a validator that leaves the set and returns", () => {
    const chain = new Chain(4);
    const [first = "", second = ""] = chain.order();
    chain.decide(second);
    const others = setOf(chain.keys.filter((key) => key !== first));
    const otherHash = "6b".repeat(32);
    for (let n = 0; n < 5; n += 1) {
      const [index = 0] = chain.schedule.order(chain.height, otherHash, others);
      chain.decide(others[index]?.publicKey, otherHash, others);
    }
    for (let n = 0; n < 100; n += 1) {
      expect(chain.order()[3]).toBe(first);
      chain.decide(chain.order()[0]);
    }
  });
});
