// Some schedules of simulated mail, the same in every run. `npm run sim -- --messenger` runs as many as one likes.
import { describe, expect, it } from "vitest";
import { extent } from "#test/support/host/test-extent.ts";
import { groupScenario, simulateGroup } from "./groups/group-schedule.ts";
import { GroupTally, MessageTally } from "./main.ts";
import { messageScenario, simulateMessages } from "./message-simulation.ts";

/** A few seconds' work. */
const RUNS = extent(15, 45);
/**
 * Once both devices of a pair destroyed what the other one sealed to, again and again, as deletions came in the place of texts; and a copy
 * that wrote nothing was to be noticed.
 */
const FORMER_FAILURES = [2_002_545, 2_002_479];
/** Schedules with late lists and without floods, in which a device sends something before another one finds it in lists. */
const LATE = [2, 18];
/** Schedules with strangers without number. */
const FLOODED = [2, 7];
/** Schedules with people who lie. */
const LIED_TO = [1, 6];
const GROUP_RUNS = extent(24, 400);
/**
 * Once a device that was put back showed what was later than a removal, whose time it did not know; and a removal that counts no more was held
 * against what came after the next one.
 */
const FORMER_GROUP_FAILURES = [87, 8_416_047];

describe("mail between two people with two devices each", () => {
  it("arrives whole whatever happens, and leaves a thief what the rules leave", () => {
    const tally = new MessageTally();
    for (const seed of [...Array(RUNS).keys(), ...FORMER_FAILURES]) {
      try {
        tally.add(simulateMessages(messageScenario(seed)));
      } catch (cause) {
        throw new Error(`${(cause as Error).message}\nAgain: npm run sim -- --messenger --seed ${seed}`, { cause });
      }
    }
    console.log(`Seeds 0–${RUNS - 1}, ${FORMER_FAILURES.join(", ")}: ${JSON.stringify(tally.summary())}`);
    // Schedules in which nothing happens would prove nothing.
    const { texts, lost, doubled, putBack, instances, copies, clockJumps, envelopes, inBoxes, refused, publicOpened, ...sums } = tally.sums;
    expect(Math.min(texts, lost, doubled)).toBeGreaterThan(20 * RUNS);
    expect(Math.min(putBack, instances, copies)).toBeGreaterThan(RUNS / 9);
    expect(clockJumps).toBeGreaterThan(RUNS);
    expect(inBoxes).toBeGreaterThan(envelopes / 2);
    expect(refused).toBeGreaterThan(RUNS);
    expect(publicOpened).toBeGreaterThan(RUNS);
    const { replayed, withheld, misdelivered, changed, reordered, outdated } = sums;
    expect(Math.min(replayed, withheld, misdelivered, changed, reordered, outdated), "what the relay did").toBeGreaterThan(3 * RUNS);
    expect(Math.min(sums.linked, sums.aside, sums.unlisted), "late lists").toBeGreaterThan(RUNS / 6);
    expect(sums.lateBlocks, "late chains").toBeGreaterThan(100 * RUNS);
    expect(Math.min(sums.refusedWrites, sums.nextWindows), "two windows").toBeGreaterThan(RUNS);
    expect(Math.min(sums.lies, sums.unreadable, sums.toLiars), "those who lie").toBeGreaterThan(10 * RUNS);
    expect(sums.renewedByLies).toBeGreaterThan(RUNS);
    expect(Math.min(sums.forgedTaken, sums.forgedRefused), "version 1 by a thief of lasting keys").toBeGreaterThan(RUNS);
    expect(sums.flooded, "strangers without number").toBeGreaterThan(300 * RUNS);
    expect(Math.min(sums.claimed, sums.fullDays)).toBeGreaterThan(RUNS);
  });

  it("is not trusted to strangers: a device that took one for a contact would be found", () => {
    for (const seed of LIED_TO) expect(() => simulateMessages({ ...messageScenario(seed), liars: "trusted" })).toThrow("sam-1");
  });

  it("is no reason to answer strangers without number: a device that took them for people whom it knows would be found", () => {
    for (const seed of FLOODED) expect(() => simulateMessages({ ...messageScenario(seed), floods: "welcome" })).toThrow("is to answer x");
  });

  it("does not where two windows write to one vault whatever the other one wrote", () => {
    for (const seed of [12, 20]) expect(() => simulateMessages({ ...messageScenario(seed), windows: "unchecked" })).toThrow("missing");
  });

  it("does not where devices drop what comes from one that their lists do not have yet", () => {
    for (const seed of LATE)
      expect(() => simulateMessages({ ...messageScenario(seed), floods: "none", lists: "lossy" })).toThrow("which waited");
  });
});

describe("a group whose owner replaces by bases what was before", () => {
  it("is the same on all devices, and what all entries make", () => {
    const tally = new GroupTally();
    for (const seed of [...Array(GROUP_RUNS).keys(), ...FORMER_GROUP_FAILURES]) {
      try {
        tally.add(simulateGroup(groupScenario(seed)));
      } catch (cause) {
        throw new Error(`${(cause as Error).message}\nAgain: npm run sim -- --messenger --seed ${seed}`, { cause });
      }
    }
    console.log(`Groups of seeds 0–${GROUP_RUNS - 1}, ${FORMER_GROUP_FAILURES.join(", ")}: ${JSON.stringify(tally.sums)}`);
    const { bases, jumps, putBack, shortened, guests, lies, rivals, falseBases, sealedApart, passedOn } = tally.sums;
    expect(bases).toBeGreaterThan(5 * GROUP_RUNS);
    expect(shortened).toBeGreaterThan(GROUP_RUNS / 2);
    expect(guests).toBeGreaterThan(GROUP_RUNS);
    expect(Math.min(jumps, putBack)).toBeGreaterThan(GROUP_RUNS / 6);
    expect(Math.min(lies, rivals, falseBases, sealedApart), "what those who lie did").toBeGreaterThan(GROUP_RUNS);
    expect(passedOn).toBeGreaterThan(0);
    const { sealed, unsealed, shownLies, lateLies, asks, answers } = tally.sums;
    expect(Math.min(sealed, shownLies, lateLies, asks), "what is written to the group").toBeGreaterThan(10 * GROUP_RUNS);
    expect(Math.min(unsealed, answers), "what the removed do not get").toBeGreaterThan(GROUP_RUNS);
  });

  it("is that of its owner alone: a device that took what others sign in the owner's name would be found", () => {
    for (const seed of [3, 19]) expect(() => simulateGroup({ ...groupScenario(seed), signatures: "unchecked" })).toThrow("A device of");
  });
});
