// Mail on its way to its keepers: in order, once each, within bounds, and still there when the file is opened again.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type MailSource, OWN_PARTY } from "#node/storage/mailbox/mail-sources.ts";
import { MAIL_QUEUE_DATABASE, MAIL_QUEUE_FILE, type MailQueue, type NewMail, openMailQueue } from "#node/storage/messages/mail-queue.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const BOX = "ab".repeat(32);
const mail = (n: number, bytes = 10, given: Partial<NewMail> = {}): NewMail => ({
  ...{ box: BOX, id: `${n}`, content: new Uint8Array(bytes).fill(n), bytes, source: sourceOf("a"), isOpen: false, ledgers: [] },
  ...given,
});
const sourceOf = (party: string): MailSource => ({ party, tag: "" });
const idsOf = (queue: MailQueue, after = 0, limit = 100, bytes = 1_000_000): readonly string[] =>
  queue.list(after, limit, bytes).map(({ id }) => id);

it("holds what was added, once each, and what was not removed after it was opened again", async () => {
  await using folder = await createTemporaryFolder();
  const queue = openMailQueue(folder.path);
  expect(queue.add([mail(1), mail(2), mail(1), mail(3)], 5)).toEqual([
    { is: "added", seq: 1, evicted: [] },
    { is: "added", seq: 2, evicted: [] },
    { is: "known" },
    { is: "added", seq: 3, evicted: [] },
  ]);
  queue.remove([2, 9]);
  const { usage } = queue;
  queue.close();
  const again = openMailQueue(folder.path);
  expect([idsOf(again), again.usage, usage.count]).toEqual([["1", "3"], usage, 2]);
  expect(again.list(0, 1, 1_000)[0]).toEqual({ box: BOX, id: "1", seq: 1, queuedAtMs: 5, content: Buffer.from(mail(1).content) });
  again.remove([1, 3]);
  expect(again.usage).toEqual({ count: 0, bytes: 0 });
  // Positions are never used twice.
  expect(again.add([mail(4)], 6)).toEqual([{ is: "added", seq: 4, evicted: [] }]);
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

describe("a queue without room for all", () => {
  /** 756 bytes each: five of them, or two in the part of open boxes. */
  const ROOM = 3_800;
  const added = (queue: MailQueue, n: number, party: string, given: Partial<NewMail> = {}): string =>
    queue.add([mail(n, 500, { source: sourceOf(party), ...given })], 0).map(({ is }) => is)[0] ?? "";

  it("takes the oldest of who has most for those who have less, and never what has a room of its own", async () => {
    await using folder = await createTemporaryFolder();
    const queue = openMailQueue(folder.path, ROOM);
    for (const n of [1, 2, 3, 4, 5]) expect(added(queue, n, "flood")).toBe("added");
    expect([added(queue, 6, "flood"), added(queue, 7, "b"), added(queue, 8, "c")]).toEqual(["full", "added", "added"]);
    expect(idsOf(queue)).toEqual(["3", "4", "5", "7", "8"]);
    // Equal parts: no one loses to another.
    expect([added(queue, 9, "b"), added(queue, 10, "c"), added(queue, 11, "b")]).toEqual(["added", "full", "full"]);
    // Contacts up to half, from the largest of the others; beyond it from the largest of themselves.
    expect([12, 13, 14].map((n) => added(queue, n, "b", { isOpen: true }))).toEqual(["added", "added", "full"]);
    expect(added(queue, 15, "c", { isOpen: true })).toBe("added");
    expect(idsOf(queue).slice(-2)).toEqual(["13", "15"]);
    // The node's own programs: of strangers first, and no one takes theirs.
    expect([16, 17, 18, 19, 20].map((n) => added(queue, n, OWN_PARTY))).toEqual(["added", "added", "added", "added", "added"]);
    expect([added(queue, 21, OWN_PARTY), added(queue, 22, "d"), added(queue, 23, "d", { isOpen: true })]).toEqual(["full", "full", "full"]);
    expect([idsOf(queue), queue.usage]).toEqual([["16", "17", "18", "19", "20"], { count: 5, bytes: 5 * 756 }]);
    queue.close();
    const again = openMailQueue(folder.path, ROOM);
    expect([again.usage, added(again, 24, "d")]).toEqual([{ count: 5, bytes: 5 * 756 }, "full"]);
    again.close();
  });

  it("counts days, also after it was opened again, and nothing for what it does not take", async () => {
    await using folder = await createTemporaryFolder();
    const ledgers = [
      { party: "large a", most: 1_500 },
      { party: "a", most: 1_200 },
    ];
    const counted = (queue: MailQueue, n: number, atMs: number): unknown => queue.add([mail(n, 500, { ledgers })], atMs)[0];
    const queue = openMailQueue(folder.path, ROOM);
    expect([counted(queue, 1, 0), counted(queue, 1, 0)]).toMatchObject([{ is: "added" }, { is: "known" }]);
    for (const n of [90, 91, 92, 93]) added(queue, n, OWN_PARTY);
    expect([counted(queue, 2, 0), counted(queue, 3, 0)]).toMatchObject([{ is: "full" }, { is: "full" }]);
    queue.remove([2, 3]);
    queue.close();
    const again = openMailQueue(folder.path, ROOM);
    expect([counted(again, 4, 9), counted(again, 5, 9), counted(again, 5, 86_400_000)]).toMatchObject([
      { is: "added" },
      { is: "limited", ledger: 1 },
      { is: "added" },
    ]);
    again.close();
  });

  it("counts what is in a file of before as of one source that is not known", async () => {
    await using folder = await createTemporaryFolder();
    const { migrations: _, ...older } = MAIL_QUEUE_DATABASE;
    const before = openSqliteDatabase(join(folder.path, MAIL_QUEUE_FILE), { ...older, migrations: [] });
    for (const id of ["1", "2"])
      before.prepare("INSERT INTO queued (box, id, queued_at, content) VALUES (?, ?, 1, zeroblob(500))").run(BOX, id);
    before.close();
    const queue = openMailQueue(folder.path, 2_000);
    expect([queue.usage, added(queue, 3, "a"), idsOf(queue)]).toEqual([{ count: 2, bytes: 1_512 }, "added", ["2", "3"]]);
    queue.remove([2, 3]);
    expect(queue.usage).toEqual({ count: 0, bytes: 0 });
    queue.close();
  });
});
