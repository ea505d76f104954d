import { describe, expect, it } from "vitest";
import { type ChatRow, chatRows, firstUnreadOf, hasAllUnread } from "#renderer/features/inbox/messages/chat-rows.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { chatMessage } from "../chat-message.ts";

const NOON = new Date(2026, 2, 3, 12, 0).getTime();
const MINUTE = 60_000;
const DAY = 86_400_000;

describe("rows of a chat", () => {
  it("part the days of the calendar", () => {
    const late = new Date(2026, 2, 3, 23, 59).getTime();
    const rows = rowsOf([message("a", late), message("b", late + 2 * MINUTE)]);
    expect(rows.map(shape)).toEqual(["day", "a first last", "day", "b first last"]);
  });

  it("join messages of one author that follow closely", () => {
    const rows = rowsOf([
      message("a", NOON),
      message("b", NOON + MINUTE),
      message("c", NOON + 2 * MINUTE),
      message("d", NOON + 3 * MINUTE, { direction: "in", state: null }),
      message("e", NOON + 9 * MINUTE, { direction: "in", state: null }),
    ]);
    expect(rows.map(shape)).toEqual(["day", "a first", "b", "c last", "d first last", "e first last"]);
  });

  it("do not join what follows a message that was not sent", () => {
    const rows = rowsOf([message("a", NOON, { state: "failed" }), message("b", NOON + 1)]);
    expect(rows.map(shape)).toEqual(["day", "a first last", "b first last"]);
  });

  it("part read from unread messages, also within a group", () => {
    const rows = rowsOf([incoming("a", NOON), incoming("b", NOON + 1), incoming("c", NOON + 2)], { firstUnread: "b" });
    expect(rows.map(shape)).toEqual(["day", "a first last", "unread", "b first", "c last"]);
  });

  it("begin with the beginning only when everything is loaded, and end with typing", () => {
    expect(rowsOf([message("a", NOON)], { hasOlder: true, isTyping: true }).map(shape)).toEqual(["day", "a first last", "typing"]);
    expect(rowsOf([], { hasOlder: false }).map(shape)).toEqual(["beginning"]);
  });

  it("have keys of their own, which stay when older messages come", () => {
    const newer = [message("c", NOON + DAY), message("d", NOON + 2 * DAY)];
    const all = rowsOf([message("a", NOON), message("b", NOON + 1), ...newer], { firstUnread: "d" });
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    const keys = new Set(all.map(({ key }) => key));
    expect(rowsOf(newer, { firstUnread: "d" }).every(({ key }) => keys.has(key))).toBe(true);
  });
});

describe("first unread message", () => {
  const unread = (key: string): ChatMessage => ({ ...incoming(key, 1), isUnread: true });

  it("is the oldest that is unread: own messages, notes and what was read on another device do not count", () => {
    const messages = [incoming("read", 1), unread("a"), message("own", 2), incoming("read elsewhere", 3), unread("b")];
    expect(firstUnreadOf(messages)).toBe("a");
    expect(firstUnreadOf([incoming("a", 1)])).toBeUndefined();
  });

  it("is known once as many are loaded as are unread, not with the first page", () => {
    const page = Array.from({ length: 50 }, (_, index) => unread(`k${index}`));
    expect(hasAllUnread(page, 70)).toBe(false);
    expect(hasAllUnread([...page, ...page], 70)).toBe(true);
    expect(hasAllUnread(page, 50)).toBe(true);
    expect(hasAllUnread([], 0)).toBe(true);
  });
});

function rowsOf(messages: readonly ChatMessage[], changes: Partial<Parameters<typeof chatRows>[0]> = {}): readonly ChatRow[] {
  return chatRows({ messages, hasOlder: true, firstUnread: undefined, isTyping: false, ...changes });
}

function shape(row: ChatRow): string {
  return row.kind === "message" ? [row.key, row.isFirst && "first", row.isLast && "last"].filter(Boolean).join(" ") : row.kind;
}

function message(key: string, at: number, changes: Partial<ChatMessage> = {}): ChatMessage {
  return chatMessage(key, { at, state: "relayed", ...changes });
}

function incoming(key: string, at: number): ChatMessage {
  return message(key, at, { direction: "in", state: null });
}
