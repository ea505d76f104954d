// Requests by an invite link: what an admin's device takes, in which time, of whom, and no more than there is room for.
import { beforeEach, describe, expect, it } from "vitest";
import {
  JOIN_AGE_MS,
  JOIN_LEAD_MS,
  JOIN_WAIT_MS,
  type JoinVerdict,
  judgeRequest,
  lastingRequests,
  MAX_JOIN_REQUESTS,
  nextGuests,
  withRequest,
} from "#shared/messenger/changes/join-requests.ts";
import type { GroupMembershipRecord, WaitingRequest } from "#shared/messenger/model/group-state.ts";
import { MAX_ENTRY_PEOPLE, MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { linkKey, signJoinRequest } from "#shared/protocol/groups/group-link.ts";
import { createItem, PEOPLE, person } from "#test/support/groups/group-history.ts";
import { LogDevice } from "#test/support/groups/log-device.ts";

const CHAIN = "parley-test";
const NOW = 1_000_000_000;
const [ANN, , , , EVE] = PEOPLE as readonly [string, string, string, string, string];
const SECRET = new Uint8Array(16).fill(7);

let ann: LogDevice;
let entries: Record<string, GroupMembershipRecord>;

beforeEach(() => {
  ann = new LogDevice(ANN, createItem());
  entries = {};
});

const keyOfLink = (): string => linkKey({ group: ann.log.id, secret: SECRET }, CHAIN);

function makeLink(uses = 2, until = NOW + 1): void {
  ann.write({ op: "invite", at: 1, key: keyOfLink(), until, uses });
}

function judged(more: { at?: number; signedFor?: string; isBlocked?: boolean; nowMs?: number } = {}): JoinVerdict {
  const { at = NOW, signedFor = EVE, isBlocked = false, nowMs = NOW } = more;
  const link = { group: ann.log.id, secret: SECRET };
  const request = { group: ann.log.id, key: keyOfLink(), person: EVE, at };
  const signature = signJoinRequest(link, { ...request, person: signedFor }, CHAIN);
  return judgeRequest(request, signature, { log: ann.log, record: { entries }, chainId: CHAIN, nowMs, isBlocked });
}

function judgedWithLink(more: Parameters<typeof judged>[0]): JoinVerdict {
  makeLink();
  return judged(more);
}

const members = (count: number): Record<string, GroupMembershipRecord> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, { clock: index, standing: "in", at: 1 }]));

describe("a request by a link", () => {
  it("is taken of whoever its secret has signed for, in its time", () => {
    makeLink();
    expect(judged()).toEqual({ kind: "wanted" });
    expect([judged({ at: NOW + JOIN_LEAD_MS }), judged({ at: NOW - JOIN_AGE_MS })]).toEqual([{ kind: "wanted" }, { kind: "wanted" }]);
  });

  it.each<readonly [string, () => JoinVerdict]>([
    ["the log knows no such link", (): JoinVerdict => judged()],
    ["another person was signed for", (): JoinVerdict => judgedWithLink({ signedFor: ANN })],
    ["it is old", (): JoinVerdict => judgedWithLink({ at: NOW - JOIN_AGE_MS - 1 })],
    ["it is of a time to come", (): JoinVerdict => judgedWithLink({ at: NOW + JOIN_LEAD_MS + 1 })],
    ["they are blocked", (): JoinVerdict => judgedWithLink({ isBlocked: true })],
  ])("is dropped where %s", (_, judge) => {
    expect(judge()).toEqual({ kind: "dropped" });
  });

  it("brings back who left since it was made, and never who was removed", () => {
    makeLink();
    entries = { [EVE]: { clock: 1, standing: "left", at: NOW - 5 } };
    expect([judged(), judged({ at: NOW - 5 })]).toEqual([{ kind: "wanted" }, { kind: "dropped" }]);
    entries = { [EVE]: { clock: 1, standing: "removed", at: 1 } };
    expect(judged()).toEqual({ kind: "dropped" });
    entries = { [EVE]: { clock: 1, standing: "in", at: 1 } };
    expect(judged()).toEqual({ kind: "member" });
  });

  it("is dropped of who was removed in the log, and says that they have left: no addition by a link would hold", () => {
    makeLink();
    ann.write({ op: "add", at: 2, people: [EVE] });
    ann.write({ op: "remove", at: 3, people: [EVE] });
    entries = { [EVE]: { clock: 1_000_000, standing: "left", at: 4 } };
    expect(judged()).toEqual({ kind: "dropped" });
    const waiting = [{ person: EVE, key: keyOfLink(), at: NOW, cameAt: NOW, asked: [ANN] }];
    expect(nextGuests(waiting, { log: ann.log, record: { entries }, nowMs: NOW })).toBeUndefined();
  });

  it("is dropped of who was removed before bases too, as long as this device remembers it", () => {
    ann.write({ op: "add", at: 2, people: [EVE] });
    ann.write({ op: "remove", at: 3, people: [EVE] });
    for (let at = 4; at < 9; at += 1) ann.writeBase(at);
    makeLink();
    expect(ann.log.fold.group.people[EVE]).toBeUndefined();
    entries = { [EVE]: { clock: 3, standing: "removed", at: 3 } };
    expect(judged()).toEqual({ kind: "dropped" });
    // Who begins at the base knows of no removal.
    entries = {};
    expect(judged()).toEqual({ kind: "wanted" });
  });

  it("is refused with the reason where the link lets no one in any more", () => {
    makeLink();
    expect(judged({ nowMs: NOW + 2 })).toEqual({ kind: "refused", reason: "over" });
    entries = members(MAX_GROUP_MEMBERS);
    expect(judged()).toEqual({ kind: "refused", reason: "full" });
    ann.write({ op: "withdraw", at: 2, keys: [keyOfLink()] });
    expect(judged()).toEqual({ kind: "refused", reason: "withdrawn" });
  });
});

describe("requests that wait", () => {
  const waits = (who: string, at = NOW, cameAt = NOW): WaitingRequest => ({ person: who, key: keyOfLink(), at, cameAt, asked: [ANN] });
  const crowd = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => person(0x40 + index));

  it("are the latest of each person, for a day, within a bound", () => {
    const full = crowd(MAX_JOIN_REQUESTS + 1).reduce<readonly WaitingRequest[]>((all, who) => withRequest(all, waits(who)), []);
    expect(full.map((one) => one.person)).toEqual(crowd(MAX_JOIN_REQUESTS));
    const again = withRequest(full, waits(person(0x41), NOW + 1));
    expect(again.map(({ at }) => at).slice(0, 3)).toEqual([NOW, NOW + 1, NOW]);
    expect(withRequest(again, waits(person(0x41)))).toEqual(again);
    expect(withRequest(again, waits(EVE, NOW, NOW + JOIN_WAIT_MS))).toEqual([waits(EVE, NOW, NOW + JOIN_WAIT_MS)]);
  });

  it("wait no longer than their link has room: those by another one have their places", () => {
    makeLink(1);
    const all = crowd(3).map((who) => waits(who));
    const lasting = (): readonly WaitingRequest[] => lastingRequests(all, { log: ann.log, record: { entries }, nowMs: NOW }, () => false);
    expect(lasting()).toEqual(all);
    const guests = [person(0x77)];
    const admit = ann.write({ op: "admit", at: 8, key: keyOfLink(), guests });
    ann.write({ op: "add", at: 8, people: guests }, [admit?.hash ?? ""]);
    expect(ann.log.fold.group.links).toMatchObject([{ used: 1 }]);
    expect(lasting()).toEqual([]);
  });

  it("are let in together, as many as link, group and entry have room for", () => {
    const all = crowd(MAX_JOIN_REQUESTS).map((who) => waits(who));
    const next = (): number | undefined => nextGuests(all, { log: ann.log, record: { entries }, nowMs: NOW })?.people.length;
    expect(next()).toBeUndefined();
    makeLink(50);
    expect(next()).toBe(MAX_ENTRY_PEOPLE);
    entries = members(MAX_GROUP_MEMBERS - 3);
    expect(next()).toBe(3);
    entries = members(MAX_GROUP_MEMBERS);
    expect(next()).toBeUndefined();
    entries = { [person(0x40)]: { clock: 1, standing: "removed", at: 1 }, [person(0x41)]: { clock: 1, standing: "in", at: 1 } };
    expect(nextGuests(all.slice(0, 3), { log: ann.log, record: { entries }, nowMs: NOW })?.people).toEqual([person(0x42)]);
    expect(nextGuests(all, { log: ann.log, record: { entries }, nowMs: NOW + 2 })).toBeUndefined();
  });
});
