// Repair between two keepers: equal sets in the end, within bounds, whatever the other side says.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEEPER_LIMITS, type KeeperLimits } from "#node/relay/keepers/keeper-limits.ts";
import { answerRanges } from "#node/relay/keepers/repair/answer-ranges.ts";
import { fingerprintOf, hashAt, MailEntries, type MailEntry, positionOf, splitRange } from "#node/relay/keepers/repair/mail-entries.ts";
import { type EntryJudgement, type RepairOutcome, RepairSession } from "#node/relay/keepers/repair/repair-session.ts";
import type { RangeAnswer } from "#shared/protocol/mail/mail-messages.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { createRandom } from "#test/support/host/random.ts";
import { extent } from "#test/support/host/test-extent.ts";

interface Vectors {
  readonly fingerprints: readonly {
    readonly entries: readonly Omit<MailEntry, "receivedSec">[];
    readonly sum: string;
    readonly fingerprint: string;
  }[];
}

const BOX = "ab".repeat(32);
const entry = (n: number): MailEntry => ({ box: BOX, id: n.toString(16).padStart(32, "0"), receivedSec: n });
const hashOf = (each: MailEntry): bigint => hashAt(positionOf(each));

function entriesOf(all: Iterable<MailEntry>, limits = KEEPER_LIMITS): MailEntries {
  const entries = new MailEntries(limits.listedEntries);
  for (const each of all) entries.add(each);
  return entries;
}

/** What the other side says and takes. */
interface Other {
  digest(): ReturnType<MailEntries["digest"]>;
  ranges(ranges: readonly string[]): readonly RangeAnswer[];
  fetch(entries: readonly MailEntry[]): readonly MailEntry[];
  tellDeleted(entries: readonly MailEntry[]): void;
}

function honest(entries: MailEntries, limits: KeeperLimits): Other {
  return {
    digest: () => entries.digest(""),
    ranges: (ranges) => answerRanges(entries, ranges, limits),
    fetch: (wanted) => wanted.flatMap((each) => entries.find(each) ?? []),
    tellDeleted: () => undefined,
  };
}

function run(
  own: MailEntries,
  other: Other,
  limits = KEEPER_LIMITS,
  judge?: (each: MailEntry) => EntryJudgement,
): { readonly outcome: RepairOutcome; readonly session: RepairSession } {
  const session = new RepairSession(own, limits, judge);
  for (;;) {
    const step = session.next();
    if (step.is === "end") return { outcome: step.outcome, session };
    if (step.is === "digest") session.takeDigest(other.digest());
    else if (step.is === "ranges") session.takeRanges(other.ranges(step.ranges));
    else if (step.is === "fetch") {
      const came = other.fetch(step.entries);
      session.takeFetched(came, came);
    } else {
      other.tellDeleted(step.entries);
      session.takeTold();
    }
  }
}

describe("entries", () => {
  it.each(readVectors<Vectors>("keepers.json").fingerprints)(
    "have the fingerprints of the vectors: $sum",
    ({ entries, sum, fingerprint }) => {
      const held = entries.map((each) => ({ ...each, receivedSec: 1 }));
      const total = held.reduce((all, each) => (all + hashOf(each)) % (1n << 256n), 0n);
      expect([total.toString(16).padStart(64, "0"), fingerprintOf(total)]).toEqual([sum, fingerprint]);
      expect(entriesOf(held).digest("")).toEqual({ count: entries.length, fingerprint });
    },
  );

  it("have the same digests in any order, in every range", () => {
    const some = Array.from({ length: 400 }, (_, n) => entry(n));
    const [one, other] = [entriesOf(some), entriesOf([...some, ...some].toReversed())];
    expect([one.size, other.size, other.add(entry(7))]).toEqual([400, 400, false]);
    for (const range of ["", "4", "a7", "0000", ...splitRange("c")]) {
      expect(other.digest(range)).toEqual(one.digest(range));
      expect(other.list(range)).toEqual(one.list(range));
      const inRange = some.filter((each) => positionOf(each).startsWith(range));
      expect(one.digest(range).count).toBe(inRange.length);
      expect(one.digest(range).fingerprint).toBe(fingerprintOf(inRange.reduce((sum, each) => (sum + hashOf(each)) % (1n << 256n), 0n)));
    }
  });
});

describe("repair of two honest keepers", () => {
  const limits = { ...KEEPER_LIMITS, listedEntries: 4, rangesPerRequest: 8, entriesPerRequest: 16 };
  const side = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 300 });

  it("ends with all that either has, once both have asked", () => {
    fc.assert(
      fc.property(side, side, (mine, theirs) => {
        const [own, other] = [entriesOf(mine.map(entry), limits), entriesOf(theirs.map(entry), limits)];
        const lacksNothing = mine.every((n) => theirs.includes(n));
        expect(run(own, honest(other, limits), limits).outcome).toBe(lacksNothing ? "equal" : "done");
        expect(run(other, honest(own, limits), limits).outcome).toBe("equal");
        expect(own.list()).toEqual(entriesOf([...mine, ...theirs].map(entry)).list());
        expect(other.list()).toEqual(own.list());
      }),
      { numRuns: extent(20, 60) },
    );
  });

  it("costs what differs, not what there is", () => {
    const all = Array.from({ length: 5_000 }, (_, n) => entry(n));
    const [own, other] = [entriesOf(all.filter((_, n) => n !== 77)), entriesOf(all)];
    const { outcome, session } = run(own, honest(other, KEEPER_LIMITS));
    expect([outcome, own.size]).toEqual(["equal", 5_000]);
    expect(session.spent.requests).toBeLessThan(12);
    expect(session.spent.entries).toBeLessThan(5 * KEEPER_LIMITS.listedEntries + 10);
  });

  it("goes on in further sessions where one is not enough, each of them nearer", () => {
    const small = { ...limits, sessionEntries: 100, sessionRequests: 40 };
    const all = Array.from({ length: 600 }, (_, n) => entry(n));
    const [own, other] = [entriesOf([], small), entriesOf(all, small)];
    let outcome: RepairOutcome | undefined;
    for (let sessions = 0; outcome !== "equal"; sessions += 1) {
      const before = own.size;
      ({ outcome } = run(own, honest(other, small), small));
      expect(sessions).toBeLessThan(40);
      expect(own.size).toBeGreaterThan(before);
    }
    expect(own.list()).toEqual(other.list());
  });

  it("tells the other side what is deleted here, and leaves what it may not take", () => {
    const some = Array.from({ length: 50 }, (_, n) => entry(n));
    const judge = ({ receivedSec }: MailEntry): EntryJudgement => (receivedSec < 3 ? "deleted" : receivedSec < 5 ? "leave" : "fetch");
    const own = entriesOf([]);
    const told: MailEntry[] = [];
    const other = { ...honest(entriesOf(some), KEEPER_LIMITS), tellDeleted: (gone: readonly MailEntry[]): void => void told.push(...gone) };
    expect(run(own, other, KEEPER_LIMITS, judge).outcome).toBe("done");
    expect(new Set(told.map(({ receivedSec }) => receivedSec))).toEqual(new Set([0, 1, 2]));
    expect(own.size).toBe(45);
  });

  it("ends while the other side gets more all the time", () => {
    const [own, other] = [entriesOf([]), entriesOf([])];
    let count = 0;
    const growing: Other = {
      ...honest(other, KEEPER_LIMITS),
      digest: () => {
        other.add(entry(count++));
        return other.digest("");
      },
    };
    expect([run(own, growing).outcome, own.size]).toEqual(["budget", KEEPER_LIMITS.sessionPasses]);
  });

  it("ends where what comes finds no room here", () => {
    const own = entriesOf([]);
    const session = new RepairSession(own, KEEPER_LIMITS);
    const other = honest(entriesOf(Array.from({ length: 500 }, (_, n) => entry(n))), KEEPER_LIMITS);
    for (let step = session.next(); ; step = session.next()) {
      if (step.is === "end") {
        expect([step.outcome, own.size]).toEqual(["done", 0]);
        return;
      }
      if (step.is === "digest") session.takeDigest(other.digest());
      else if (step.is === "ranges") session.takeRanges(other.ranges(step.ranges));
      else session.takeFetched(step.entries, []);
    }
  });
});

describe("the other side of a repair", () => {
  const all = Array.from({ length: 500 }, (_, n) => entry(n));
  const liar = (changes: (true_: Other) => Partial<Other>): Other => {
    const good = honest(entriesOf(all), KEEPER_LIMITS);
    return { ...good, ...changes(good) };
  };
  const split = (count: number): RangeAnswer => ({ is: "split", digests: Array(16).fill({ count, fingerprint: "00".repeat(32) }) });

  /** Everything is in the first part, again and again. */
  const deep: RangeAnswer = {
    is: "split",
    digests: Array.from({ length: 16 }, (_, at) => ({ count: at === 0 ? 500 : 0, fingerprint: at === 0 ? "" : fingerprintOf(0n) })),
  };
  const first = entriesOf(all).list().slice(0, 9);

  it.each<[string, Other]>([
    ["splits without an end", liar(() => ({ ranges: (ranges) => ranges.map(() => split(1_000)) }))],
    ["has a count that is none", liar((good) => ({ digest: () => ({ ...good.digest(), count: Number.NaN }) }))],
    ["claims ever more", liar(() => ({ ranges: (ranges) => ranges.map((range) => split(40 * 2 ** range.length)) }))],
    ["answers fewer ranges", liar(() => ({ ranges: () => [] }))],
    ["splits ever deeper", liar(() => ({ ranges: (ranges) => ranges.map(() => deep) }))],
    ["splits what one list would hold", liar(() => ({ ranges: (ranges) => ranges.map(() => split(1)) }))],
    [
      "lists what lies elsewhere",
      liar((good) => ({
        ranges: (ranges) => (ranges[0] === "" ? good.ranges(ranges) : ranges.map(() => ({ is: "list", entries: first }))),
      })),
    ],
    ["lists without an order", liar(() => ({ ranges: (ranges) => ranges.map(() => ({ is: "list", entries: first.toReversed() })) }))],
    [
      "lists one entry again and again",
      liar(() => ({ ranges: (ranges) => ranges.map(() => ({ is: "list", entries: [entry(1), entry(1)] })) })),
    ],
    ["lists too many", liar(() => ({ ranges: (ranges) => ranges.map(() => ({ is: "list", entries: entriesOf(all).list() })) }))],
    ["splits into too few", liar(() => ({ ranges: (ranges) => ranges.map(() => ({ is: "split", digests: [] })) }))],
    ["counts in fractions", liar(() => ({ ranges: (ranges) => ranges.map(() => split(31.5)) }))],
    ["does not bring what it lists", liar(() => ({ fetch: () => [] }))],
  ])("that %s is noticed as a liar, and costs little", (_name, other) => {
    const { outcome, session } = run(entriesOf([]), other);
    expect(outcome).toBe("lie");
    expect(session.spent.requests).toBeLessThan(other.ranges([""])[0] === deep ? 20 : 8);
    expect(session.spent.entries).toBeLessThan(1_000);
  });

  it("that brings what was not wanted changes nothing", () => {
    const own = entriesOf(all.slice(0, 490));
    const extra = [entry(9_000), entry(9_001)];
    run(
      own,
      liar((good) => ({ fetch: (wanted) => [...good.fetch(wanted), ...extra] })),
    );
    expect(own.size).toBe(500);
  });

  it("that says anything at all ends within the budget, and what is here stays", () => {
    const limits = { ...KEEPER_LIMITS, sessionRequests: 60, rangesPerRequest: 16 };
    for (let seed = 0; seed < 20; seed += 1) {
      const random = createRandom(seed);
      const other = liar((good) => ({
        digest: () => ({ count: random.between(0, 1_000), fingerprint: "00".repeat(32) }),
        ranges: (ranges) =>
          answerRanges(entriesOf(all.filter(() => random.chance(0.9))), ranges, KEEPER_LIMITS).map((answer) =>
            answer.is === "split" && random.chance(0.3) ? split(random.between(3, 60)) : answer,
          ),
        fetch: (wanted) => good.fetch(wanted).filter(() => random.chance(0.9)),
      }));
      const mine = Array.from({ length: 40 }, (_, n) => entry(480 + n));
      const own = entriesOf(mine);
      const { session } = run(own, other, limits);
      expect(session.spent.requests).toBeLessThanOrEqual(60);
      for (const each of mine) expect(own.find(each)).toEqual(each);
    }
  });

  it.each([["g"], ["0".repeat(17)], ["A"], ["é"]])("that asks for the range %s is refused", (range) => {
    expect(() => answerRanges(entriesOf(all), [range], KEEPER_LIMITS)).toThrow(RangeError);
  });

  it("that asks for too many ranges is refused", () => {
    expect(() => answerRanges(entriesOf(all), Array(257).fill(""), KEEPER_LIMITS)).toThrow(RangeError);
  });
});
