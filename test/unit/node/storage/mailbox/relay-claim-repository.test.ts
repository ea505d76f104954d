import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readClaims } from "#node/storage/folder-readers.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { RelayClaimRepository } from "#node/storage/mailbox/relay-claim-repository.ts";
import { claimOf } from "#test/support/chain/ledger-payloads.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob } from "#test/support/worlds/ledger-world.ts";

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

const paid = (n: number, sender = alice): Parameters<RelayClaimRepository["add"]>[0] => {
  const { envelope_id: id, recipient_pub, fee_ut, fee_sig } = claimOf(sender, `e-${n}`, 700);
  return { id, recipient_pub, sender_ed25519_pub: sender.pub, fee_ut, fee_sig };
};

it("keeps a sender's envelope once, in order of arrival, and drops the oldest beyond its size", () => {
  const database = new Database(":memory:");
  database.exec(MAILBOX_DATABASE.initialSchema);
  for (const { up } of MAILBOX_DATABASE.migrations) up(database);
  const claims = new RelayClaimRepository(database, 5);
  for (let n = 0; n < 8; n += 1) claims.add(paid(n), 100 + n);
  claims.add(paid(7, bob), 200);
  claims.add(paid(7), 200);
  expect(claims.list(100).map(({ envelope_id, sender_pub }) => [envelope_id, sender_pub === bob.pub])).toEqual([
    ["e-4", false],
    ["e-5", false],
    ["e-6", false],
    ["e-7", false],
    ["e-7", true],
  ]);
  const [first, second] = claims.list(2);
  expect(claims.list(1, first?.seq)).toEqual([second]);
  claims.prune(106);
  expect(claims.count).toBe(3);
});

it("takes over the fees of a mailbox of the version before", () => {
  const file = join(folder.path, "mailbox.db");
  const before = new Database(file);
  before.exec(MAILBOX_DATABASE.initialSchema);
  before.pragma(`application_id = ${MAILBOX_DATABASE.applicationId}`);
  const insert = before.prepare(
    `INSERT INTO envelopes (recipient_pub, id, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext, sent_at, received_at, bytes, is_authentic)
      VALUES (?, ?, '', ?, ?, ?, '', '', 1, 50, 10, 1)`,
  );
  const { id, recipient_pub, sender_ed25519_pub, fee_ut, fee_sig } = paid(1);
  insert.run(recipient_pub, id, sender_ed25519_pub, fee_ut, fee_sig);
  insert.run(recipient_pub, "free", "", 0, null);
  before.close();
  expect(readClaims(folder.path)).toEqual([]);
  openMailbox(folder.path).close();
  expect(readClaims(folder.path)).toMatchObject([{ envelope_id: id, sender_pub: alice.pub, fee_ut: 700, fee_sig }]);
});
