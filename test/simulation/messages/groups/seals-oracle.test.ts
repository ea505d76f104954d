import { describe, expect, it } from "vitest";
import { type Knowing, SealsOracle } from "./seals-oracle.ts";

const HOUR_MS = 3_600_000;
const DEVICE = { person: "ann" };
/** The log is create, then the removal, then a later entry. */
const PASTS: Readonly<Record<string, readonly string[]>> = { removal: ["create"], later: ["create", "removal"], left: ["create", "known"] };
const KNOWS_ALL: Knowing = {
  ...{ knows: () => true, holds: () => true },
  pastOf: (hash) => new Set(PASTS[hash]),
  departuresOf: () => [],
};
const KNOWS_NOTHING: Knowing = { ...KNOWS_ALL, knows: () => false, holds: () => false };

function oracle(): SealsOracle<object> {
  const seals = new SealsOracle<object>();
  seals.noteRemoval({ hash: "removal", people: ["eve"], at: 10 });
  return seals;
}

describe("who was removed", () => {
  it("gets nothing of who knows it, and no later entry", () => {
    expect(() => oracle().sealed("eve", KNOWS_ALL)).toThrow("is sealed to eve");
    expect(() => oracle().entriesShown("eve", ["create", "removal", "later"], KNOWS_ALL)).toThrow("shown an entry that is later");
    oracle().sealed("eve", KNOWS_NOTHING);
    oracle().sealed("bob", KNOWS_ALL);
    oracle().entriesShown("eve", ["create", "removal"], KNOWS_ALL);
    oracle().entriesShown("eve", ["later"], KNOWS_NOTHING);
    oracle().entriesShown("bob", ["later"], KNOWS_ALL);
    const hasLeft: Knowing = { ...KNOWS_ALL, departuresOf: (person) => (person === "eve" ? ["left"] : []) };
    oracle().entriesShown("eve", ["create", "known", "left"], hasLeft);
    expect(() => oracle().entriesShown("eve", ["left", "later"], hasLeft)).toThrow("shown an entry that is later");
  });

  it("has nothing shown that is later, nor what comes a day after that was learned, until the disk was put back", () => {
    const seals = oracle();
    const late = { author: "eve", at: 11, heads: [] };
    seals.shown(DEVICE, late, HOUR_MS);
    seals.noteKnown(DEVICE, KNOWS_NOTHING, HOUR_MS);
    seals.shown(DEVICE, late, HOUR_MS);
    seals.noteKnown(DEVICE, KNOWS_ALL, 2 * HOUR_MS);
    expect(() => seals.shown(DEVICE, late, 2 * HOUR_MS)).toThrow("later than their removal");
    seals.shown(DEVICE, { ...late, at: 10 }, 26 * HOUR_MS);
    expect(() => seals.shown(DEVICE, { ...late, at: 10 }, 27 * HOUR_MS)).toThrow("long after");
    seals.forget(DEVICE);
    seals.shown(DEVICE, { ...late, at: 10 }, 27 * HOUR_MS);
  });
});

describe("a removal of which a device knows no more", () => {
  const knowing = (...hashes: readonly string[]): Knowing => ({ ...KNOWS_ALL, knows: (hash) => hashes.includes(hash) });
  const late = { author: "eve", at: 12, heads: [] };

  it("counts no more: the person is in the group again until the next one, and has a day from there", () => {
    const seals = oracle();
    seals.noteRemoval({ hash: "again", people: ["eve"], at: 12 });
    seals.noteKnown(DEVICE, knowing("removal"), 0);
    expect(() => seals.shown(DEVICE, late, 0)).toThrow("later than their removal");
    seals.noteKnown(DEVICE, knowing(), HOUR_MS);
    seals.shown(DEVICE, { ...late, at: 13 }, 30 * HOUR_MS);
    seals.noteKnown(DEVICE, knowing("again"), 30 * HOUR_MS);
    seals.shown(DEVICE, late, 54 * HOUR_MS);
    expect(() => seals.shown(DEVICE, { ...late, at: 13 }, 54 * HOUR_MS)).toThrow("later than their removal");
    expect(() => seals.shown(DEVICE, late, 55 * HOUR_MS)).toThrow("long after");
  });

  it("gives no further day to who was out at all times", () => {
    const seals = oracle();
    seals.noteRemoval({ hash: "again", people: ["eve"], at: 12 });
    seals.noteKnown(DEVICE, knowing("removal"), 0);
    seals.noteKnown(DEVICE, knowing("again"), 20 * HOUR_MS);
    seals.shown(DEVICE, late, 24 * HOUR_MS);
    expect(() => seals.shown(DEVICE, late, 25 * HOUR_MS)).toThrow("long after");
  });
});

describe("heads that are not known", () => {
  it("make a person be asked each ten minutes at most, and never one who was removed", () => {
    const seals = oracle();
    seals.asked(DEVICE, "bob", KNOWS_ALL, 0);
    seals.asked(DEVICE, "carol", KNOWS_ALL, 0);
    expect(() => seals.asked(DEVICE, "bob", KNOWS_ALL, 599_999)).toThrow("again and again");
    seals.asked(DEVICE, "bob", KNOWS_ALL, 600_000);
    expect(() => seals.asked(DEVICE, "eve", KNOWS_ALL, 0)).toThrow("who was removed");
  });

  it("make a member be asked who was not asked a short while ago, also where others were", () => {
    const seals = oracle();
    seals.asked(DEVICE, "bob", KNOWS_ALL, 0);
    seals.passedOver(DEVICE, "bob", 599_999);
    expect(() => seals.passedOver(DEVICE, "bob", 600_000)).toThrow("bob is not asked");
    expect(() => seals.passedOver(DEVICE, "carol", 0)).toThrow("caro is not asked");
  });
});

describe("what is said of authors", () => {
  const removal = { hash: "removal", change: { op: "remove", at: 10, people: ["eve"] } } as const;

  it("is that they did not know of a removal, where they did not", () => {
    oracle().said({ author: "bob", at: 0, heads: ["create"] }, [removal], KNOWS_ALL);
    oracle().said({ author: "bob", at: 0, heads: ["later"] }, [], KNOWS_ALL);
    oracle().said({ author: "eve", at: 0, heads: ["create"] }, [], KNOWS_ALL);
    oracle().said({ author: "bob", at: 0, heads: ["create"] }, [], KNOWS_NOTHING);
  });

  it("is not that where they did, nor left out where they did not", () => {
    expect(() => oracle().said({ author: "bob", at: 0, heads: ["later"] }, [removal], KNOWS_ALL)).toThrow("and they did");
    expect(() => oracle().said({ author: "bob", at: 0, heads: ["removal"] }, [removal], KNOWS_ALL)).toThrow("and they did");
    expect(() => oracle().said({ author: "bob", at: 0, heads: ["create"] }, [], KNOWS_ALL)).toThrow("not said that bob");
  });
});
