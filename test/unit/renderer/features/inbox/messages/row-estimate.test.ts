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
