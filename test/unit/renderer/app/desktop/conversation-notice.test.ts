import { describe, expect, it } from "vitest";
import { arrivalsIn, hasRung } from "#renderer/app/desktop/arrivals.ts";
import { noticeOf } from "#renderer/app/desktop/conversation-notice.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import { conversationSummary } from "#test/support/worlds/conversation-summary.ts";

const ME = "a0".repeat(32);
const OTHER = "b0".repeat(32);
const MUTED = { mutedUntil: Number.MAX_SAFE_INTEGER } as const;
const NOW = 1000;

describe("a notification of a chat", () => {
  it("is of what comes", () => {
    expect(notice(chat(0), chat(1))).toBe("message");
    expect(notice(chat(1), chat(1))).toBeUndefined();
    expect(notice(chat(2), chat(1))).toBeUndefined();
    expect(notice(chat(0), chat(1, { lastMessage: last([], "out") }))).toBeUndefined();
  });

  it("is none of what came while the chat was silent", () => {
    expect(notice(chat(3, MUTED), chat(3))).toBeUndefined();
    expect(notice(chat(3, { ...MUTED, mentions: 1, mutesMentions: true }), chat(3, { ...MUTED, mentions: 1 }))).toBeUndefined();
    expect(notice(chat(3, MUTED), chat(4))).toBe("message");
  });

  it("of a muted chat is of who names one, with the words of no other message", () => {
    expect(notice(chat(0, MUTED), chat(1, MUTED))).toBeUndefined();
    expect(notice(chat(0, MUTED), chat(1, { ...MUTED, mentions: 1, lastMessage: last([ME]) }))).toBe("message");
    expect(notice(chat(0, MUTED), chat(2, { ...MUTED, mentions: 1, lastMessage: last([OTHER]) }))).toBe("mention");
    expect(notice(chat(2, MUTED), chat(2, { ...MUTED, mentions: 1 }))).toBe("mention");
    expect(notice(chat(0, MUTED), chat(1, { ...MUTED, mentions: 1, mutesMentions: true, lastMessage: last([ME]) }))).toBeUndefined();
  });
});

describe("what is read aloud", () => {
  it("is of what comes into any chat, not of a chat that is marked as unread or rings again", () => {
    const rang = (before: readonly ConversationSummary[], now: readonly ConversationSummary[]): boolean =>
      hasRung(arrivalsIn(before, NOW), arrivalsIn(now, NOW));
    expect(rang([chat(1), chat(0)], [chat(1), chat(1)])).toBe(true);
    expect(rang([chat(1), chat(0)], [chat(1), chat(0, { isMarkedUnread: true })])).toBe(false);
    expect(rang([chat(1), chat(2, MUTED)], [chat(1), chat(2)])).toBe(false);
    expect(rang([chat(1), chat(2, MUTED)], [chat(1), chat(3, MUTED)])).toBe(false);
  });
});

function notice(before: ConversationSummary, now: ConversationSummary): string | undefined {
  return noticeOf(now, { before: arrivalsIn([before], NOW), now: arrivalsIn([now], NOW), nowMs: NOW, me: ME });
}

function last(people: readonly string[], direction: "in" | "out" = "in"): ConversationSummary["lastMessage"] {
  const mentions = people.map((person, index) => ({ start: index * 2, length: 2, person }));
  return { direction, author: direction === "in" ? OTHER : null, at: 1, state: null, body: { kind: "text", text: "@a@b", mentions } };
}

function chat(unread: number, changes: Partial<ConversationSummary> = {}): ConversationSummary {
  return conversationSummary("group", { kind: "group", peer: null, unread, lastMessage: last([]), ...changes });
}
