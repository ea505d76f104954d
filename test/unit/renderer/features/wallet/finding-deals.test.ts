// Which deals of the escrow contract's lines are looked up first, where strangers open and dispute as many as they pay for.
import { expect, it } from "vitest";
import { dealIdsIn } from "#renderer/features/wallet/escrow/deals.ts";
import { nearestFirst } from "#renderer/lib/people/contacts/nearest-first.ts";
import { alice, bob, carol } from "#test/support/worlds/ledger-world.ts";

const CONTACTS = new Set([bob.pub]);
const spam = (word: "open" | "dispute"): string[][] =>
  Array.from({ length: 60 }, (_, index) =>
    word === "open" ? ["open", `spam-${index}`, carol.pub, alice.pub, "1"] : ["dispute", `quarrel-${index}`, carol.pub],
  );

it("deals that strangers open for a person do not come before those that they or their contacts opened", () => {
  const lines = [...spam("open"), ["open", "lamp", bob.pub, alice.pub, "5"], ["open", "bike", alice.pub, carol.pub, "5"]];
  const { own } = dealIdsIn(lines, alice.pub, CONTACTS);
  expect([own.slice(0, 3), own.length]).toEqual([["bike", "lamp", "spam-0"], 62]);
});

it("nor do quarrels of strangers come before those of contacts", () => {
  const lines = [...spam("dispute"), ["dispute", "boat", bob.pub], ["open", "mine", alice.pub, bob.pub, "5"], ["dispute", "mine", bob.pub]];
  const { own, disputed } = dealIdsIn(lines, alice.pub, CONTACTS);
  expect([own, disputed.slice(0, 2), disputed.length]).toEqual([["mine"], ["boat", "quarrel-0"], 61]);
});

it("each part stays in its order", () => {
  const made = [carol, bob, alice, carol, bob, alice].map(({ pub }, index) => ({ pub, index }));
  const sorted = nearestFirst(made, ({ pub }) => pub, { me: alice.pub, contacts: CONTACTS });
  expect(sorted.map(({ index }) => index)).toEqual([2, 5, 1, 4, 0, 3]);
});
