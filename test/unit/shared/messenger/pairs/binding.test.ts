// For how long version 1 is still taken of a device that writes version 2: by both clocks, and anew with each instance that is proven.
import { expect, it } from "vitest";
import { type BothClocks, COUNTED_DAY_MS, type CountedDays, countDay, firstDay } from "#shared/messenger/pairs/counted-days.ts";
import {
  isPastOldForm,
  newPairRecord,
  OLD_FORM_DAYS,
  type PairRecord,
  pairRecordOf,
  storedPair,
  withCountedBinding,
  withProof,
} from "#shared/messenger/pairs/pair-record.ts";
import { takeContent } from "#shared/messenger/pairs/take-content.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";

const PEER = "ab".repeat(32);
const [FIRST, SECOND] = ["bb".repeat(8), "cc".repeat(8)];
const DAY_MS = 86_400_000;
const START = { ownMs: 1_800_000_000_000, blockMs: 1_800_000_000_000 };

/** A pair after an instance has shown a card, or written late. */
function shown(record: PairRecord, instance: string, isProven = record.isProven): PairRecord {
  const card = { id: cardId(instance, 1), kem: Uint8Array.of(1), x: Uint8Array.of(1), psk: Uint8Array.of(1) };
  const content = { cardId: "", id: "01".repeat(16), at: 0, stream: { instance, last: 0, base: 0 }, card };
  const { state } = takeContent(record.state, content, { now: START, day: 0, isStranger: false, spread: 0 });
  return { ...record, state, isProven };
}

const fresh = newPairRecord(PEER, "cd".repeat(32), "aa".repeat(8), 0);
const bound = withProof(shown(fresh, FIRST, true), FIRST, 4);
const isPast = (record: PairRecord, day: number): boolean => isPastOldForm(record, PEER, day);

it("is as many counted days as are 30 days of both clocks, the one that had begun not among them", () => {
  expect((OLD_FORM_DAYS - 1) * COUNTED_DAY_MS).toBeGreaterThanOrEqual(30 * DAY_MS);
  expect((OLD_FORM_DAYS - 2) * COUNTED_DAY_MS).toBeLessThan(30 * DAY_MS);
  expect([isPast(bound, 4), isPast(bound, 4 + OLD_FORM_DAYS - 1), isPast(bound, 4 + OLD_FORM_DAYS)]).toEqual([false, false, true]);
  expect(isPast(pairRecordOf(JSON.parse(JSON.stringify(storedPair(bound)))), 4 + OLD_FORM_DAYS)).toBe(true);
});

const JUMP_MS = 3_650 * DAY_MS;

it.each<readonly [string, (at: number) => BothClocks, number]>([
  ["the own clock jumps ten years ahead", (at): BothClocks => ({ ownMs: at + JUMP_MS, blockMs: START.blockMs }), 0],
  ["the chain jumps ten years ahead", (at): BothClocks => ({ ownMs: START.ownMs, blockMs: at + JUMP_MS }), 0],
  ["both jump once", (): BothClocks => ({ ownMs: START.ownMs + JUMP_MS, blockMs: START.blockMs + JUMP_MS }), 1],
  ["the own clock stands ten years back", (at): BothClocks => ({ ownMs: at - JUMP_MS, blockMs: at }), OLD_FORM_DAYS - 1],
  ["both run", (at): BothClocks => ({ ownMs: at, blockMs: at }), OLD_FORM_DAYS],
])("goes by the slower clock where %s", (_, clocksAt, days) => {
  let counted: CountedDays = firstDay(START);
  for (let day = 1; day <= OLD_FORM_DAYS; day += 1) counted = countDay(counted, clocksAt(START.ownMs + day * COUNTED_DAY_MS));
  expect(counted.days).toBe(days);
  expect(isPast(withProof(shown(fresh, FIRST, true), FIRST, 0), counted.days)).toBe(days === OLD_FORM_DAYS);
});

it("begins when each knows a card of the other one, and not before", () => {
  expect(withProof(shown(fresh, FIRST), FIRST, 1).bound, "nothing was sealed to a card of this device").toBeUndefined();
  expect(withProof({ ...fresh, isProven: true }, FIRST, 1).bound, "the other one has shown no card").toBeUndefined();
  expect(withProof(bound, FIRST, 30)).toBe(bound);
  expect(isPastOldForm(undefined, PEER, 99)).toBe(false);
  expect(isPastOldForm(bound, "ef".repeat(32), 99), "the device is another person's").toBe(false);
});

it("begins again where a new instance is proven, not where it is only shown, nor with what comes late", () => {
  const introduced = shown(bound, SECOND);
  expect(isPast(introduced, 4 + OLD_FORM_DAYS), "who shows a card proves nothing").toBe(true);
  expect(withProof(introduced, FIRST, 30), "the instance before").toBe(introduced);
  const again = withProof(introduced, SECOND, 30);
  expect(again.bound).toEqual({ day: 30, instance: SECOND });
  expect(isPast(again, 4 + OLD_FORM_DAYS)).toBe(false);
});

it("continues where a new instance acknowledges all that the one before did: that device was not set back", () => {
  const kept = withProof(shown(bound, SECOND), SECOND, 30, true);
  expect(kept.bound).toEqual({ day: 4, instance: SECOND });
  expect(isPast(kept, 4 + OLD_FORM_DAYS)).toBe(true);
  expect(withProof(shown(fresh, FIRST, true), FIRST, 5, true).bound, "it begins there").toEqual({ day: 5, instance: FIRST });
});

it("begins with the next counted day where an earlier version stored the pair", () => {
  const { bound: _, ...stored } = bound;
  expect(isPast(stored, 99)).toBe(false);
  const counted = withCountedBinding(stored, 7);
  expect([isPast(counted, 7 + OLD_FORM_DAYS - 1), isPast(counted, 7 + OLD_FORM_DAYS)]).toEqual([false, true]);
  expect(withCountedBinding(counted, 9)).toBe(counted);
  expect(withCountedBinding(fresh, 9)).toBe(fresh);
});
