// Schema of mailbox.db: sealed envelopes in order of arrival, how much each recipient holds, and the fees that the node may collect for
// envelopes, which outlive the envelopes: a recipient deletes them long before a relay claims. Beside them are the recipients that read
// here, for whom other nodes are asked, what they deleted, which other nodes still hold, what was deleted without a proof of the key,
// who brought what waits, and which boxes are open with what was admitted to them.
import type { DatabaseKind, SqliteDatabase } from "../sqlite-database.ts";
import { deletionMark, MARK_DAY_S } from "./deleted-envelope-repository.ts";

const INITIAL_SCHEMA = `
CREATE TABLE envelopes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_pub TEXT NOT NULL,
  id TEXT NOT NULL,
  sender_pub TEXT NOT NULL,
  sender_ed25519_pub TEXT NOT NULL,
  fee_ut INTEGER NOT NULL,
  fee_sig TEXT,
  nonce TEXT NOT NULL,
  ciphertext TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  is_authentic INTEGER NOT NULL,
  UNIQUE (recipient_pub, id)
) STRICT;
CREATE INDEX envelopes_by_recipient ON envelopes (recipient_pub, seq);
CREATE INDEX envelopes_by_arrival ON envelopes (received_at);

CREATE TABLE mailboxes (
  recipient_pub TEXT PRIMARY KEY,
  envelope_count INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mailbox_total (envelope_count INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
INSERT INTO mailbox_total (envelope_count, bytes) VALUES (0, 0);

CREATE TRIGGER envelopes_inserted AFTER INSERT ON envelopes BEGIN
  INSERT INTO mailboxes (recipient_pub, envelope_count, bytes) VALUES (new.recipient_pub, 1, new.bytes)
    ON CONFLICT DO UPDATE SET envelope_count = envelope_count + 1, bytes = bytes + excluded.bytes;
  UPDATE mailbox_total SET envelope_count = envelope_count + 1, bytes = bytes + new.bytes;
END;

CREATE TRIGGER envelopes_deleted AFTER DELETE ON envelopes BEGIN
  UPDATE mailboxes SET envelope_count = envelope_count - 1, bytes = bytes - old.bytes WHERE recipient_pub = old.recipient_pub;
  DELETE FROM mailboxes WHERE recipient_pub = old.recipient_pub AND envelope_count = 0;
  UPDATE mailbox_total SET envelope_count = envelope_count - 1, bytes = bytes - old.bytes;
END;
`;

const RELAY_CLAIMS = `
CREATE TABLE relay_claims (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  envelope_id TEXT NOT NULL,
  recipient_pub TEXT NOT NULL,
  sender_pub TEXT NOT NULL,
  fee_ut INTEGER NOT NULL,
  fee_sig TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  UNIQUE (sender_pub, envelope_id)
) STRICT;
INSERT OR IGNORE INTO relay_claims (envelope_id, recipient_pub, sender_pub, fee_ut, fee_sig, received_at)
  SELECT id, recipient_pub, sender_ed25519_pub, fee_ut, fee_sig, received_at FROM envelopes
    WHERE fee_ut > 0 AND fee_sig IS NOT NULL ORDER BY seq;
`;

const MAILBOX_SYNC = `
CREATE TABLE served_recipients (
  recipient_pub TEXT PRIMARY KEY,
  last_seen INTEGER NOT NULL,
  is_synced INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX served_recipients_by_time ON served_recipients (last_seen);
CREATE TABLE deleted_envelopes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_pub TEXT NOT NULL,
  id TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  UNIQUE (recipient_pub, id)
) STRICT;
CREATE INDEX deleted_envelopes_by_time ON deleted_envelopes (deleted_at);
CREATE TABLE mailbox_sync (online_at INTEGER NOT NULL) STRICT;
INSERT INTO mailbox_sync (online_at) VALUES (0);
`;

/**
 * Envelopes name their mailbox by a number: a commit writes and syncs every page that it touches, and indexes over short keys touch fewer.
 * The ciphertext, which may run over several pages, is last. `mailbox_mark` holds the highest `seq` that deleted envelopes may have had.
 */
const NUMBERED_MAILBOXES = `
CREATE TABLE numbered_mailboxes (
  number INTEGER PRIMARY KEY,
  recipient_pub TEXT NOT NULL UNIQUE,
  envelope_count INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO numbered_mailboxes (recipient_pub, envelope_count, bytes) SELECT recipient_pub, envelope_count, bytes FROM mailboxes;
CREATE TABLE numbered_envelopes (
  seq INTEGER PRIMARY KEY,
  mailbox INTEGER NOT NULL,
  id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  sender_pub TEXT NOT NULL,
  sender_ed25519_pub TEXT NOT NULL,
  fee_ut INTEGER NOT NULL,
  fee_sig TEXT,
  nonce TEXT NOT NULL,
  ciphertext TEXT NOT NULL,
  UNIQUE (mailbox, id)
) STRICT;
INSERT INTO numbered_envelopes
  SELECT seq, number, id, envelopes.bytes, received_at, sent_at, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext
    FROM envelopes JOIN numbered_mailboxes USING (recipient_pub) ORDER BY seq;
CREATE TABLE mailbox_mark (last_seq INTEGER NOT NULL) STRICT;
INSERT INTO mailbox_mark (last_seq) SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'envelopes';
DROP TABLE envelopes;
DROP TABLE mailboxes;
DROP TABLE mailbox_total;
ALTER TABLE numbered_envelopes RENAME TO envelopes;
ALTER TABLE numbered_mailboxes RENAME TO mailboxes;
CREATE INDEX envelopes_by_mailbox ON envelopes (mailbox, seq);
CREATE INDEX envelopes_by_arrival ON envelopes (received_at);
`;

/** Beside the envelopes, whose last column may run over several pages: this table is nearly always empty. */
const HIDDEN_ENVELOPES = `
CREATE TABLE hidden_envelopes (
  seq INTEGER PRIMARY KEY REFERENCES envelopes (seq) ON DELETE CASCADE,
  mailbox INTEGER NOT NULL
) STRICT;
CREATE INDEX hidden_envelopes_by_mailbox ON hidden_envelopes (mailbox, seq);
`;

const USED_PROOFS = `
CREATE TABLE used_proofs (
  mac INTEGER PRIMARY KEY,
  unix_seconds INTEGER NOT NULL,
  address TEXT NOT NULL
) STRICT;
CREATE INDEX used_proofs_by_time ON used_proofs (unix_seconds);
`;

/**
 * What waits, by who brought it: an envelope without a row here was read. Rows are small, beside the envelopes, whose last column may run over
 * several pages. `mail_sources` are parties with their clients, and what waits of each; `mail_days` what a party handed in on its last day.
 */
const WAITING_ENVELOPES = `
CREATE TABLE mail_sources (
  number INTEGER PRIMARY KEY,
  party TEXT NOT NULL,
  tag TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  UNIQUE (party, tag)
) STRICT;
CREATE TABLE mail_days (
  party TEXT PRIMARY KEY,
  day INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE waiting_envelopes (
  seq INTEGER PRIMARY KEY REFERENCES envelopes (seq) ON DELETE CASCADE,
  source INTEGER NOT NULL,
  room INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  fee_ut INTEGER NOT NULL
) STRICT;
INSERT INTO waiting_envelopes (seq, source, room, bytes, fee_ut)
  SELECT seq, 1, 0, bytes, fee_ut FROM envelopes WHERE seq NOT IN (SELECT seq FROM hidden_envelopes) ORDER BY seq;
INSERT INTO mail_sources (number, party, tag, bytes) SELECT 1, '', '', sum(bytes) FROM waiting_envelopes HAVING count(*) > 0;
CREATE INDEX waiting_envelopes_by_source ON waiting_envelopes (source, seq);
`;

/** Deletions that mailbox keys signed: proofs for other nodes. What was read at another node goes as early as what is hidden, but is shown. */
const SIGNED_DELETIONS = `
CREATE TABLE signed_deletions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_pub TEXT NOT NULL,
  signature TEXT NOT NULL,
  height INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL,
  ids TEXT NOT NULL,
  UNIQUE (recipient_pub, signature)
) STRICT;
CREATE INDEX signed_deletions_by_time ON signed_deletions (deleted_at);
ALTER TABLE hidden_envelopes ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 1;
`;

/**
 * Boxes that their owners opened: `held_until` is the latest end of any opening of the box, before which it is not forgotten. `open_envelopes`
 * are those with room of their own, which have no row in `waiting_envelopes`; `admits` the signatures by which envelopes were admitted.
 */
const OPENED_BOXES = `
CREATE TABLE opened_boxes (
  mailbox TEXT PRIMARY KEY,
  write_key TEXT NOT NULL,
  read_rule TEXT NOT NULL,
  until INTEGER NOT NULL,
  height INTEGER NOT NULL,
  signature TEXT NOT NULL,
  held_until INTEGER NOT NULL,
  party TEXT NOT NULL,
  is_foreign INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX opened_boxes_by_time ON opened_boxes (held_until);
CREATE TABLE open_sources (
  number INTEGER PRIMARY KEY,
  party TEXT NOT NULL,
  tag TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  UNIQUE (party, tag)
) STRICT;
CREATE TABLE open_envelopes (
  seq INTEGER PRIMARY KEY REFERENCES envelopes (seq) ON DELETE CASCADE,
  mailbox INTEGER NOT NULL,
  source INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX open_envelopes_by_mailbox ON open_envelopes (mailbox, bytes);
CREATE INDEX open_envelopes_by_source ON open_envelopes (source, seq);
CREATE TABLE admits (
  seq INTEGER PRIMARY KEY REFERENCES envelopes (seq) ON DELETE CASCADE,
  admit TEXT NOT NULL
) STRICT;
`;

/**
 * Deletions are counted by who had brought what they delete, readers by where they read; nothing is known of those of before. What is beyond
 * 64 MiB goes first, the oldest of it, and rows of a few ids stay as they are: to write all would take seconds, and as much room on the disk.
 */
const DELETIONS_BY_PARTY = `
DELETE FROM signed_deletions WHERE seq <= coalesce((SELECT max(seq) FROM
  (SELECT seq, sum(length(ids) + 256) OVER (ORDER BY seq DESC) AS newer FROM signed_deletions) WHERE newer > 67108864), 0);
ALTER TABLE deleted_envelopes ADD COLUMN party TEXT NOT NULL DEFAULT '';
CREATE INDEX deleted_envelopes_by_party ON deleted_envelopes (party, seq);
ALTER TABLE signed_deletions ADD COLUMN party TEXT NOT NULL DEFAULT '';
ALTER TABLE signed_deletions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 512;
UPDATE signed_deletions SET bytes = length(ids) + 256 WHERE length(ids) > 256;
CREATE INDEX signed_deletions_by_party ON signed_deletions (party, seq, bytes);
ALTER TABLE served_recipients ADD COLUMN party TEXT NOT NULL DEFAULT '';
CREATE INDEX served_recipients_by_party ON served_recipients (party, last_seen);
`;

/** Marks lie by their days, so that a day that goes is one piece of the file. `deletion_days` has how many there are, by who brought them. */
const DELETIONS_BY_DAY = `
CREATE TABLE deletion_marks (
  day INTEGER NOT NULL,
  mark BLOB NOT NULL,
  source INTEGER NOT NULL,
  PRIMARY KEY (day, mark)
) STRICT, WITHOUT ROWID;
CREATE TABLE deletion_days (
  day INTEGER NOT NULL,
  source INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE deletion_sources (number INTEGER PRIMARY KEY, party TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO deletion_sources (party) SELECT DISTINCT party FROM deleted_envelopes;
`;

/** All that was remembered goes on being so, each for its own days. */
function moveDeletions(database: SqliteDatabase): void {
  database.exec(DELETIONS_BY_DAY);
  const insert = database.prepare<[number, Uint8Array, string]>(
    "INSERT OR IGNORE INTO deletion_marks (day, mark, source) SELECT ?, ?, number FROM deletion_sources WHERE party = ?",
  );
  const rows = database.prepare<[], { readonly box: string; readonly id: string; readonly atSec: number; readonly party: string }>(
    "SELECT recipient_pub AS box, id, deleted_at AS atSec, party FROM deleted_envelopes",
  );
  for (const { box, id, atSec, party } of rows.all()) insert.run(Math.floor(atSec / MARK_DAY_S), deletionMark(box, id), party);
  database.exec(`INSERT INTO deletion_days (day, source, count) SELECT day, source, count(*) FROM deletion_marks GROUP BY day, source;
    DROP TABLE deleted_envelopes;`);
}

/** The mailbox database: "PRLM". */
export const MAILBOX_DATABASE: DatabaseKind = {
  applicationId: 0x50_52_4c_4d,
  initialSchema: INITIAL_SCHEMA,
  migrations: [
    { version: 1, up: (database) => void database.exec(RELAY_CLAIMS) },
    { version: 2, up: (database) => void database.exec(MAILBOX_SYNC) },
    { version: 3, up: (database) => void database.exec(NUMBERED_MAILBOXES) },
    { version: 4, up: (database) => void database.exec(HIDDEN_ENVELOPES) },
    { version: 5, up: (database) => void database.exec(USED_PROOFS) },
    { version: 6, up: (database) => void database.exec(WAITING_ENVELOPES) },
    { version: 7, up: (database) => void database.exec(SIGNED_DELETIONS) },
    { version: 8, up: (database) => void database.exec(OPENED_BOXES) },
    { version: 9, up: (database) => void database.exec(DELETIONS_BY_PARTY) },
    { version: 10, up: moveDeletions },
  ],
};
