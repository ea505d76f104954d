import { describe, expect, it } from "vitest";
import { tileSpans } from "#renderer/features/inbox/messages/album/album-tiles.ts";
import { type ChatRow, holdsMessage } from "#renderer/features/inbox/messages/rows/chat-row.ts";
import { chatRows, firstUnreadOf, hasAllUnread } from "#renderer/features/inbox/messages/rows/chat-rows.ts";
import { MAX_ALBUM_PICTURES } from "#renderer/features/inbox/messages/rows/join-albums.ts";
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

describe("rows of messages that were there before", () => {
  it("are the same objects after a page, so that they are not drawn again", () => {
    const newer = [message("c", NOON + DAY), message("d", NOON + 2 * DAY)];
    const rowOf = (rows: readonly ChatRow[], of: string): ChatRow | undefined => rows.find(({ key }) => key === of);
    const [before, after] = [rowsOf(newer), rowsOf([message("a", NOON), message("b", NOON + 1), ...newer])];
    expect(rowOf(after, "c")).toBe(rowOf(before, "c"));
    expect(rowOf(after, "d")).toBe(rowOf(before, "d"));
  });

  it("are others where a receipt of theirs came", () => {
    const request = incomingRequest("b", NOON);
    const receipt = message("c", NOON + 1, { body: { kind: "pay.receipt", txId: "tx", amountUt: 5, request: "b" } });
    const claimsOf = (rows: readonly ChatRow[]): readonly string[] =>
      rows.flatMap((row) => (row.kind === "message" && row.key === "b" ? row.claims.map(({ key }) => key) : []));
    expect(claimsOf(rowsOf([request]))).toEqual([]);
    expect(claimsOf(rowsOf([request, receipt]))).toEqual(["c"]);
    expect(claimsOf(rowsOf([request]))).toEqual([]);
  });

  it("are others where a neighbour came that they are joined with", () => {
    const one = message("b", NOON + MINUTE);
    expect(rowsOf([one]).map(shape)).toEqual(["day", "b first last"]);
    expect(rowsOf([message("a", NOON), one]).map(shape)).toEqual(["day", "a first", "b last"]);
    expect(rowsOf([one]).map(shape)).toEqual(["day", "b first last"]);
  });
});

describe("pictures that came together", () => {
  const image = { width: 640, height: 420, preview: "" };
  const whole = { done: 1, total: 1 };
  const picture = (key: string, at: number, changes: Partial<ChatMessage> = {}, caption = ""): ChatMessage =>
    message(key, at, {
      body: { kind: "attachment", name: key, mediaType: "image/webp", size: 9, key: "", digest: "", caption, image },
      transfer: whole,
      ...changes,
    });
  const albums = (messages: readonly ChatMessage[]): readonly string[] =>
    rowsOf(messages).flatMap((row) =>
      row.kind === "album" ? [row.pictures.map(({ key }) => key).join(" ")] : row.kind === "message" ? [row.key] : [],
    );

  it("are one album, whose first may have a text", () => {
    expect(albums([picture("a", NOON, {}, "At sea"), picture("b", NOON + 1), picture("c", NOON + MINUTE)])).toEqual(["a b c"]);
    expect(albums([picture("a", NOON), picture("b", NOON + 1, {}, "At sea"), picture("c", NOON + 2)])).toEqual(["a", "b c"]);
  });

  it("are not joined across another message, another author, a minute, a file, or what is not whole", () => {
    const others: readonly (readonly [string, ChatMessage])[] = [
      ["text", message("x", NOON + 1)],
      ["file", picture("x", NOON + 1, { body: { ...picture("x", 0).body, image: null } as ChatMessage["body"] })],
      ["sticker", picture("x", NOON + 1, { body: { ...picture("x", 0).body, sticker: "🦊" } as ChatMessage["body"] })],
      ["half", picture("x", NOON + 1, { direction: "in", state: null, transfer: { done: 1, total: 2 } })],
      ["author", picture("x", NOON + 1, { direction: "in", state: null })],
      ["failed", picture("x", NOON + 1, { state: "failed", problem: { code: "RATE_LIMITED", message: "" } })],
    ];
    for (const [name, other] of others) expect(albums([picture("a", NOON), other, picture("b", NOON + 2)]), name).toEqual(["a", "x", "b"]);
    expect(albums([picture("a", NOON), picture("b", NOON + MINUTE)])).toEqual(["a", "b"]);
    expect(albums([picture("a", NOON)])).toEqual(["a"]);
  });

  it("begin another album after ten", () => {
    const many = Array.from({ length: 23 }, (_, index) => picture(`p${index}`, NOON + index));
    expect(rowsOf(many).flatMap((row) => (row.kind === "album" ? [row.pictures.length] : []))).toEqual([10, 10, 3]);
  });

  it("keep the key of their first, and are found by each of them", () => {
    const [row] = rowsOf([picture("a", NOON), picture("b", NOON + 1)]).filter(({ kind }) => kind === "album");
    if (row === undefined) throw new Error("no album");
    expect(row.key).toBe("a");
    expect(["a", "b", "c"].map((key) => holdsMessage(row, key))).toEqual([true, true, false]);
  });

  it("fill each row of tiles", () => {
    for (let count = 2; count <= MAX_ALBUM_PICTURES; count += 1) {
      const spans = tileSpans(count);
      expect(spans).toHaveLength(count);
      let filled = 0;
      for (const span of spans) {
        filled += span;
        expect(filled <= 6, `${count}: a tile over the edge`).toBe(true);
        if (filled === 6) filled = 0;
      }
      expect(filled, `${count}: a row with a gap`).toBe(0);
    }
  });
});

describe("first unread message", () => {
  const unread = (key: string): ChatMessage => ({ ...incoming(key, 1), isUnread: true });

  it("is the oldest that is unread: own messages, notes and what was read on another device do not count", () => {
    const messages = [incoming("read", 1), unread("a"), message("own", 2), incoming("read elsewhere", 3), unread("b")];
    expect(firstUnreadOf(messages)).toBe("a");
    expect(firstUnreadOf([incoming("a", 1)])).toBeUndefined();
    const answered = [unread("a"), message("own", 2), incoming("b", 3)];
    expect(firstUnreadOf(answered, true), "before the answer").toBeUndefined();
    expect(firstUnreadOf([...answered, unread("c")], true)).toBe("c");
    expect(firstUnreadOf([unread("a"), incoming("b", 3)], true)).toBe("a");
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
  return chatRows({ messages, apart: [], hasOlder: true, firstUnread: undefined, isTyping: false, ...changes });
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

function incomingRequest(id: string, at: number): ChatMessage {
  return message(id, at, { id, direction: "in", state: null, body: { kind: "pay.request", amountUt: 5, note: "" } });
}
