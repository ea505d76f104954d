// Selecting messages of a chat: rows one by one and in ranges, never more than the bound, and as text.
import { describe, expect, it } from "vitest";
import { chatRows } from "#renderer/features/inbox/messages/rows/chat-rows.ts";
import { extendTo, MAX_SELECTED, neighbourOf, toggleRow, withoutGone } from "#renderer/features/inbox/messages/selection/select-rows.ts";
import { selectedText } from "#renderer/features/inbox/messages/selection/selected-text.ts";
import { beginSelection, endSelection, useSelection } from "#renderer/features/inbox/messages/selection/selection-store.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { chatMessage } from "../chat-message.ts";

const rowsOf = (messages: readonly ChatMessage[]): ReturnType<typeof chatRows> =>
  chatRows({ messages, apart: [], hasOlder: true, firstUnread: undefined, isTyping: false });
const rowOf = (rows: ReturnType<typeof chatRows>, key: string): (typeof rows)[number] => {
  const row = rows.find((candidate) => candidate.key === key);
  if (row === undefined) throw new Error(`no row ${key}`);
  return row;
};
const at = (count: number): readonly ChatMessage[] => Array.from({ length: count }, (_, index) => chatMessage(`m${index}`, { at: index }));
const begun = (key: string): ReturnType<typeof useSelection.getState> => {
  beginSelection("chat", key);
  return useSelection.getState();
};

describe("a selection", () => {
  it("begins with a message, takes and gives back rows, and ends with nothing", () => {
    const rows = rowsOf(at(3));
    const two = toggleRow(begun("m0"), rowOf(rows, "m2"));
    expect([...two.keys]).toEqual(["m0", "m2"]);
    expect([...toggleRow(two, rowOf(rows, "m0")).keys]).toEqual(["m2"]);
    endSelection();
    expect(useSelection.getState()).toMatchObject({ conversation: null, keys: new Set(), focus: null });
  });

  it("reaches from the anchor to wherever Shift goes, and gives back what it goes back over", () => {
    const rows = rowsOf(at(6));
    const first = toggleRow(begun("m0"), rowOf(rows, "m3"));
    const down = extendTo(first, rows, rowOf(rows, "m5"));
    expect([...down.keys].sort()).toEqual(["m0", "m3", "m4", "m5"]);
    const up = extendTo(down, rows, rowOf(rows, "m2"));
    expect([...up.keys].sort()).toEqual(["m0", "m2", "m3"]);
    expect(up).toMatchObject({ anchor: "m3", focus: "m2" });
  });

  it("is bounded: a range ends where no more fits, and nothing is added to a full one", () => {
    const rows = rowsOf(at(MAX_SELECTED + 20));
    const full = extendTo(begun("m0"), rows, rowOf(rows, `m${MAX_SELECTED + 10}`));
    expect(full.keys.size).toBe(MAX_SELECTED);
    expect(full.keys.has("m0")).toBe(true);
    expect(full.keys.has(`m${MAX_SELECTED}`)).toBe(false);
    expect(toggleRow(full, rowOf(rows, `m${MAX_SELECTED + 1}`)).keys.size).toBe(MAX_SELECTED);
  });

  it("takes no single row for a range that begins where rows were let go of", () => {
    const rows = rowsOf(at(6));
    const far = extendTo(begun("far"), rows, rowOf(rows, "m2"));
    expect([...far.keys]).toEqual(["far"]);
    expect(far).toMatchObject({ anchor: "far", focus: "m2" });
  });

  it("is of what is in the chat: messages that were deleted meanwhile leave their place to others", () => {
    const rows = rowsOf(at(MAX_SELECTED + 1));
    const full = extendTo(begun("m0"), rows, rowOf(rows, `m${MAX_SELECTED - 1}`));
    const left = rowsOf(at(MAX_SELECTED + 1).slice(2));
    const kept = withoutGone(full, new Set(left.map(({ key }) => key)));
    expect(kept.keys.size).toBe(MAX_SELECTED - 2);
    expect(toggleRow(kept, rowOf(left, `m${MAX_SELECTED}`)).keys.has(`m${MAX_SELECTED}`)).toBe(true);
    expect(withoutGone(begun("m0"), new Set()).keys.size).toBe(0);
  });

  it("takes an album as one, and goes past days and notes", () => {
    const image = { width: 8, height: 8, preview: "" };
    const body = { kind: "attachment", name: "a.png", mediaType: "image/png", size: 1, caption: "", image } as never;
    const picture = (key: string, time: number): ChatMessage => chatMessage(key, { at: time, body, transfer: { done: 1, total: 1 } });
    const note = chatMessage("note", { at: 9_000, body: { kind: "missing", count: 1 } });
    const rows = rowsOf([chatMessage("a"), picture("p1", 1), picture("p2", 2), note, chatMessage("b", { at: 90_000_000 })]);
    const album = rowOf(rows, "p1");
    expect([...toggleRow(begun("a"), album).keys]).toEqual(["a", "p1", "p2"]);
    expect(neighbourOf(rows, album, 1)?.key).toBe("b");
    expect(neighbourOf(rows, album, -1)?.key).toBe("a");
    expect(neighbourOf(rows, rowOf(rows, "a"), -1)).toBeUndefined();
  });
});

describe("selected messages as text", () => {
  it("say who wrote, when and what, in their order", () => {
    const t = createTranslate("en", en);
    const time = Date.UTC(2026, 10, 29, 12);
    const messages = [
      chatMessage("a", { at: time, body: { kind: "text", text: "First\nline" } }),
      chatMessage("b", { at: time, direction: "in" }),
      chatMessage("c", { at: time, direction: "in", author: "22".repeat(32) }),
    ];
    const text = selectedText(t, messages, { nameOf: () => "Cleo", peer: "Bob" });
    expect(text.replace(/, [^\n]*2026[^\n]*:/g, ":")).toBe("You:\nFirst\nline\n\nBob:\nb\n\nCleo:\nc");
    expect(text).toMatch(/29.*2026/);
  });
});
