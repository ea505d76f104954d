// Schema of the mailboxes in PostgreSQL. Keys, nonces and ciphertexts are bytes; days count from 1970, times are unix seconds.
import { EXPLORER_TABLES, STATE_TABLES } from "../explorer/explorer-tables.ts";
import type { Migration } from "../migrate.ts";

/**
 * `mailboxes` is locked by whoever changes one, in the order of its key; `last_seq` therefore follows the order of commits. `envelopes` without
 * a room were read: they count nowhere. A lane is a writing connection, whose rows of `wake` are committed in the order of their numbers; its
 * figures, and those of `sources`, are what it added and took away, so that lanes never wait for each other. `outgoing` is what the network of
 * nodes is still to be told.
 */
const MAILBOXES = `
CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE lanes (
  lane int PRIMARY KEY,
  n bigint NOT NULL,
  envelope_count bigint NOT NULL,
  bytes bigint NOT NULL,
  open_bytes bigint NOT NULL,
  used_at bigint NOT NULL
) WITH (fillfactor = 20);
INSERT INTO lanes (lane, n, envelope_count, bytes, open_bytes, used_at) SELECT lane, 0, 0, 0, 0, 0 FROM generate_series(0, 15) AS lane;

CREATE TABLE mailboxes (
  mailbox bigint PRIMARY KEY,
  last_seq bigint NOT NULL,
  bytes bigint NOT NULL,
  served_at bigint NOT NULL,
  envelope_count int NOT NULL,
  hidden_count int NOT NULL,
  first_day int NOT NULL,
  pub bytea NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE envelopes (
  mailbox bigint NOT NULL,
  seq bigint NOT NULL,
  received_at bigint NOT NULL,
  sent_at bigint NOT NULL,
  fee_ut bigint NOT NULL,
  received_day int NOT NULL,
  bytes int NOT NULL,
  room smallint,
  is_hidden boolean NOT NULL,
  is_authentic boolean NOT NULL,
  id text NOT NULL,
  party text NOT NULL,
  tag text NOT NULL,
  sender_pub bytea NOT NULL,
  sender_ed25519_pub bytea NOT NULL,
  fee_sig text,
  admit text,
  nonce bytea NOT NULL,
  ciphertext bytea NOT NULL,
  PRIMARY KEY (mailbox, seq, received_day),
  UNIQUE (mailbox, id, received_day)
) PARTITION BY RANGE (received_day);
ALTER TABLE envelopes ALTER COLUMN ciphertext SET STORAGE EXTERNAL;
CREATE INDEX envelopes_by_source ON envelopes (party, tag, room, received_at);
CREATE INDEX envelopes_read ON envelopes (received_at, mailbox, seq) WHERE room IS NULL;

CREATE TABLE deleted_envelopes (
  mailbox bigint NOT NULL,
  deleted_day int NOT NULL,
  id text NOT NULL,
  PRIMARY KEY (mailbox, id, deleted_day)
) PARTITION BY RANGE (deleted_day);

CREATE TABLE sources (
  party text NOT NULL,
  tag text NOT NULL,
  lane int NOT NULL,
  waiting_bytes bigint NOT NULL,
  open_bytes bigint NOT NULL,
  PRIMARY KEY (party, tag, lane)
) WITH (fillfactor = 70);

CREATE TABLE opened_boxes (
  mailbox bytea PRIMARY KEY,
  write_key text NOT NULL,
  read_rule text NOT NULL,
  until bigint NOT NULL,
  height bigint NOT NULL,
  signature text NOT NULL,
  held_until bigint NOT NULL,
  party text NOT NULL,
  is_foreign boolean NOT NULL
);
CREATE INDEX opened_boxes_by_time ON opened_boxes (held_until);
CREATE INDEX opened_boxes_by_party ON opened_boxes (party, held_until);

CREATE TABLE used_proofs (mac bigint PRIMARY KEY, unix_seconds bigint NOT NULL);
CREATE INDEX used_proofs_by_time ON used_proofs (unix_seconds);

CREATE TABLE limits (key text NOT NULL, period bigint NOT NULL, used bigint NOT NULL, PRIMARY KEY (key, period)) WITH (fillfactor = 50);

CREATE TABLE wake (
  lane int NOT NULL,
  n bigint NOT NULL,
  written_at bigint NOT NULL,
  pubs bytea[] NOT NULL,
  seqs bigint[] NOT NULL,
  PRIMARY KEY (lane, n)
);
CREATE INDEX wake_by_time ON wake (written_at);

CREATE TABLE outgoing (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, written_at bigint NOT NULL, kind text NOT NULL, body text NOT NULL);

CREATE TABLE feeds (node text PRIMARY KEY, envelopes bigint NOT NULL, deletions bigint NOT NULL);
`;

/**
 * What nodes refused of `outgoing`: it waits aside, so that what came later for a mailbox is not held up, and is tried again at times. `refused_at`
 * is when that was first, `due_at` when it is tried again; `error` is what the node said.
 */
const REFUSED = `
CREATE TABLE refused_notices (
  n bigint PRIMARY KEY,
  refused_at bigint NOT NULL,
  due_at bigint NOT NULL,
  tries int NOT NULL,
  status int NOT NULL,
  bytes int NOT NULL,
  mailbox text NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  error text NOT NULL
);
CREATE INDEX refused_by_time ON refused_notices (due_at);
CREATE INDEX refused_by_mailbox ON refused_notices (mailbox);
`;

/** Whom a notice is of, for the node's limits: programs of before neither write nor read it, and a node then counts the gateway itself. */
const CLIENTS = `
ALTER TABLE outgoing ADD COLUMN client text;
ALTER TABLE refused_notices ADD COLUMN client text;
`;

/** All steps. */
export const MAIL_MIGRATIONS: readonly Migration[] = [
  { version: 1, oldestProgram: 1, sql: MAILBOXES },
  // Programs of the first version leave these tables alone.
  { version: 2, oldestProgram: 1, sql: EXPLORER_TABLES },
  // Those of the second add blocks without the rest: the next one of this version sees it.
  { version: 3, oldestProgram: 1, sql: STATE_TABLES },
  // Those of the third drop what a node refuses, as they did.
  { version: 4, oldestProgram: 1, sql: REFUSED },
  { version: 5, oldestProgram: 1, sql: CLIENTS },
];
