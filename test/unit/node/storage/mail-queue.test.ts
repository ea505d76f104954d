// Mail on its way to its keepers: in order, once each, within bounds, and still there when the file is opened again.
import { join } from "node:path";
import { expect, it } from "vitest";
import { MAIL_QUEUE_DATABASE, MAIL_QUEUE_FILE, type MailQueue, openMailQueue } from "#node/storage/messages/mail-queue.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const mail = (n: number, bytes = 10): { box: string; id: string; content: Uint8Array } => ({
  box: "ab".repeat(32),
  id: `${n}`,
  content: new Uint8Array(bytes).fill(n),
});
const idsOf = (queue: MailQueue, after = 0, limit = 100, bytes = 1_000_000): readonly string[] =>
  queue.list(after, limit, bytes).map(({ id }) => id);

it("holds what was added, once each, and what was not removed after it was opened again", async () => {
  await using folder = await createTemporaryFolder();
  const queue = openMailQueue(folder.path);
  expect(queue.add([mail(1), mail(2), mail(1), mail(3)], 5)).toEqual([
    { is: "added", seq: 1 },
    { is: "added", seq: 2 },
    { is: "known" },
    { is: "added", seq: 3 },
  ]);
  queue.remove([2, 9]);
  const { usage } = queue;
  queue.close();
  const again = openMailQueue(folder.path);
  expect([idsOf(again), again.usage, usage.count]).toEqual([["1", "3"], usage, 2]);
  expect(again.list(0, 1, 1_000)[0]).toEqual({ ...mail(1), seq: 1, queuedAtMs: 5, content: Buffer.from(mail(1).content) });
  again.remove([1, 3]);
  expect(again.usage).toEqual({ count: 0, bytes: 0 });
  // Positions are never used twice.
  expect(again.add([mail(4)], 6)).toEqual([{ is: "added", seq: 4 }]);
  again.close();
});

it("takes no more bytes than it may hold, and lists at least one envelope but no more than asked", async () => {
  await using folder = await createTemporaryFolder();
  const queue = openMailQueue(folder.path, 2_000);
  expect(queue.add([mail(1, 500), mail(2, 500), mail(3, 500)], 0).map(({ is }) => is)).toEqual(["added", "added", "full"]);
  expect([idsOf(queue, 0, 100, 100), idsOf(queue, 0, 100, 999), idsOf(queue, 0, 100, 1_000), idsOf(queue, 1), idsOf(queue, 0, 1)]).toEqual([
    ["1"],
    ["1"],
    ["1", "2"],
    ["2"],
    ["1"],
  ]);
  queue.remove([1]);
  expect(queue.add([mail(3, 500)], 0).map(({ is }) => is)).toEqual(["added"]);
  queue.close();
});

it("remembers since when keepers have the mail alone, also in a file of before it did", async () => {
  await using folder = await createTemporaryFolder();
  const { migrations: _, ...older } = MAIL_QUEUE_DATABASE;
  openSqliteDatabase(join(folder.path, MAIL_QUEUE_FILE), { ...older, migrations: [] }).close();
  const queue = openMailQueue(folder.path);
  expect(queue.alone).toBeUndefined();
  for (const seenS of [5, 9]) queue.alone = { sinceS: 5, seenS, keptS: seenS === 9 ? null : 5 };
  queue.close();
  const again = openMailQueue(folder.path);
  expect(again.alone).toEqual({ sinceS: 5, seenS: 9, keptS: null });
  again.alone = undefined;
  again.close();
  const last = openMailQueue(folder.path);
  expect(last.alone).toBeUndefined();
  last.close();
});

it("has one secret for the choice of carriers, which is the same after it was opened again", async () => {
  await using folder = await createTemporaryFolder();
  const queue = openMailQueue(folder.path);
  let made = 0;
  const random = (count: number): Uint8Array => new Uint8Array(count).fill(++made);
  expect([queue.carrierSecret(random), queue.carrierSecret(random)]).toEqual([new Uint8Array(32).fill(1), new Uint8Array(32).fill(1)]);
  queue.close();
  const again = openMailQueue(folder.path);
  expect(Buffer.from(again.carrierSecret(random))).toEqual(Buffer.alloc(32, 1));
  expect(made).toBe(1);
  again.close();
});
