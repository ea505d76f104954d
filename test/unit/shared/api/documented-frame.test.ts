// The check of frames finds what is wrong with them.
import { describe, expect, it } from "vitest";
import { assertDocumentedEvent, assertDocumentedFrame } from "#test/support/api/documented-frame.ts";

const hash = "ab".repeat(32);
const block = { type: "block", topic: "blocks", index: 1, hash, time: "now", validator: "pl1", tx_count: 0, total_fees_ut: 0 };

describe("a frame", () => {
  it.each([{ type: "pong" }, { type: "pong", req: 7 }, { type: "error", error: "no", req: "a" }, block])("%j is documented", (frame) => {
    expect(() => assertDocumentedFrame(frame)).not.toThrow();
  });

  it.each([
    null,
    [],
    {},
    { type: "ping" },
    { type: "pong", req: null },
    { type: "pong", more: 1 },
    { ...block, index: "1" },
    { ...block, hash: undefined },
    { ...block, logs: [] },
    { type: "submit_ack", id: "x", status: "maybe" },
  ])("%j is not", (frame) => {
    expect(() => assertDocumentedFrame(frame)).toThrow("not a documented one");
  });
});

describe("an event", () => {
  it("has the fields of the contract and no others", () => {
    const event = { type: "tx", id: "x", block: 1, from: hash };
    expect(() => assertDocumentedEvent(event)).not.toThrow();
    for (const other of [{ ...event, to: hash }, { ...event, from: 1 }, { type: "tx" }, { type: "block", index: 1, hash }])
      expect(() => assertDocumentedEvent(other)).toThrow("not a documented one");
  });
});
