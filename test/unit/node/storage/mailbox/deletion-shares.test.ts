// Marks of deletions are shared fairly: who has much deleted forgets its own, and brings back nothing that others have deleted.
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { DeletedEnvelopeRepository, DeletionMarks } from "#node/storage/mailbox/deleted-envelope-repository.ts";
import { fairShare } from "#node/storage/mailbox/largest-first.ts";
import { MAILBOX_FILE, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { SignedDeletionRepository } from "#node/storage/mailbox/signed-deletion-repository.ts";
import { closeSqliteDatabase, openSqliteDatabase, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const BOX = "ab".repeat(32);
const idOf = (n: number): string => n.toString(16).padStart(32, "0");
const boxOf = (n: number): string => n.toString(16).padStart(64, "0");

/** A mailbox in which a network had brought envelopes that are deleted by now. */
async function database(brought: readonly (readonly [party: string, ids: number])[] = []): Promise<[SqliteDatabase, string[]]> {
  const folder = await createTemporaryFolder();
  const mailbox = openMailbox(folder.path);
  const deleted: string[] = [];
  for (const [party, count] of brought)
    for (let n = 0; n < count; n += 1) {
      const envelope = unsealedEnvelope(BOX);
      mailbox.put(envelope, 1_000, { source: { party, tag: "" } });
      mailbox.delete(BOX, envelope.id, 1_000);
      deleted.push(envelope.id);
    }
  mailbox.close();
  const opened = openSqliteDatabase(join(folder.path, MAILBOX_FILE), MAILBOX_DATABASE);
  onTestFinished(async () => {
    closeSqliteDatabase(opened);
    await folder.remove();
  });
  return [opened, deleted];
}

it("gives each as much as all get, and what those leave who have less to the others", () => {
  expect(fairShare([5, 5], 10)).toBe(Number.POSITIVE_INFINITY);
  expect(fairShare([100, 1, 40], 61)).toBe(30);
  expect(fairShare([100, 1, 40], 3)).toBe(1);
  expect(fairShare([], 3)).toBe(Number.POSITIVE_INFINITY);
});

it("forgets deletions of those who had brought most of what was deleted, over many mailboxes too, and none of others", async () => {
  const [opened, honest] = await database([["honest", 10]]);
  const deleted = new DeletedEnvelopeRepository(opened, { marks: 50 });
  // The first days go first.
  const addAll = opened.transaction((from: number, to: number, stepS: number, party?: string) => {
    for (let n = from; n < to; n += 1) deleted.add(boxOf(n), idOf(n), 2_000 + stepS * n, party);
  });
  addAll(0, 500, 600, "flood");
  expect(honest.filter((id) => !deleted.has(BOX, id))).toEqual([]);
  const known = Array.from({ length: 500 }, (_, n) => n).filter((n) => deleted.has(boxOf(n), idOf(n)));
  expect([known.length, (known[0] ?? 0) >= 429]).toEqual([40, true]);
  // What is not known to be anyone's displaces none of it either.
  addAll(500, 1_000, 600);
  expect(honest.filter((id) => !deleted.has(BOX, id))).toEqual([]);
});

it("does so with what owners have signed, by bytes", async () => {
  const [opened, [id = ""]] = await database([["honest", 1]]);
  const deleted = new DeletedEnvelopeRepository(opened);
  const signed = new SignedDeletionRepository(opened, new DeletionMarks(opened, 1_000_000), 100_000, 1);
  const honest = { mailbox: BOX, ids: [id], height: 1, signature: "honest" };
  signed.add(honest, 1_000);
  const flood = opened.transaction((n: number) => {
    const [mailbox, ids] = [boxOf(n), Array.from({ length: 256 }, (_, at) => idOf(1_000 * n + at))];
    for (const each of ids) deleted.add(mailbox, each, 1_000, "flood");
    signed.add({ mailbox, ids, height: 1, signature: "flood" }, 1_000);
  });
  for (let n = 0; n < 100; n += 1) flood(n);
  expect([signed.has(honest), signed.find(BOX, id)]).toEqual([true, honest]);
  expect(signed.has({ mailbox: boxOf(99), signature: "flood" })).toBe(true);
  const { bytes } = opened.prepare<[], { readonly bytes: number }>("SELECT sum(length(ids)) AS bytes FROM signed_deletions").get() ?? {
    bytes: 0,
  };
  expect(bytes > 80_000 && bytes < 100_000).toBe(true);
});

it("are remembered for their days and forgotten by whole ones, also after a restart; one that was sent again is not", async () => {
  const [opened] = await database();
  const before = new DeletedEnvelopeRepository(opened);
  const dayS = 86_400;
  for (let day = 0; day < 34; day += 1) before.add(BOX, idOf(day), day * dayS + 9, "a");
  before.add(BOX, idOf(33), 33 * dayS + 99, "b");
  const deleted = new DeletedEnvelopeRepository(opened);
  const known = (): number[] => Array.from({ length: 34 }, (_, n) => n).filter((n) => deleted.has(BOX, idOf(n)));
  expect(known()).toHaveLength(34);
  expect([deleted.has(boxOf(1), idOf(1)), deleted.has(BOX, idOf(99))]).toEqual([false, false]);
  deleted.prune(3 * dayS + 5);
  expect(known()[0]).toBe(3);
  deleted.remove(BOX, idOf(5));
  expect([known().includes(5), known().length]).toEqual([false, 30]);
  deleted.add(BOX, idOf(5), 20 * dayS, "a");
  expect(known()).toContain(5);
  const { rows, counted } = opened
    .prepare<[], { readonly rows: number; readonly counted: number }>(
      "SELECT (SELECT count(*) FROM deletion_marks) AS rows, (SELECT sum(count) FROM deletion_days) AS counted",
    )
    .get() ?? { rows: 0, counted: 1 };
  expect(counted).toBe(rows);
});

it("are remembered although the clock was years ahead for a moment, also after a restart", async () => {
  const [opened] = await database();
  const dayS = 86_400;
  const deleted = new DeletedEnvelopeRepository(opened);
  deleted.add(BOX, idOf(1), 100 * dayS, "a");
  deleted.add(BOX, idOf(2), 1_000 * dayS, "a");
  deleted.add(BOX, idOf(3), 101 * dayS, "a");
  for (const each of [deleted, new DeletedEnvelopeRepository(opened)]) {
    expect([1, 2, 3].filter((n) => !each.has(BOX, idOf(n)))).toEqual([]);
    // Once each.
    each.add(BOX, idOf(1), 102 * dayS, "a");
  }
  expect(opened.prepare("SELECT count(*) FROM deletion_marks").pluck().get()).toBe(3);
});

it("of hundreds who have each brought too much go by their first days, and no more than is too much", async () => {
  const [opened] = await database();
  const [dayS, parties] = [86_400, 500];
  const before = new DeletedEnvelopeRepository(opened);
  opened.transaction(() => {
    for (let n = 0; n < 6 * parties; n += 1) before.add(boxOf(n), idOf(n), Math.floor(n / parties) * dayS, `party ${n % parties}`);
  })();
  // Of a smaller disk for mail now: each has room for three, and who comes for one.
  const after = new DeletedEnvelopeRepository(opened, { marks: 3 * parties + 1 });
  after.add(BOX, idOf(0), 5 * dayS, "new");
  const left = opened.prepare<[number], number>("SELECT count(*) FROM deletion_marks WHERE day = ?").pluck();
  expect([0, 1, 2, 3, 4, 5].map((day) => left.get(day))).toEqual([0, 0, 0, parties, parties, parties + 1]);
  expect(opened.prepare<[], number>("SELECT sum(count) FROM deletion_days").pluck().get()).toBe(3 * parties + 1);
});

it("are those of the version before, each for its own days, and by who had brought what was deleted", async () => {
  const folder = await createTemporaryFolder();
  const file = new Database(join(folder.path, MAILBOX_FILE));
  file.exec(MAILBOX_DATABASE.initialSchema);
  file.pragma(`application_id = ${MAILBOX_DATABASE.applicationId}`);
  for (const { version, up } of MAILBOX_DATABASE.migrations.filter((each) => each.version <= 9)) {
    up(file);
    file.pragma(`user_version = ${version}`);
  }
  const insert = file.prepare("INSERT INTO deleted_envelopes (recipient_pub, id, deleted_at, party) VALUES (?, ?, ?, ?)");
  for (let n = 0; n < 40; n += 1) insert.run(boxOf(n), idOf(n), 1_000 + 50_000 * n, n % 2 === 0 ? "a" : "");
  file.close();
  const mailbox = openMailbox(folder.path);
  onTestFinished(async () => {
    mailbox.close();
    await folder.remove();
  });
  expect(Array.from({ length: 40 }, (_, n) => n).filter((n) => !mailbox.deleted.has(boxOf(n), idOf(n)))).toEqual([]);
  mailbox.deleted.prune(86_400 * 2);
  expect([0, 3, 4].map((n) => mailbox.deleted.has(boxOf(n), idOf(n)))).toEqual([false, false, true]);
});
