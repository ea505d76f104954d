// The verdict of a siege: what an attack achieved, and that it was one.
import { expect, it } from "vitest";
import { failuresOf, siegeTable } from "#test/siege/report.ts";
import type { Figures } from "#test/siege/run-attack.ts";
import type { MailFigures } from "#test/support/nodes/mail-count.ts";

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

it("is that messages of contacts have to arrive once, in twice the time that they take undisturbed", () => {
  const mail = { sent: 100, lost: 0, doubled: 0, p50: 40, p99: 100, longest: 110 };
  const whole = figures({ requests: 9 });
  const withMail = (before: Partial<MailFigures>, under: Partial<MailFigures>): Figures => ({
    ...whole,
    undisturbed: { ...whole.undisturbed, mail: { ...mail, ...before } },
    underAttack: { ...whole.underAttack, mail: { ...mail, ...under } },
  });
  expect(failuresOf(withMail({}, { p99: 200 }))).toEqual([]);
  expect(failuresOf(withMail({}, { p99: 201 }))).toEqual(["late messages"]);
  expect(failuresOf(withMail({}, { p99: undefined }))).toEqual(["late messages"]);
  expect(failuresOf(withMail({ lost: 1 }, { lost: 2, doubled: 1 }))).toEqual(["3 messages lost", "1 came twice"]);
  expect(siegeTable([withMail({}, { p50: 45, p99: 120 })])).toMatch(/40\.0 \(p50 40, p99 100 ms\) +\| 40\.0 \(p50 45, p99 120 ms\)/);
  expect(siegeTable([whole])).not.toContain("p99");
});
