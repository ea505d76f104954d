// Open boxes on disk: what stays over restarts, failures and a change of the schema, and what is forgotten.

import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { carriedSource } from "#node/storage/mailbox/mail-sources.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { boxesOfDisk, MAX_LAPSED_BOXES, OpenedBoxRepository } from "#node/storage/mailbox/opened-box-repository.ts";
import { ROOMS, type Room } from "#node/storage/mailbox/waiting-envelopes.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import { envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const NOW = 1_000;
const bob = mailboxOwner(CHAIN_ID, 7);
const FRIEND = { party: "friend", tag: "a" };
const own = { source: FRIEND, findRoom: (): Room => ROOMS.open, admit: "signature" };
const [first, second, third] = [bob.envelope(1), bob.envelope(2), bob.envelope(3)];

const opening = (n: number, untilSec = NOW + 50, height = 1): BoxOpening => ({
  mailbox: `box ${n}`,
  writeKey: `key ${height}`,
  read: "anyone",
  untilSec,
  height,
  signature: "s",
});

async function folderPath(): Promise<string> {
  const folder = await createTemporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function withMailbox(work: (mailbox: MailboxRepository, path: string) => void): Promise<void> {
  const path = await folderPath();
  const mailbox = openMailbox(path);
  try {
    work(mailbox, path);
  } finally {
    mailbox.close();
  }
}

function openedBoxes(maxLapsed: number, work: (boxes: OpenedBoxRepository) => void): void {
  const database = new Database(":memory:");
  database.exec(MAILBOX_DATABASE.initialSchema);
  for (const { up } of MAILBOX_DATABASE.migrations) up(database);
  work(new OpenedBoxRepository(database, maxLapsed));
  database.close();
}

it("of a small disk for mail are fewer, also those that are over", async () => {
  const path = await folderPath();
  openMailbox(path).close();
  const least = boxesOfDisk(128 * 1_048_576);
  expect([least, boxesOfDisk(4 * 1_073_741_824)]).toEqual([131_072, MAX_LAPSED_BOXES]);
  const file = new Database(join(path, "mailbox.db"));
  file.exec(`WITH RECURSIVE each (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ${least})
    INSERT INTO opened_boxes SELECT 'over ' || n, 'key', 'anyone', 9, 1, 's', 9, 'flood', 1 FROM each`);
  const rows = file.prepare<[], number>("SELECT count(*) FROM opened_boxes").pluck();
  for (const [diskBytes, count] of [
    [4 * 1_073_741_824, least + 1],
    [128 * 1_048_576, least - least / 128],
  ] as const) {
    const mailbox = openMailbox(path, diskBytes);
    mailbox.boxes.put(opening(count, NOW - 1), { party: "friend", isForeign: true }, NOW);
    mailbox.close();
    expect(rows.get()).toBe(count);
  }
  file.close();
});

describe("mail of open boxes", () => {
  it("has figures of its own, which a restart gives back", async () => {
    const path = await folderPath();
    const before = openMailbox(path);
    before.boxes.put(opening(1), { party: "friend", isForeign: false }, NOW);
    before.put(first, NOW, own);
    before.put(second, NOW, { source: FRIEND });
    before.close();
    const mailbox = openMailbox(path);
    expect(mailbox.boxes.find("box 1")).toEqual(opening(1));
    expect(mailbox.open.usageOf(bob.pub)).toEqual({ count: 1, bytes: envelopeBytes(first) });
    expect([mailbox.open.bytes, mailbox.open.sources.bytesOf("friend"), mailbox.waiting.sources.bytesOf("friend")]).toEqual([
      envelopeBytes(first),
      envelopeBytes(first),
      envelopeBytes(second),
    ]);
    const seqs = mailbox.list({ recipientPub: bob.pub, limit: 9 }).items.map(({ seq }) => mailbox.open.admitOf(seq));
    expect(seqs).toEqual(["signature", undefined]);
    expect(mailbox.open.oldestOf("friend")).toEqual({ recipientPub: bob.pub, id: first.id });
    mailbox.close();
  });

  it("leaves with its envelope, whoever takes that out, and not with a failed transaction", () =>
    withMailbox((mailbox) => {
      for (const [n, each] of [first, second, third].entries()) mailbox.put(each, NOW + n, own);
      const fail = (): void => {
        mailbox.evict(bob.pub, first.id);
        mailbox.boxes.put(opening(1), { party: "x", isForeign: false }, NOW);
        throw new Error("disk");
      };
      expect(() => mailbox.inTransaction(fail)).toThrow("disk");
      expect([mailbox.open.usageOf(bob.pub).count, mailbox.boxes.find("box 1")]).toEqual([3, undefined]);
      expect(mailbox.boxes.counts("x", NOW)).toEqual({ all: 0, foreign: 0, carried: 0, ofParty: 0 });
      mailbox.delete(bob.pub, first.id, NOW);
      expect(mailbox.open.bytes).toBe(envelopeBytes(second) + envelopeBytes(third));
      mailbox.prune(NOW + 2);
      expect([mailbox.open.usageOf(bob.pub).count, mailbox.open.bytes]).toEqual([1, envelopeBytes(third)]);
      mailbox.evict(bob.pub, third.id);
      expect([mailbox.open.usageOf(bob.pub), mailbox.open.bytes, mailbox.open.sources.largestParty()]).toEqual([
        { count: 0, bytes: 0 },
        0,
        undefined,
      ]);
    }));

  it("is not among what waits, and is not marked as read", () =>
    withMailbox((mailbox) => {
      mailbox.put(first, NOW, own);
      expect([mailbox.waitingOf(bob.pub).size, mailbox.markRead(bob.pub, first.id)]).toEqual([0, false]);
      mailbox.hide(bob.pub, first.id);
      expect([mailbox.deleted.hidden.has(bob.pub, first.id), mailbox.deleted.hidden.oldest()]).toEqual([false, undefined]);
    }));

  it("begins in the mailboxes of the version before, whose mail stays as it was", async () => {
    const path = await folderPath();
    const before = new Database(join(path, "mailbox.db"));
    before.exec(MAILBOX_DATABASE.initialSchema);
    before.pragma(`application_id = ${MAILBOX_DATABASE.applicationId}`);
    for (const { version, up } of MAILBOX_DATABASE.migrations.filter((each) => each.version <= 7)) {
      up(before);
      before.pragma(`user_version = ${version}`);
    }
    before.exec(`INSERT INTO mailboxes (number, recipient_pub, envelope_count, bytes) VALUES (1, '${bob.pub}', 1, 400);
      INSERT INTO envelopes VALUES (1, 1, 'an id', 400, 50, 40, 'cc', '', 0, NULL, 'AA', 'AA');
      INSERT INTO mail_sources VALUES (1, 'friend', '', 400);
      INSERT INTO waiting_envelopes VALUES (1, 1, 0, 400, 0);`);
    before.close();
    const mailbox = openMailbox(path);
    expect([mailbox.count(bob.pub), mailbox.waiting.sources.bytesOf("friend"), mailbox.open.bytes]).toEqual([1, 400, 0]);
    mailbox.put(first, NOW, own);
    expect([mailbox.count(bob.pub), mailbox.open.usageOf(bob.pub).count, mailbox.waitingOf(bob.pub).size]).toEqual([2, 1, 1]);
    mailbox.close();
    const file = new Database(join(path, "mailbox.db"), { readonly: true });
    expect(file.pragma("user_version", { simple: true })).toBe(10);
    file.close();
  });
});

describe("opened boxes", () => {
  it("count for who brought them while they are open, and again when they are opened again", () =>
    openedBoxes(9, (boxes) => {
      boxes.put(opening(1, NOW + 10), { party: "a", isForeign: false }, NOW);
      boxes.put(opening(2, NOW + 200), { party: "a", isForeign: true }, NOW);
      boxes.put(opening(2, NOW + 300, 2), { party: "b", isForeign: false }, NOW);
      expect([boxes.counts("a", NOW), boxes.counts("b", NOW)]).toEqual([
        { all: 2, foreign: 1, carried: 0, ofParty: 2 },
        { all: 2, foreign: 1, carried: 0, ofParty: 0 },
      ]);
      expect(boxes.counts("a", NOW + 100)).toEqual({ all: 1, foreign: 1, carried: 0, ofParty: 1 });
      boxes.put(opening(1, NOW + 200, 2), { party: "b", isForeign: false }, NOW + 100);
      expect(boxes.counts("b", NOW + 100)).toEqual({ all: 2, foreign: 1, carried: 0, ofParty: 1 });
      boxes.put(opening(3, NOW + 200), { ...carriedSource({ party: "a", tag: "" }), isForeign: true }, NOW + 100);
      for (const atSec of [NOW + 100, NOW + 170]) expect(boxes.counts("a", atSec)).toEqual({ all: 3, foreign: 2, carried: 1, ofParty: 1 });
    }));

  it("are held as long as any opening of theirs could be shown again, also when a later one is shorter", () =>
    openedBoxes(0, (boxes) => {
      boxes.put(opening(1, NOW + 500), { party: "a", isForeign: false }, NOW);
      boxes.put(opening(1, NOW + 5, 2), { party: "a", isForeign: false }, NOW);
      boxes.put(opening(2, NOW + 9_000), { party: "a", isForeign: false }, NOW + 100);
      expect([boxes.find("box 1")?.untilSec, boxes.isHeld("box 1", NOW + 499), boxes.isHeld("box 1", NOW + 500)]).toEqual([
        NOW + 5,
        true,
        false,
      ]);
      boxes.put(opening(3, NOW + 9_000), { party: "a", isForeign: false }, NOW + 600);
      expect([boxes.find("box 1"), boxes.find("box 2")?.height]).toEqual([undefined, 1]);
    }));

  it("are forgotten when they are over: those that were open longest ago first, and all in the end", () =>
    openedBoxes(2, (boxes) => {
      for (let n = 1; n <= 4; n += 1) boxes.put(opening(n, NOW + n), { party: "a", isForeign: false }, NOW);
      boxes.put(opening(5, NOW + 900), { party: "a", isForeign: false }, NOW + 100);
      expect([1, 2, 3, 4, 5].map((n) => boxes.find(`box ${n}`) !== undefined)).toEqual([false, false, true, true, true]);
      boxes.prune(NOW + 4);
      expect([3, 4, 5].map((n) => boxes.find(`box ${n}`) !== undefined)).toEqual([false, true, true]);
    }));

  it("are not forgotten because others open many for a moment each", () =>
    openedBoxes(4, (boxes) => {
      for (const n of [1, 2]) boxes.put(opening(n, NOW + n), { party: "a", isForeign: false }, NOW);
      for (let n = 3; n <= 40; n += 1) boxes.put(opening(n, NOW + 70 * n + 1), { party: "b", isForeign: true }, NOW + 70 * n);
      const known = Array.from({ length: 40 }, (_, n) => n + 1).filter((n) => boxes.find(`box ${n}`) !== undefined);
      expect(known).toEqual([1, 2, 38, 39, 40]);
    }));
});

it("counts of opened boxes are those of a count from the beginning, whatever lapses, is replaced, pruned or forgotten", () => {
  const random = createRandom(11);
  openedBoxes(60, (boxes) => {
    for (let step = 0, nowSec = NOW; step < 3_000; step += 1, nowSec += random.between(-1, 4)) {
      const party = ["a", "b", carriedSource({ party: "a", tag: "" }).party][random.between(0, 2)] ?? "";
      const given = opening(random.between(1, 400), nowSec + random.between(-20, 300), step);
      boxes.put(given, { party, isForeign: random.chance(0.5) }, nowSec);
      if (random.chance(0.02)) boxes.prune(nowSec - 400);
      if (step % 50 > 0) continue;
      // A moment that no box lapses before again: the clock may have been set back.
      const atSec = nowSec + 10;
      nowSec = atSec;
      const counted = ["a", "b"].map((each) => boxes.counts(each, atSec));
      boxes.forget();
      expect(counted).toEqual(["a", "b"].map((each) => boxes.counts(each, atSec)));
    }
  });
});
