// Own public cards by random days and clocks, beside a second, naive evaluation of the rule: what a thief of the device finds, and what still opens.
import { describe, expect, it } from "vitest";
import {
  MAX_PUBLIC_CARDS,
  noPublicCards,
  PUBLIC_CARD_DAYS,
  type PublicRecord,
  publicCardDue,
  publicSecret,
  withDrawn,
  withoutOld,
  withPublished,
} from "#shared/messenger/changes/pairs/public-record.ts";
import { type CountedDays, countDay, firstDay } from "#shared/messenger/pairs/counted-days.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import { isPresentPublicCard, PUBLIC_CARD_MS } from "#shared/protocol/pairs/public-card.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const INSTANCE = "05".repeat(8);
const NOON = 500_000 * HOUR;

const drawn = (record: PublicRecord, number: number, day: number): PublicRecord =>
  withPublished(withDrawn(record, { number, secret: `secret ${number}`, day }, "card"), true);

/** Days and clocks of one device, and the cards that it draws meanwhile. */
class Schedule {
  readonly #seed: number;
  readonly #random: Random;
  #ownMs = NOON;
  #blockMs = NOON;
  #counted: CountedDays = firstDay({ ownMs: NOON, blockMs: NOON });
  #record = noPublicCards(INSTANCE);
  /** Of each card, the days that counted since it was drawn, by what happened and not by what is stored. */
  readonly #daysSince = new Map<number, number>();

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = createRandom(seed);
  }

  /** Hours pass, or days while the device is off; mailboxes are read, by an own clock that may be years off. */
  pass(): void {
    const { chance, between } = this.#random;
    const passedMs = chance(0.1) ? between(1, 40) * DAY : between(1, 30) * HOUR;
    this.#blockMs += passedMs;
    this.#ownMs += passedMs;
    const jumpedMs = chance(0.07) ? between(-3_650, 3_650) * DAY : 0;
    const before = this.#counted.days;
    this.#counted = countDay(this.#counted, { ownMs: this.#ownMs + jumpedMs, blockMs: this.#blockMs });
    for (const [number, days] of this.#daysSince) this.#daysSince.set(number, days + this.#counted.days - before);
    this.#record = withoutOld(this.#record, this.#counted.days);
    const number = publicCardDue(this.#record, { ownMs: this.#ownMs, blockMs: this.#blockMs });
    if (number === undefined) return;
    this.#record = drawn(this.#record, number, this.#counted.days);
    this.#daysSince.set(number, 0);
  }

  /** @throws Error where a secret is there for longer than its days, or is gone before, or while its card is sealed to */
  check(found: { opens: number; closed: number }): void {
    for (const [number, days] of this.#daysSince) {
      const opens = publicSecret(this.#record, cardId(INSTANCE, number)) !== undefined;
      if (opens !== days < PUBLIC_CARD_DAYS) throw new Error(`Seed ${this.#seed}: card ${number} after ${days} days`);
      if (!opens && isPresentPublicCard({ number }, this.#blockMs)) throw new Error(`Seed ${this.#seed}: card ${number} is gone too early`);
      found[opens ? "opens" : "closed"] += 1;
    }
  }
}

describe("own public cards", () => {
  it("are drawn a day of the chain apart, whatever the own clock says, and never without a block", () => {
    const first = drawn(noPublicCards(INSTANCE), 500_000, 0);
    const due = (blockMs: number, ownMs = blockMs): number | undefined => publicCardDue(first, { ownMs, blockMs });
    expect([due(0), due(NOON), due(NOON + DAY - 1), due(NOON, NOON + 3_650 * DAY)]).toEqual(Array(4).fill(undefined));
    expect(due(NOON + DAY)).toBe(500_024);
    // A chain that is said to be at an earlier time takes no numbers back.
    expect(due(NOON - 30 * DAY)).toBeUndefined();
  });

  it("are followed by another one where nodes refused one, in the next hour", () => {
    const refused = withPublished(withDrawn(noPublicCards(INSTANCE), { number: 500_000, secret: "", day: 0 }, "card"), false);
    expect(publicCardDue(refused, { ownMs: NOON, blockMs: NOON + HOUR - 1 })).toBeUndefined();
    expect(publicCardDue(refused, { ownMs: NOON, blockMs: NOON + HOUR })).toBe(500_001);
  });

  it("are no more than so many, while days do not count", () => {
    let record = noPublicCards(INSTANCE);
    for (let day = 0; day < 40; day += 1) {
      const number = publicCardDue(record, { ownMs: 0, blockMs: NOON + day * DAY });
      if (number !== undefined) record = drawn(record, number, 0);
    }
    expect(record.cards).toHaveLength(MAX_PUBLIC_CARDS);
  });

  it("open what was sealed while they were valid, and nothing ten counted days later, in random schedules", () => {
    const found = { opens: 0, closed: 0 };
    for (let seed = 0; seed < 300; seed += 1) {
      const run = new Schedule(seed);
      for (let step = 0; step < 120; step += 1) {
        run.pass();
        run.check(found);
      }
    }
    expect([found.opens > 10_000, found.closed > 10_000]).toEqual([true, true]);
    // Ten counted days are longer than a card is valid.
    expect(PUBLIC_CARD_DAYS * 20 * HOUR).toBeGreaterThan(PUBLIC_CARD_MS);
  });

  it("open nothing of another store, nor of a number that was not drawn", () => {
    const record = drawn(noPublicCards(INSTANCE), 500_000, 0);
    expect(publicSecret(record, cardId(INSTANCE, 500_000))).toBe("secret 500000");
    expect(publicSecret(record, cardId(INSTANCE, 500_001))).toBeUndefined();
    expect(publicSecret(record, cardId("06".repeat(8), 500_000))).toBeUndefined();
  });
});
