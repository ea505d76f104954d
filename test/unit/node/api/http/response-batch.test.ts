// Responses of one turn leave together at its end, in order, and one that cannot be sent takes no other with it.
import type { FastifyReply } from "fastify";
import { describe, expect, it } from "vitest";
import { ResponseBatch } from "#node/api/http/response-batch.ts";

/** Replies that note what happens to them. */
function notingReplies(): { readonly notes: string[]; reply(name: string, isBroken?: boolean): FastifyReply } {
  const notes: string[] = [];
  const reply = (name: string, isBroken = false): FastifyReply => {
    const send = (text: string): void => {
      if (isBroken) throw new Error("broken");
      notes.push(`${name} ${text}`);
    };
    const log = { error: (error: unknown): number => notes.push(`${name} ${String(error)}`) };
    return { send, log, raw: { destroy: (): number => notes.push(`${name} cut`) } } as unknown as FastifyReply;
  };
  return { notes, reply };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a batch of responses", () => {
  it("leaves at the end of the turn, each turn its own", async () => {
    const { notes, reply } = notingReplies();
    const batch = new ResponseBatch();
    batch.add(reply("a"), "1");
    batch.add(reply("b"), "2");
    await Promise.resolve();
    expect(notes).toEqual([]);
    await nextTurn();
    expect(notes).toEqual(["a 1", "b 2"]);
    await nextTurn();
    batch.add(reply("c"), "3");
    await nextTurn();
    expect(notes).toEqual(["a 1", "b 2", "c 3"]);
  });

  it("cuts the connection of a response that cannot be sent, and sends the others", async () => {
    const { notes, reply } = notingReplies();
    const batch = new ResponseBatch();
    batch.add(reply("a", true), "1");
    batch.add(reply("b"), "2");
    await nextTurn();
    expect(notes).toEqual(["a Error: broken", "a cut", "b 2"]);
  });
});
