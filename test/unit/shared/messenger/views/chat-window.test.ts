import { describe, expect, it } from "vitest";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import {
  atNewest,
  CHAT_PAGE,
  type ChatWindow,
  EMPTY_WINDOW,
  letGo,
  MAX_APART,
  newestOf,
  withCommit,
  withPage,
} from "#shared/messenger/views/chat-window.ts";

const NONE: ReadonlySet<string> = new Set();
const KEEP = 100;

function message(at: number, changes: Partial<ChatMessage> = {}): ChatMessage {
  return { key: keyOf(at), at, body: { kind: "text", text: String(at) }, isUnread: false, ...changes } as unknown as ChatMessage;
}

const keyOf = (at: number): string => `k${at}`;
const receipt = (at: number): ChatMessage => message(at, { body: { kind: "pay.receipt" } as unknown as ChatMessage["body"] });
const range = (from: number, to: number): ChatMessage[] => Array.from({ length: to - from }, (_, index) => message(from + index));
const times = (messages: readonly ChatMessage[]): number[] => messages.map(({ at }) => at);

/** Messages 0 to 1,000; the run has the newest ones, loaded back to a time, of which `KEEP` stay. */
function farBack(to: number, held: ReadonlySet<string> = NONE, all = range(0, 1_000)): ChatWindow {
  let window = EMPTY_WINDOW;
  for (let end = 1_000; end > to; end -= CHAT_PAGE)
    window = letGo(withPage(window, all.slice(Math.max(0, end - CHAT_PAGE), end), "older", end <= CHAT_PAGE), "newer", KEEP, held);
  return window;
}

describe("the window of a chat", () => {
  it("lets go of the newest on the way back, but for the last page, and of nothing as long as there is little", () => {
    const near = farBack(900);
    expect([near.messages.length, near.apart.length, near.hasNewer]).toEqual([100, 0, false]);
    const far = farBack(500);
    expect(times(far.messages)).toEqual(times(range(500, 600)));
    expect(times(far.apart)).toEqual(times(range(950, 1_000)));
    expect([far.hasOlder, far.hasNewer, newestOf(far)?.at]).toEqual([true, true, 999]);
  });

  it("comes forward page by page without a gap, and lets go of the oldest", () => {
    let window = farBack(0);
    expect(window.hasOlder).toBe(false);
    for (let from = 100; from < 1_000; from += CHAT_PAGE) {
      expect(window.messages.at(-1)?.at).toBe(from - 1);
      window = letGo(withPage(window, range(from, from + CHAT_PAGE), "newer", from + CHAT_PAGE === 1_000), "older", KEEP, NONE);
    }
    expect(times(window.messages)).toEqual(times(range(900, 1_000)));
    expect(window).toMatchObject({ hasOlder: true, hasNewer: false, apart: [], tail: undefined });
  });

  it("returns to the newest at once", () => {
    const window = atNewest(farBack(500), NONE);
    expect(times(window.messages)).toEqual(times(range(950, 1_000)));
    expect(window).toMatchObject({ hasOlder: true, hasNewer: false, apart: [] });
    expect(atNewest(window, NONE)).toBe(window);
  });

  it("keeps receipts, what is unread and what is held, as they are now", () => {
    const all = range(0, 1_000);
    all[700] = receipt(700);
    all[701] = message(701, { isUnread: true });
    const held = new Set([keyOf(702)]);
    const window = farBack(500, held, all);
    expect(times(window.apart).slice(0, 3)).toEqual([700, 701, 702]);
    const read = withCommit(window, [message(701), message(702, { isStarred: true })], NONE, held);
    expect(times(read.apart).slice(0, 3)).toEqual([700, 702, 950]);
    expect(read.apart[1]?.isStarred).toBe(true);
    expect(times(withCommit(read, [], new Set([keyOf(700)]), NONE).apart)).toEqual(times(range(950, 1_000)));
  });

  it("keeps a bounded number apart, the nearest ones", () => {
    const count = MAX_APART + 200;
    const page = [...range(0, KEEP), ...Array.from({ length: count }, (_, index) => receipt(KEEP + index))];
    const window = letGo(withPage(EMPTY_WINDOW, page, "older", true), "newer", KEEP, NONE);
    expect(window.apart).toHaveLength(MAX_APART + CHAT_PAGE);
    expect(times(window.apart.slice(0, MAX_APART))).toEqual(times(range(KEEP, KEEP + MAX_APART)));
  });

  it("keeps a receipt however much is unread before it", () => {
    const unread = Array.from({ length: MAX_APART + 200 }, (_, index) => message(KEEP + index, { isUnread: true }));
    const page = [...range(0, KEEP), ...unread, receipt(5_000), ...range(5_001, 5_001 + CHAT_PAGE)];
    const window = letGo(withPage(EMPTY_WINDOW, page, "older", true), "newer", KEEP, NONE);
    expect(window.apart).toHaveLength(MAX_APART + 1 + CHAT_PAGE);
    expect(times(window.apart)).toContain(5_000);
  });

  it("takes what arrives to the newest, never into the run, and bounds it", () => {
    let window = farBack(500);
    for (const arrived of range(1_000, 1_100)) window = withCommit(window, [arrived], NONE, NONE);
    expect(times(window.messages)).toEqual(times(range(500, 600)));
    expect(window.apart.length).toBeLessThan(2 * CHAT_PAGE);
    expect(newestOf(window)?.at).toBe(1_099);
    const newest = atNewest(window, NONE);
    expect(times(newest.messages)).toEqual(times(range(1_100 - newest.messages.length, 1_100)));
    expect(newest.messages.length).toBeGreaterThanOrEqual(CHAT_PAGE);
  });

  it("leaves to its page what lies between the run and the newest, but for a receipt", () => {
    const window = farBack(500);
    expect(withCommit(window, [message(800.5)], NONE, NONE).apart).toHaveLength(CHAT_PAGE);
    expect(times(withCommit(window, [receipt(800.5)], NONE, NONE).apart)[0]).toBe(800.5);
    expect(times(withCommit(window, [message(550.5)], NONE, NONE).messages)).toContain(550.5);
  });

  it("has what arrived while a page was read that does not have it", () => {
    let window = farBack(850);
    for (const arrived of [message(970.5, { isUnread: true }), message(1_000)]) window = withCommit(window, [arrived], NONE, NONE);
    window = withPage(window, range(950, 1_000), "newer", false);
    expect(times(window.messages)).toEqual([...times(range(850, 971)), 970.5, ...times(range(971, 1_000))]);
    expect(times(window.apart)).toEqual([1_000]);
    window = withPage(window, [], "newer", true);
    expect([window.messages.at(-1)?.at, newestOf(window)?.at, window.apart.length]).toEqual([1_000, 1_000, 0]);
  });

  it("has messages of a page as they were committed since it was read", () => {
    const window = withCommit(farBack(850), [message(960, { isStarred: true })], NONE, NONE);
    const { messages } = withPage(window, range(950, 1_000), "newer", true);
    expect(messages.filter(({ isStarred }) => isStarred).map(({ at }) => at)).toEqual([960]);
  });

  it("is at the newest when all of its run is deleted", () => {
    const window = withCommit(farBack(500), [], new Set(range(500, 600).map(({ key }) => key)), NONE);
    expect(times(window.messages)).toEqual(times(range(950, 1_000)));
    expect(window.hasNewer).toBe(false);
  });
});
