// Some days of simulated mail at keepers, the same in every run. `npm run sim -- --mail` prints the tables of docs/network.md.
import { describe, expect, it } from "vitest";
import { CARRY_LIMITS } from "#node/relay/keepers/carry/carry-limits.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { mailboxLimits } from "#node/relay/mailbox-limits.ts";
import { checkMail } from "./check-mail.ts";
import { simulateFlood } from "./flooded-keeper.ts";
import { EARLIER_PLAN, PLAN, readingAt, simulateParts } from "./load-spread.ts";
import { simulateGrinding, simulateSybils } from "./sybil-keepers.ts";

const SEEDS = [1, 2, 3];

describe("mail at keepers that fail, drop and vanish", () => {
  it("is not lost by failures, and owners who test their keepers lose little by liars", async () => {
    const results = [];
    for (const seed of SEEDS) results.push(await checkMail(seed));
    console.log(`Seeds ${SEEDS.join(", ")}: ${JSON.stringify(results)}`);
    // Days on which nothing failed, and thirds that dropped nothing, would prove nothing.
    expect(Math.min(...results.map(({ repair }) => repair))).toBeGreaterThan(0.002);
    expect(Math.max(...results.map(({ repair }) => repair))).toBeLessThan(0.4);
    expect(Math.min(...results.map(({ dropped }) => dropped))).toBeGreaterThan(0.005);
  });

  it("cannot be had by keys that were chosen, or by many relays in few networks", () => {
    const { ground, groundNext, salted } = simulateGrinding({ seed: 1, relays: 60, party: 6, tries: 60, slots: 8 });
    expect([ground >= 0.5, groundNext <= 0.25, salted <= 0.25]).toEqual([true, true, true]);
    const spread = simulateSybils({ seed: 1, relays: 60, slots: 60, part: 0.5 });
    const oneNetwork = simulateSybils({ seed: 1, relays: 60, slots: 60, part: 0.5, networks: 1 });
    expect([spread.two > 0.25, oneNetwork.two, oneNetwork.three]).toEqual([true, 0, 0]);
  });

  it("of a thousand people a keeper is read within its limits, by a tenth of the requests of before", () => {
    // As many keepers a slot, and people a keeper, as with a million people and a thousand relays.
    const parts = simulateParts({ seed: 1, relays: 60, slotStep: 16 });
    const readers = { people: 60_000, boxesEach: 100 };
    const [before, carried] = [EARLIER_PLAN, PLAN].map((plan) => readingAt(parts, readers, plan, 0.99));
    const [direct, small] = [1_000, 100].map((aNode) => readingAt(parts, { ...readers, aNode }, PLAN, 0.99));
    const { relayBoxes, foreignPercent, carriedPercent } = mailboxLimits(16 * 1_073_741_824);
    expect([
      (carried?.watches ?? 0) <= CARRY_LIMITS.watches,
      (direct?.room ?? 1) <= 1,
      (small?.room ?? 1) <= 1,
      // By nodes as well, which a keeper remembered 1,024 of.
      (small?.room ?? 0) > ((small?.watches ?? 0) / KEEPER_LIMITS.watchedByAll) * 1.01,
      (carried?.openings ?? 0) <= (relayBoxes * foreignPercent * carriedPercent) / 10_000,
      (carried?.requestsPerS ?? 0) * 5 <= (before?.requestsPerS ?? 0),
      (before?.watches ?? 0) > CARRY_LIMITS.watches,
    ]).toEqual([true, true, true, true, true, true, true]);
  });

  it("of contacts is there after a flood", async () => {
    const { contactsLost, floodStored } = await simulateFlood({ sources: 40, room: 200, times: 2 });
    expect(contactsLost).toBe(0);
    expect(floodStored).toBeLessThan(0.9);
  });
});
