// Large files stay out of backups, where all would be in memory; a linked device gets them last, part by part.
import { expect, it } from "vitest";
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { asTransferred } from "#shared/messenger/changes/sent-by-other-device.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import type { EngineContext } from "#shared/messenger/state/engine-context.ts";
import { chunkAfter } from "#shared/messenger/transfer/device-transfer-files.ts";
import { decodePart, partAfter } from "#shared/messenger/transfer/device-transfer-parts.ts";
import { partsOf } from "#shared/messenger/transfer/history-backup.ts";

const ME = "aa".repeat(32);
const DEVICE = "bb".repeat(32);

function withFile(id: string, size: number): MessageRecord {
  return {
    ...{ conversation: ME, id, direction: "out", at: 1, state: "delivered", problem: null, isUnread: false, hasReceipts: true, raw: null },
    body: { kind: "attachment", name: id, mediaType: "a/b", size, key: "", digest: "", caption: "", image: null },
    transfer: { done: 1, total: 1 },
  };
}

const SMALL = withFile("small", MAX_PUSHED_FILE_BYTES);
const LARGE = withFile("large", MAX_PUSHED_FILE_BYTES + 1);

/** A store with both, all of whose chunks are one byte. */
const context = {
  account: { masterPub: ME, devicePub: DEVICE },
  store: {
    readMeta: async () => undefined,
    loadConversations: async () => [],
    readAll: async (after: string | undefined) => ({ records: after === undefined ? [LARGE, SMALL] : [], last: undefined }),
    readMessage: async (key: string) => [LARGE, SMALL].find(({ id }) => id === key),
    messageKey: async (_: string, id: string) => id,
    readChunk: async () => Uint8Array.of(1),
  },
} as unknown as EngineContext;

it("a backup has the chunks of small files alone, and the messages of all", async () => {
  const chunks = new Set<string>();
  let messages = 0;
  for await (const part of partsOf(context, { withFiles: true, app: null })) {
    if ("chunk" in part) chunks.add(part.chunk.id);
    if ("messages" in part) messages += part.messages.length;
  }
  expect(messages).toBe(2);
  expect([...chunks]).toEqual(["small"]);
});

it("a linked device gets the chunks of small files, then those of large ones, and learns which device has one", async () => {
  const first = async (areLarge: boolean): Promise<unknown> =>
    (await chunkAfter(context, { sinceMs: 0, areLarge }, { key: "", index: 0 })).part?.chunk;
  expect(await first(false)).toEqual({ author: ME, id: "small", index: 0 });
  expect(await first(true)).toEqual({ author: ME, id: "large", index: 0 });
  expect((await asTransferred(context, LARGE)).holder).toBe(DEVICE);
  expect((await asTransferred(context, SMALL)).holder).toBeUndefined();
});

it("a device that asks for small files alone gets no large one, also when it asks again behind the last part", async () => {
  const chunks = new Set<string>();
  const take = async (mark: string): Promise<string | undefined> => {
    const { data, next, isLast } = await partAfter(context, { keepsakes: "", sinceMs: 0 }, mark);
    const part = decodePart(data);
    if ("chunk" in part) chunks.add(part.chunk.id);
    return isLast ? undefined : next;
  };
  let last = "f:2";
  for (let mark: string | undefined = last; mark !== undefined; mark = await take(mark)) last = mark;
  const { next } = await partAfter(context, { keepsakes: "", sinceMs: 0 }, last);
  for (let mark: string | undefined = next; mark !== undefined; mark = await take(mark)) last = mark;
  expect([...chunks]).toEqual(["small"]);
});
