import { expect, it } from "vitest";
import type { ChatRow } from "#renderer/features/inbox/messages/rows/chat-row.ts";
import { chatRows } from "#renderer/features/inbox/messages/rows/chat-rows.ts";
import { RowEstimate } from "#renderer/features/inbox/messages/rows/row-estimate.ts";
import { chatMessage } from "../chat-message.ts";

const rowOf = (text: string): ChatRow | undefined =>
  chatRows({
    messages: [chatMessage("m", { body: { kind: "text", text } })],
    apart: [],
    hasOlder: true,
    firstUnread: undefined,
    isTyping: false,
  }).at(-1);

it("takes a row for as high as the last one like it, and for as high as most before there was one", () => {
  const heights = new RowEstimate();
  const first = heights.of(rowOf("a short text"));
  heights.learn(rowOf("word ".repeat(60)), 120);
  heights.learn(rowOf("a\nb\nc"), 80);
  expect(heights.of(rowOf("term ".repeat(60)))).toBe(120);
  expect(heights.of(rowOf("d\ne\nf"))).toBe(80);
  expect(heights.of(rowOf("a short text"))).toBe(first);
  expect(heights.of(undefined)).toBe(first);
});

it("remembers a bounded number of heights, the newest ones", () => {
  const heights = new RowEstimate();
  const rows = Array.from({ length: 1_025 }, (_, at) => rowOf("a".repeat(12 * at + 1)));
  const first = heights.of(rows[0]);
  for (const [at, row] of rows.entries()) heights.learn(row, 1_000 + at);
  expect(heights.of(rows[0])).toBe(first);
  expect([heights.of(rows[1]), heights.of(rows[1_024])]).toEqual([1_001, 2_024]);
});
