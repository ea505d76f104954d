// Who becomes a keeper, stays one and comes back; modes and seeds. Single borders; test/vectors/keepers.json has whole stories.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSeed, nextSeeds } from "#shared/protocol/keepers/daily-seeds.ts";
import { type Directory, directoriesInForce, independentKeepers, nextDirectory } from "#shared/protocol/keepers/directory.ts";
import { KEEPER_RULES, type KeeperRules } from "#shared/protocol/keepers/keeper-rules.ts";
import { type BondedRelay, type EpochBlock, keeperBondUt, keeperSalt, keeperWeight } from "#shared/protocol/keepers/keeper-standing.ts";
import { FIRST_MODE, type MailMode, nextMode } from "#shared/protocol/keepers/mail-mode.ts";
import { slotPeriods } from "#shared/protocol/keepers/placement.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const START = 20_000 * DAY;
const BOND = 1_000_000;
const hashAt = (hour: number): string => hour.toString(16).padStart(64, "0");

/** A relay whose heartbeats come every ten minutes while it is there, and what its chain makes of it hour by hour. */
class Story {
  relay: BondedRelay;
  directory: Directory | undefined;
  hour = 0;
  readonly rules: KeeperRules;

  constructor(rules: Partial<KeeperRules> = {}) {
    this.rules = { ...KEEPER_RULES, ...rules };
    this.relay = {
      key: "11".repeat(32),
      x25519: "22".repeat(32),
      multiaddr: "/ip4/81.2.69.1/tcp/4001",
      wallet: "33".repeat(32),
      bondUt: BOND / 20,
      registeredAtS: START,
      withdrawnAtS: 0,
      suspendedUntilS: 0,
      heartbeats: 0,
      lastHeartbeatS: 0,
    };
  }

  pass(hours: number, beatsAnHour = 6): this {
    for (let i = 0; i < hours; i += 1) {
      this.epoch();
      this.hour += 1;
      if (beatsAnHour > 0) this.set({ heartbeats: this.relay.heartbeats + beatsAnHour, lastHeartbeatS: START + this.hour * HOUR - 60 });
    }
    return this;
  }

  set(changes: Partial<BondedRelay>): this {
    this.relay = { ...this.relay, ...changes };
    return this;
  }

  epoch(): Directory {
    const block = { timeS: START + this.hour * HOUR, parentHash: hashAt(this.hour) };
    this.directory = nextDirectory(this.directory, { block, relays: [this.relay], validatorBondUt: BOND }, this.rules);
    return this.directory;
  }

  /** The salt of the next epoch, undefined when the relay is not in. */
  get salt(): string | undefined {
    const { salt } = this.epoch().keepers[0] ?? {};
    this.hour += 1;
    return salt;
  }
}

describe("a relay", () => {
  it("is in after 24 hours with its heartbeats, under a salt of that time", () => {
    expect(new Story().pass(23).salt).toBeUndefined();
    expect(new Story().pass(24).salt).toBe(keeperSalt("11".repeat(32), hashAt(24)));
  });

  it("needs 40 heartbeats in 24 hours: those of earlier days do not count", () => {
    const few = new Story().pass(24, 1);
    expect(few.epoch().keepers).toEqual([]);
    few.hour += 1;
    expect(few.pass(23, 1).salt).toBeUndefined();
    expect(new Story().pass(16, 1).pass(8, 3).salt).toBeDefined();
    expect(new Story().pass(16, 1).pass(7, 3).pass(1, 2).salt).toBeUndefined();
  });

  it.each<[string, Partial<BondedRelay>]>([
    ["a bond below", { bondUt: BOND / 20 - 1 }],
    ["a private address", { multiaddr: "/ip4/192.168.1.2/tcp/4001" }],
    ["no address", { multiaddr: "" }],
    ["a suspension", { suspendedUntilS: START + 10_000 * HOUR }],
    ["a withdrawal", { withdrawnAtS: START }],
  ])("is never in with %s, and out at once when that comes later", (_name, change) => {
    expect(new Story().set(change).pass(48).salt).toBeUndefined();
    const story = new Story().pass(30);
    expect(story.salt).toBeDefined();
    expect(story.set(change).salt).toBeUndefined();
  });

  it("is out after 12 hours without a heartbeat, and in again after one hour under the same salt", () => {
    const story = new Story().pass(30);
    const { salt } = story.epoch().keepers[0] ?? {};
    story.hour += 1;
    story.pass(11, 0);
    expect(story.salt).toBeUndefined();
    story.pass(20, 0).set({ heartbeats: story.relay.heartbeats + 1, lastHeartbeatS: START + story.hour * HOUR - 5 });
    expect(story.epoch().keepers).toEqual([]);
    story.hour += 1;
    expect(story.set({ heartbeats: story.relay.heartbeats + 2, lastHeartbeatS: START + story.hour * HOUR - 5 }).salt).toBe(salt);
  });

  it("that was suspended is in a day after its time, under another salt", () => {
    const story = new Story().pass(30);
    const before = story.salt;
    story.set({ suspendedUntilS: START + story.hour * HOUR + 1 });
    expect(story.pass(0).salt).toBeUndefined();
    story.pass(23);
    expect(story.salt).toBeUndefined();
    expect([undefined, before]).not.toContain(story.salt);
  });

  it("is not back with a single heartbeat in that hour", () => {
    const story = new Story().pass(30).pass(13, 0).pass(1, 1).pass(1, 1);
    expect(story.salt).toBeUndefined();
    expect(story.pass(1, 1).salt).toBeUndefined();
  });

  it.each([
    [29, true],
    [31, false],
  ])("keeps its salt for 30 days: back after %i days", (days, isSame) => {
    const story = new Story().pass(30);
    const before = story.epoch().keepers[0]?.salt;
    story.hour += 1;
    story.pass(days * 24, 0).pass(3);
    expect(story.salt === before).toBe(isSame);
    const salt = story.pass(30).salt;
    expect(salt).toBeDefined();
    expect(salt === before).toBe(isSame);
  });

  it("has a weight by its bond, at most 8", () => {
    const unit = keeperBondUt(BOND, KEEPER_RULES);
    expect([unit - 1, unit, 2 * unit - 1, 2 * unit, 8 * unit, 100 * unit].map((bond) => keeperWeight(bond, unit, KEEPER_RULES))).toEqual([
      0, 1, 1, 2, 8, 8,
    ]);
    expect(keeperBondUt(21, KEEPER_RULES)).toBe(2);
  });
});

describe("a directory", () => {
  it("follows so many relays, and whoever is followed stays", () => {
    const relays = [5, 9, 1].map((n) => ({ ...new Story().relay, key: n.toString(16).repeat(64) }));
    const rules = { ...KEEPER_RULES, mostRelays: 2 };
    const first = nextDirectory(
      undefined,
      { block: { timeS: START, parentHash: hashAt(0) }, relays: relays.slice(0, 2), validatorBondUt: BOND },
      rules,
    );
    const next = nextDirectory(first, { block: { timeS: START + HOUR, parentHash: hashAt(1) }, relays, validatorBondUt: BOND }, rules);
    expect([...next.standings.keys()].map(([digit]) => digit)).toEqual(["5", "9"]);
    expect(() => nextDirectory(next, { block: { timeS: START + HOUR + 9, parentHash: hashAt(2) }, relays, validatorBondUt: BOND })).toThrow(
      RangeError,
    );
  });

  it.each([
    ["networks of their own", (n: number): string => `/ip4/81.2.${n}.1/tcp/1`, 1],
    ["one network", (): string => "/ip4/81.2.69.1/tcp/1", 0],
  ])("counts keepers for its mode as far as they have %s", (_name, multiaddrOf, enough) => {
    const relays = Array.from({ length: 8 }, (_, n) => ({
      ...new Story().relay,
      key: n.toString().repeat(64),
      wallet: String(n),
      multiaddr: multiaddrOf(n),
    }));
    const at = (
      hour: number,
    ): { readonly block: EpochBlock; readonly relays: readonly BondedRelay[]; readonly validatorBondUt: number } => ({
      block: { timeS: START + hour * HOUR, parentHash: hashAt(hour) },
      relays: relays.map((relay) => ({ ...relay, heartbeats: 6 * hour, lastHeartbeatS: START + hour * HOUR })),
      validatorBondUt: BOND,
    });
    const directory = nextDirectory(nextDirectory(undefined, at(0)), at(24));
    expect(directory.keepers).toHaveLength(8);
    expect(directory.mode).toEqual({ is: "gossip", enough });
  });

  it("has keepers that share neither network nor wallet, the first in order", () => {
    const keepers = ["a 1", "a 2", "b 1", "c 2", "d 4"].map((name) => ({ network: name.slice(0, 1), wallet: name.slice(2) }));
    expect(independentKeepers(keepers).map(({ network }) => network)).toEqual(["a", "c", "d"]);
    expect(independentKeepers(keepers, 2)).toHaveLength(2);
  });

  it("counts ten minutes after its block, and the one before is served for an hour more", () => {
    const at = (afterS: number): readonly number[] => directoriesInForce({ epoch: 7, beganS: START }, { epoch: 6 }, START + afterS);
    expect([0, 599, 600, 4_199, 4_200].map(at)).toEqual([[6], [6], [7, 6], [7, 6], [7]]);
    expect(directoriesInForce({ epoch: 7, beganS: START }, undefined, START)).toEqual([7]);
  });
});

describe("modes", () => {
  const run = (mode: MailMode, ...steps: readonly (readonly [epochs: number, keepers: number])[]): MailMode =>
    steps.reduce(
      (now, [epochs, keepers]) => Array.from({ length: epochs }).reduce<MailMode>((each) => nextMode(each, keepers, KEEPER_RULES), now),
      mode,
    );

  it("need 24 epochs with 8 keepers, then 24 announced ones", () => {
    expect(run(FIRST_MODE, [23, 8])).toEqual({ is: "gossip", enough: 23 });
    expect(run(FIRST_MODE, [23, 8], [1, 7], [23, 8]).is).toBe("gossip");
    expect(run(FIRST_MODE, [24, 8]).is).toBe("announced");
    expect(run(FIRST_MODE, [47, 8]).is).toBe("announced");
    expect(run(FIRST_MODE, [24, 8], [24, 5]).is).toBe("keepers");
  });

  it("end after 6 epochs in a row with fewer than 5, announced ones too", () => {
    const keepers = run(FIRST_MODE, [48, 8]);
    expect(run(keepers, [5, 4], [1, 5], [5, 4]).is).toBe("keepers");
    expect(run(keepers, [6, 4])).toEqual(FIRST_MODE);
    expect(run(FIRST_MODE, [24, 8], [6, 4])).toEqual(FIRST_MODE);
    expect(run(FIRST_MODE, [44, 8], [4, 4], [2, 4])).toEqual(FIRST_MODE);
  });
});

describe("daily seeds", () => {
  const block = (day: number): { readonly timeS: number; readonly parentHash: string } => ({ timeS: day * DAY, parentHash: hashAt(day) });

  it("are there for every day, also those without a block, and never change", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 12 }), (gaps) => {
        let day = 20_000;
        let seeds = nextSeeds(undefined, block(day), KEEPER_RULES);
        for (const gap of gaps) {
          const before = seeds;
          day += gap;
          seeds = nextSeeds(before, block(day), KEEPER_RULES);
          expect([seeds.lastDay, seeds.seeds.length]).toEqual([day, 60]);
          for (let back = 0; back < 60; back += 1) {
            const known = findSeed(before, day - back);
            if (known !== undefined) expect(findSeed(seeds, day - back)).toBe(known);
          }
          expect(new Set(seeds.seeds).size).toBe(60);
        }
      }),
    );
  });

  it("reach both periods of every slot", () => {
    const seeds = nextSeeds(undefined, block(20_000), KEEPER_RULES);
    for (let slot = 0; slot < 30; slot += 1) {
      const { current, draining } = slotPeriods(slot, 20_000, seeds);
      expect([current?.seed, draining?.seed].includes(undefined)).toBe(false);
      expect(current?.seed).not.toBe(draining?.seed);
    }
    expect(slotPeriods(3, 20_030, seeds).current).toBeUndefined();
    expect(findSeed(seeds, 20_001)).toBeUndefined();
  });
});
