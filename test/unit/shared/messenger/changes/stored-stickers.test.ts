// One's own stickers as they are stored: what an own device with a broken clock, or one that was taken over, can fill.
import { expect, it } from "vitest";
import {
  inBatch,
  type OwnSticker,
  putStickers,
  type RemovedSticker,
  readRemoved,
  takeRemoval,
} from "#shared/messenger/changes/chats/stored-stickers.ts";
import type { StoreBatch } from "#shared/messenger/store/store-batch.ts";

/** A store of nothing but records by their keys. */
function recordsOf(): { readonly batch: StoreBatch; readonly read: () => Promise<readonly RemovedSticker[]> } {
  const records = new Map<string, unknown>();
  const meta = async <T>(key: string): Promise<T | undefined> => records.get(key) as T | undefined;
  const batch = {
    meta,
    putMeta: (key: string, value: unknown): void => void records.set(key, value),
    deleteMeta: (key: string): void => void records.delete(key),
  } as unknown as StoreBatch;
  return { batch, read: () => readRemoved({ readMeta: meta }) };
}

it("remembers the latest 240 removals, however many come and in whatever order", async () => {
  const { batch, read } = recordsOf();
  const kept: OwnSticker = { id: "k".repeat(32), emoji: "🙂", at: 5_000 };
  putStickers(batch, [kept]);
  for (let index = 0; index < 10_000; index += 1) await takeRemoval(batch, { id: String((index * 7) % 10_000), at: (index * 7) % 10_000 });
  const removed = await read();
  expect(removed.map(({ at }) => at)).toEqual(Array.from({ length: 240 }, (_, index) => 9_999 - index));
  expect(await inBatch(batch)).toEqual([kept]);
});
