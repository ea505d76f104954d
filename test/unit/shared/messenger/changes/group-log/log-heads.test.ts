// Whom a device asks for entries that it lacks, and of which removals an author did not know.
import { describe, expect, it } from "vitest";
import { unawareOf, withAsked } from "#shared/messenger/changes/group-log/log-heads.ts";
import { recordOf } from "#shared/messenger/changes/group-log/log-record.ts";
import type { GroupRecord } from "#shared/messenger/model/group-state.ts";
import { createItem, PEOPLE } from "#test/support/groups/group-history.ts";
import { LogDevice } from "#test/support/groups/log-device.ts";

const [ANN = "", BOB = "", CAROL = ""] = PEOPLE;
const DAVE = "dd".repeat(32);
const TEN_MINUTES_MS = 600_000;
const YEARS_MS = 10 * 365 * 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 1);

function withBobAndCarol(): LogDevice {
  const ann = new LogDevice(ANN, createItem(1));
  ann.write({ op: "add", at: 1, people: [BOB, CAROL].sort() });
  return ann;
}

function asked(group: GroupRecord, from: string, nowMs: number): GroupRecord {
  const asking = withAsked(group, from, { me: ANN, nowMs });
  if (asking === undefined) throw new Error("is not asked");
  return asking;
}

describe("who is asked for entries", () => {
  const group = recordOf(withBobAndCarol().log, undefined, ANN);

  it("is asked every ten minutes at most, each person for themselves", () => {
    const once = asked(group, BOB, NOW_MS);
    expect(withAsked(once, BOB, { me: ANN, nowMs: NOW_MS + TEN_MINUTES_MS - 1 })).toBeUndefined();
    const both = asked(once, CAROL, NOW_MS + 1);
    expect(both.asked).toEqual({ [BOB]: NOW_MS, [CAROL]: NOW_MS + 1 });
    expect(asked(both, BOB, NOW_MS + TEN_MINUTES_MS).asked).toEqual({ [BOB]: NOW_MS + TEN_MINUTES_MS, [CAROL]: NOW_MS + 1 });
  });

  it("is asked at once again where the clock was set back, which leaves nothing of later times", () => {
    const ahead = asked(asked(group, BOB, NOW_MS + YEARS_MS), CAROL, NOW_MS + YEARS_MS);
    expect(asked(ahead, BOB, NOW_MS).asked).toEqual({ [BOB]: NOW_MS });
    expect(withAsked(ahead, BOB, { me: ANN, nowMs: NOW_MS + YEARS_MS - TEN_MINUTES_MS + 1 })).toBeUndefined();
  });

  it("is in the group or the own person", () => {
    expect(withAsked(group, DAVE, { me: ANN, nowMs: NOW_MS })).toBeUndefined();
    expect(asked(group, ANN, NOW_MS).asked).toEqual({ [ANN]: NOW_MS });
    const ann = withBobAndCarol();
    ann.write({ op: "remove", at: 2, people: [BOB] });
    expect(withAsked(recordOf(ann.log, group, ANN), BOB, { me: ANN, nowMs: NOW_MS })).toBeUndefined();
  });
});

describe("an author", () => {
  const ann = withBobAndCarol();
  const before = ann.log.fold.group.heads;
  const { hash = "" } = ann.write({ op: "remove", at: 2, people: [BOB] }) ?? {};

  it("did not know of the removals of others that come after the heads", () => {
    expect(unawareOf(ann.log, before, CAROL)).toEqual([hash]);
    expect(unawareOf(ann.log, before, BOB)).toEqual([]);
    expect(unawareOf(ann.log, [hash], CAROL)).toEqual([]);
    expect(unawareOf(ann.log, [...before, hash], CAROL)).toEqual([]);
  });

  it("is judged by no heads of which one is not here", () => {
    expect(unawareOf(ann.log, [...before, "ff".repeat(32)], CAROL)).toBeUndefined();
  });
});
