// Room for typing notices that all senders share: no one fills it for the others.
import { expect, it } from "vitest";
import { SharedNotices } from "#node/gateway/public/server/shared-notices.ts";
import type { TypingNotice } from "#node/relay/typing-exchange.ts";

const ROOM = 12;
const notice = (from: string, to: number): TypingNotice => ({ from, to: String(to) });

/** Adds as many as have room, as they come. */
function offer(notices: SharedNotices, from: string, count: number): number {
  let taken = 0;
  for (let to = 0; to < count; to += 1) {
    if (!notices.hasRoomFor(notice(from, to))) continue;
    notices.add(notice(from, to));
    taken += 1;
  }
  return taken;
}

const countsOf = (notices: SharedNotices): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { from } of notices.take(ROOM)) counts[from] = (counts[from] ?? 0) + 1;
  return counts;
};

it("all goes to one sender while no one else wants some, and no more than there is", () => {
  const notices = new SharedNotices(ROOM);
  expect([offer(notices, "flood", 100), notices.size]).toEqual([ROOM, ROOM]);
});

it("others get an equal part of what one sender has filled, whose oldest notices go, wherever they are", () => {
  const notices = new SharedNotices(ROOM);
  expect([offer(notices, "quiet", 1), offer(notices, "flood", 100), offer(notices, "busy", 100)]).toEqual([1, 11, 5]);
  expect([offer(notices, "flood", 100), notices.size]).toEqual([0, ROOM]);
  expect(notices.take(2)).toEqual([notice("quiet", 0), notice("flood", 5)]);
  expect(countsOf(notices)).toEqual({ flood: 5, busy: 5 });
});

it("what was taken out makes room again, in the order in which it came", () => {
  const notices = new SharedNotices(ROOM);
  offer(notices, "one", 8);
  offer(notices, "other", 4);
  expect(notices.take(9).map(({ from }) => from)).toEqual([...Array.from({ length: 8 }, () => "one"), "other"]);
  expect([offer(notices, "other", 100), notices.size]).toEqual([9, ROOM]);
});
