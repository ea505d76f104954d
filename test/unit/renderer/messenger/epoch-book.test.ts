import { describe, expect, it } from "vitest";
import { EpochBook, type EpochCards, withCard } from "#renderer/messenger/epoch-book.ts";

const DAY_S = 86_400;
const card = (n: number, notAfter: number): { epochPub: string; notAfter: number } => ({ epochPub: `0${n}`.repeat(32), notAfter });

describe("cards of devices", () => {
  it("are replaced by newer ones only", () => {
    const first = withCard({}, "a", { card: card(1, 500), nowS: 100 });
    expect(withCard(first, "a", { card: card(2, 500), nowS: 100 })).toBe(first);
    expect(withCard(first, "a", { card: card(2, 499), nowS: 100 })).toBe(first);
    expect(withCard(first, "a", { card: card(2, 501), nowS: 100 })).toEqual({ a: card(2, 501) });
  });

  it("are not taken when they have expired, or would hold too long", () => {
    expect(withCard({}, "a", { card: card(1, 100), nowS: 100 })).toEqual({});
    expect(withCard({}, "a", { card: card(1, 101 + 30 * DAY_S), nowS: 100 })).toEqual({});
  });

  it("give a key while they hold", () => {
    const book = new EpochBook(card(9, 1), { a: card(1, 500) });
    expect(book.keyFor("a", 499)).toBe(card(1, 500).epochPub);
    expect(book.keyFor("a", 500)).toBeUndefined();
    expect(book.keyFor("b", 1)).toBeUndefined();
  });

  it("make room for others", () => {
    const full = Object.fromEntries(Array.from({ length: 4_096 }, (_, n) => [`d${n}`, card(1, 1_000 + n)]));
    const cards: EpochCards = withCard(full, "new", { card: card(2, 9_000), nowS: 1 });
    expect(Object.keys(cards)).toHaveLength(4_096);
    expect(cards).not.toHaveProperty("d0");
    expect(cards).toHaveProperty("new");
  });
});
