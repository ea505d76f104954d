// Text that is selected over several messages: the rows that stay in the document for it, and what is copied.
import { describe, expect, it } from "vitest";
import { chatRows } from "#renderer/features/inbox/messages/rows/chat-rows.ts";
import { RowPositions } from "#renderer/features/inbox/messages/scroll/row-positions.ts";
import { copiedWords, type PartOfRow } from "#renderer/features/inbox/messages/selection/copied-words.ts";
import { rowsToShow } from "#renderer/features/inbox/messages/selection/shown-rows.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { chatMessage } from "../chat-message.ts";

const AT = Date.UTC(2026, 10, 30, 9, 5);
const rows = chatRows({
  messages: Array.from({ length: 20 }, (_, index) =>
    chatMessage(`m${index}`, { at: AT + index, direction: index % 2 === 0 ? "in" : "out", body: { kind: "text", text: `text ${index}` } }),
  ),
  apart: [],
  hasOlder: true,
  firstUnread: undefined,
  isTyping: false,
});
const keys = rows.map(({ key }) => key);
const positions = RowPositions.of({ keys, measured: new Map(), estimate: () => 10 });
const indexOf = (key: string): number => keys.indexOf(key);
const range = { first: indexOf("m5"), end: indexOf("m8") };
const shown = (kept: readonly string[]): readonly (readonly [string, number | undefined])[] =>
  rowsToShow(rows, { positions, range }, kept).map(({ row, top }) => [row.key, top]);

describe("the rows in the document", () => {
  it("are those near the view, and where a selection begins and ends, in their order and at their places", () => {
    const near = ["m5", "m6", "m7"].map((key) => [key, undefined]);
    expect(shown([])).toEqual(near);
    expect(shown(["m6"])).toEqual(near);
    expect(shown(["m12", "m2"])).toEqual([["m2", 10 * indexOf("m2")], ...near, ["m12", 10 * indexOf("m12")]]);
    expect(shown(["m11", "m9"]).map(([key]) => key)).toEqual(["m5", "m6", "m7", "m9", "m11"]);
  });

  it("do not have what was let go of", () => {
    expect(shown(["gone", "m6"]).map(([key]) => key)).toEqual(["m5", "m6", "m7"]);
  });
});

describe("what is copied of several messages", () => {
  const t = createTranslate("en", en);
  const names = { nameOf: (): string => "?", peer: "Bob" };
  const copied = (parts: Readonly<Record<string, PartOfRow>>): string =>
    copiedWords(t, rows.slice(indexOf("m0"), indexOf("m3")), names, (key) => parts[key] ?? "all");

  it("names who wrote and when, in the order of the chat, and has parts of the first and the last", () => {
    const paragraphs = copied({ m0: { text: "xt 0" }, m2: { text: "te" } }).split("\n\n");
    expect(paragraphs.map((paragraph) => paragraph.split("\n").at(-1))).toEqual(["xt 0", "text 1", "te"]);
    expect(paragraphs.map((paragraph) => paragraph.split(",")[0])).toEqual(["Bob", "You", "Bob"]);
    expect(paragraphs[0]).toMatch(/^Bob, .*2026.*:\nxt 0$/);
  });

  it("leaves out messages of which nothing is selected", () => {
    expect(copied({ m0: { text: " " } }).split("\n\n")).toHaveLength(2);
  });
});
