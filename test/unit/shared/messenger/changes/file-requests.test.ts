// Requests for chunks of large files: who gets them, and how many wait for one device.
import { expect, it } from "vitest";
import { MAX_ASKED_CHUNKS, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import type { Change } from "#shared/messenger/changes/change.ts";
import { applyFileAsk } from "#shared/messenger/changes/files/file-requests.ts";
import type { OutboxRecord, SendTask } from "#shared/messenger/model/records.ts";
import { OutboxQueue } from "#shared/messenger/state/outbox/outbox-queue.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";

const ME = "aa".repeat(32);
const PEER = "bb".repeat(32);
const DEVICE = "cc".repeat(32);

function waitingChunk(index: number): OutboxRecord {
  const task = { kind: "chunk", key: "file", id: "file", index, device: DEVICE } as const;
  return { seq: index, peer: PEER, task, queuedAt: 0, done: [], isRelayed: false, isFailed: false };
}

/** Numbers of the chunks that are queued for a request where these wait already. */
async function queuedFor(from: string, chunks: readonly number[], waiting: readonly number[] = []): Promise<readonly number[]> {
  const queued: SendTask[] = [];
  const change = {
    isKnown: (): boolean => true,
    batch: {
      message: async (): Promise<unknown> => ({ conversation: PEER, body: { kind: "attachment", size: 2 * MAX_PUSHED_FILE_BYTES } }),
      hasChunk: async (): Promise<boolean> => true,
    },
    queue: (_: string, task: SendTask): number => queued.push(task),
  };
  const context = {
    account: { masterPub: ME },
    store: { messageKey: async (_: string, id: string): Promise<string> => id },
    clock: { nowMs: (): number => 0 },
    outbox: new OutboxQueue(waiting.map(waitingChunk), waiting.length, new ManualTime()),
  };
  const request = { from, device: DEVICE, ask: { kind: "file.ask", id: "file", chunks } } as const;
  await applyFileAsk(context as unknown as Parameters<typeof applyFileAsk>[0], change as unknown as Change, request);
  return queued.map((task) => (task.kind === "chunk" ? task.index : -1));
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

it("gives those who got the message what they ask for, and no one else anything", async () => {
  expect(await queuedFor(PEER, [3, 1, 3])).toEqual([3, 1]);
  expect(await queuedFor(ME, [3])).toEqual([3]);
  expect(await queuedFor("dd".repeat(32), [3])).toEqual([]);
});

it("gives nothing twice, and no more than waits for one device", async () => {
  const most = 2 * MAX_ASKED_CHUNKS;
  expect(await queuedFor(PEER, [0, 1, 40], upTo(2))).toEqual([40]);
  expect(await queuedFor(PEER, [40, 41, 42], upTo(most - 2))).toEqual([40, 41]);
  expect(await queuedFor(PEER, [40, 41], upTo(most))).toEqual([]);
});
