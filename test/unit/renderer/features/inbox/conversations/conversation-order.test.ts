import { describe, expect, it } from "vitest";
import { conversationsOf, listInstead, neighbourOf } from "#renderer/features/inbox/conversations/conversation-order.ts";
import { currentInbox } from "#renderer/features/inbox/model/inbox-store.ts";
import { conversationSummary } from "#test/support/worlds/conversation-summary.ts";

const list = [
  conversationSummary("a"),
  conversationSummary("b", { unread: 2 }),
  conversationSummary("c"),
  conversationSummary("d", { unread: 1 }),
];

describe("lists of conversations", () => {
  it("keep strangers apart, and leave out strangers that are blocked", () => {
    const all = [
      conversationSummary("friend"),
      conversationSummary("stranger", { isRequest: true }),
      conversationSummary("blocked friend", { isBlocked: true }),
      conversationSummary("blocked stranger", { isRequest: true, isBlocked: true }),
    ];
    expect(conversationsOf("chats", all).map(({ id }) => id)).toEqual(["friend", "blocked friend"]);
  });

  it("put pinned ones first and archived ones apart", () => {
    const all = [
      conversationSummary("new"),
      conversationSummary("old", { isPinned: true }),
      conversationSummary("away", { isArchived: true, isPinned: true }),
    ];
    expect(conversationsOf("chats", all).map(({ id }) => id)).toEqual(["old", "new"]);
    expect(conversationsOf("archived", all).map(({ id }) => id)).toEqual(["away"]);
  });
});

describe("a folder", () => {
  it("holds what was put into it, but what is archived or of a stranger, and stays although it is empty", () => {
    const all = [
      conversationSummary("in", { folders: ["f1", "f2"] }),
      conversationSummary("out"),
      conversationSummary("away", { folders: ["f1"], isArchived: true }),
      conversationSummary("stranger", { folders: ["f1"], isRequest: true }),
    ];
    expect(conversationsOf("folder:f1", all).map(({ id }) => id)).toEqual(["in"]);
    expect(conversationsOf("chats", all).map(({ id }) => id)).toEqual(["in", "out"]);
    const folders = [{ id: "f3", name: "Empty" }];
    expect(listInstead("folder:f3", all, { before: undefined, now: undefined, folders })).toBeUndefined();
    expect(listInstead("folder:gone", all, { before: undefined, now: undefined, folders })).toBe("chats");
    // Removed while it is shown: its chats still name it.
    expect(listInstead("folder:f1", all, { before: undefined, now: "chats", folders })).toBe("chats");
  });
});

describe("the list that is shown", () => {
  const away = conversationSummary("r", { isArchived: true });
  const nothing = { before: undefined, now: undefined, folders: [] };

  it("follows an archived conversation into the chats when it is brought back", () => {
    expect(listInstead("archived", [away, ...list], { before: "archived", now: "chats", folders: [] })).toBe("chats");
  });

  it("gives way to the chats when it is empty", () => {
    expect(listInstead("archived", list, nothing)).toBe("chats");
    expect(listInstead("chats", [], nothing)).toBeUndefined();
  });

  it("stays while it has something, whatever is opened, and does not follow what is archived", () => {
    expect(listInstead("archived", [away], nothing)).toBeUndefined();
    expect(listInstead("archived", [away], { before: "chats", now: "chats", folders: [] })).toBeUndefined();
    expect(listInstead("chats", list, { before: "chats", now: "archived", folders: [] })).toBeUndefined();
  });
});

describe("what the inbox remembered", () => {
  it("has no list of requests any more", () => {
    expect(currentInbox({ open: "a", tab: "requests", places: {} })).toEqual({ open: "a", tab: "chats", places: {} });
    expect(currentInbox({ open: null, tab: "archived", places: { a: "k" } })).toEqual({ open: null, tab: "archived", places: { a: "k" } });
  });
});

describe("stepping between conversations", () => {
  it.each([
    ["a", 1, "b"],
    ["b", -1, "a"],
    ["a", -1, undefined],
    ["d", 1, undefined],
    [undefined, 1, "a"],
    [undefined, -1, "d"],
    ["not in this list", 1, "a"],
  ] as const)("from %s by %i leads to %s", (selected, step, expected) => {
    expect(neighbourOf(list, selected, { step, isUnreadOnly: false })).toBe(expected);
  });

  it("can skip what is read", () => {
    expect(neighbourOf(list, "b", { step: 1, isUnreadOnly: true })).toBe("d");
    expect(neighbourOf(list, "b", { step: -1, isUnreadOnly: true })).toBeUndefined();
    expect(neighbourOf(list, undefined, { step: 1, isUnreadOnly: true })).toBe("b");
  });
});
