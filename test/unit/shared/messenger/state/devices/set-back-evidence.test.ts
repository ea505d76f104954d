// Who contradicts this device, and when it is enough to say so.
import { beforeEach, expect, it } from "vitest";
import { SET_BACK_KEY, type SetBackClaim, SetBackEvidence, type SetBackRecord } from "#shared/messenger/state/devices/set-back-evidence.ts";

const [ME, BOB, EVE, DAN] = ["11", "22", "33", "44"].map((byte) => byte.repeat(32)) as [string, string, string, string];
const SEEN_MS = 5_000;

let stored: SetBackRecord | undefined;
let found: boolean[];
const batch = {
  putMeta: (key: string, value: unknown): void => {
    expect(key).toBe(SET_BACK_KEY);
    stored = value as SetBackRecord;
  },
};

beforeEach(() => {
  stored = undefined;
  found = [];
});

function evidenceOf(record?: SetBackRecord): SetBackEvidence {
  const evidence = new SetBackEvidence(ME, record);
  evidence.onFound = (isOwn): void => {
    found.push(isOwn);
  };
  return evidence;
}

const by = (person: string, fields: Partial<SetBackClaim> = {}): SetBackClaim => ({ person, heardMs: 1_000, nowMs: 9_000, ...fields });

it("believes two people and not one, however often one says it", () => {
  const evidence = evidenceOf();
  for (let times = 0; times < 3; times += 1) evidence.note(batch, by(EVE));
  expect([evidence.isFound, found, stored?.people]).toEqual([false, [], [EVE]]);
  evidence.note(batch, by(BOB));
  expect([evidence.isFound, evidence.isOwn, found]).toEqual([true, false, [false]]);
  evidence.note(batch, by(DAN));
  expect(stored?.people).toEqual([EVE, BOB]);
});

it("believes an own device alone, also after two people", () => {
  const evidence = evidenceOf();
  evidence.note(batch, by(ME));
  expect([evidence.isFound, found]).toEqual([true, [true]]);
  const later = evidenceOf({ people: [EVE, BOB], seenAtMs: null });
  later.note(batch, by(ME));
  expect([later.isOwn, found, stored?.people]).toEqual([true, [true, true], [EVE, BOB, ME]]);
});

it("is stored with each contradiction and each time it is seen to: the commit before may have failed", () => {
  const evidence = evidenceOf();
  evidence.note(batch, by(EVE));
  stored = undefined;
  evidence.note(batch, by(EVE));
  expect(stored).toEqual({ people: [EVE], seenAtMs: null });
  evidence.clear(batch, SEEN_MS);
  stored = undefined;
  evidence.clear(batch, SEEN_MS + 1);
  expect(stored).toEqual({ people: [], seenAtMs: SEEN_MS });
});

it("does not count what devices that were silent since say once more, unless the clock was set back", () => {
  const evidence = evidenceOf({ people: [EVE, BOB], seenAtMs: null });
  evidence.clear(batch, SEEN_MS);
  for (const person of [ME, BOB, DAN]) evidence.note(batch, by(person, { heardMs: SEEN_MS }));
  evidence.note(batch, by(EVE, { heardMs: null }));
  expect([evidence.isFound, stored?.people]).toEqual([false, []]);
  evidence.note(batch, by(BOB, { heardMs: SEEN_MS + 1 }));
  evidence.note(batch, by(DAN, { nowMs: SEEN_MS - 1 }));
  expect([evidence.isFound, found]).toEqual([true, [false]]);
});
