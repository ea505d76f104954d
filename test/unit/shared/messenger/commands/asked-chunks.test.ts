// Which chunks of a large file are asked for, and when again.
import { describe, expect, it } from "vitest";
import { MAX_ASKED_CHUNKS } from "#shared/content/content.ts";
import { AskedChunks, FIRST_RETRY_MS } from "#shared/messenger/commands/files/asked-chunks.ts";

const HALF = MAX_ASKED_CHUNKS / 2;
const TOTAL = 2 * MAX_ASKED_CHUNKS;

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** A file of which the first ones are here at a time, and the way to ask for more. */
function asking(): (here: number, nowMs?: number) => Promise<readonly number[]> {
  const asked = new AskedChunks();
  return (here, nowMs = 0) => asked.take({ total: TOTAL, nowMs, isHere: async (index) => index < here });
}

describe("chunks of a large file", () => {
  it("are asked for in their order, further ones once half of them have come, and none that is here", async () => {
    const take = asking();
    expect(await take(2)).toEqual(numbers(2, MAX_ASKED_CHUNKS + 2));
    expect(await take(2)).toEqual([]);
    expect(await take(HALF + 1)).toEqual([]);
    expect(await take(HALF + 2)).toEqual(numbers(MAX_ASKED_CHUNKS + 2, MAX_ASKED_CHUNKS + 2 + HALF));
    expect(await take(TOTAL)).toEqual([]);
  });

  it("are asked for again when they do not come, later each time", async () => {
    const take = asking();
    const first = await take(0);
    expect(await take(0, FIRST_RETRY_MS - 1)).toEqual([]);
    expect(await take(1, FIRST_RETRY_MS)).toEqual(first.slice(1));
    expect(await take(1, 3 * FIRST_RETRY_MS - 1)).toEqual([]);
    expect(await take(1, 3 * FIRST_RETRY_MS)).toEqual(first.slice(1));
    const day = 86_400_000;
    for (let time = 1; time < 20; time += 1) await take(1, time * 2 * day);
    expect(await take(1, 39 * day - 1)).toEqual([]);
    expect(await take(1, 39 * day)).toEqual(first.slice(1));
  });
});
