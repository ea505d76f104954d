import { expect, it } from "vitest";
import { nameHue } from "#renderer/lib/people/names/name-hue.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

it("is one of twelve hues, the same for a person each time, and spread over many people", () => {
  const people = Array.from({ length: 600 }, (_, n) => actor(n + 1).pub);
  const counts = new Map<number, number>();
  for (const person of people) {
    const hue = nameHue(person);
    expect(nameHue(person)).toBe(hue);
    counts.set(hue, (counts.get(hue) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330]);
  expect(Math.min(...counts.values())).toBeGreaterThan(25);
});
