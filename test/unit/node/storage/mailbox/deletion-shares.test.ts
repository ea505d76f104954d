// Marks of deletions are shared fairly: who has much deleted forgets its own, and brings back nothing that others have deleted.
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DeletedEnvelopeRepository } from "#node/storage/mailbox/deleted-envelope-repository.ts";
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
  const deleted = new DeletedEnvelopeRepository(opened, 50);
  for (let n = 0; n < 500; n += 1) deleted.add(boxOf(n), idOf(n), 2_000, "flood");
  expect(honest.filter((id) => !deleted.has(BOX, id))).toEqual([]);
  expect([deleted.has(boxOf(459), idOf(459)), deleted.has(boxOf(460), idOf(460)), deleted.has(boxOf(499), idOf(499))]).toEqual([
    false,
    true,
    true,
  ]);
  // What is not known to be anyone's displaces none of it either.
  for (let n = 500; n < 1_000; n += 1) deleted.add(boxOf(n), idOf(n), 2_000);
  expect(honest.filter((id) => !deleted.has(BOX, id))).toEqual([]);
});

it("does so with what owners have signed, by bytes", async () => {
  const [opened, [id = ""]] = await database([["honest", 1]]);
  const deleted = new DeletedEnvelopeRepository(opened);
  const signed = new SignedDeletionRepository(opened, 100_000, 1);
  const honest = { mailbox: BOX, ids: [id], height: 1, signature: "honest" };
  signed.add(honest, 1_000);
  for (let n = 0; n < 100; n += 1) {
    const [mailbox, ids] = [boxOf(n), Array.from({ length: 256 }, (_, at) => idOf(1_000 * n + at))];
    for (const each of ids) deleted.add(mailbox, each, 1_000, "flood");
    signed.add({ mailbox, ids, height: 1, signature: "flood" }, 1_000);
  }
  expect([signed.has(honest), signed.find(BOX, id)]).toEqual([true, honest]);
  expect(signed.has({ mailbox: boxOf(99), signature: "flood" })).toBe(true);
  const { bytes } = opened.prepare<[], { readonly bytes: number }>("SELECT sum(length(ids)) AS bytes FROM signed_deletions").get() ?? {
    bytes: 0,
  };
  expect(bytes > 80_000 && bytes < 100_000).toBe(true);
});
