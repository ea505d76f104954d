// The verdict of a siege: what an attack achieved, and that it was one.
import { expect, it } from "vitest";
import { failuresOf, siegeTable } from "#test/siege/report.ts";
import type { Figures } from "#test/siege/run-attack.ts";

const REST = { rate: 40, statusP95Ms: 2, memoryMiB: 300, processorPercent: 20, othersPercent: 0, behindPercent: 0, seconds: 10 };

function figures(counts: Figures["counts"], rate = 40): Figures {
  return {
    attack: { name: "a", title: "an attack", work: "transfers", network: { validators: 1 }, attack: () => Promise.resolve() },
    ...{ undisturbed: REST, underAttack: { ...REST, rate }, serverErrors: 0, hasDied: false, counts, problems: [], refusals: {} },
  };
}

it("is that an attack was withstood only where the attacker did something", () => {
  expect(failuresOf(figures({ identities: 16, requests: 9 }))).toEqual([]);
  expect(failuresOf(figures({ requests: 9 }, 35))).toEqual(["honest work"]);
  for (const counts of [{}, { requests: 0 }, { identities: 16, refusals: 3, refused: 4_000, failures: 2 }]) {
    expect(failuresOf(figures(counts))).toEqual(["the attacker did nothing"]);
    expect(siegeTable([figures(counts)])).toContain("fails: the attacker did nothing");
  }
});
