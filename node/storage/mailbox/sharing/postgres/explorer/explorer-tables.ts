// Schema of the explorer in PostgreSQL. Keys, hashes and records are bytes; a place is the height of a block times 8,192 and the position in it.

/**
 * `explorer_feed` is one row: the blocks that are here, from `first` to `height`, and how they stand to the node's. Who adds a block moves it
 * on from its parent, so that each block counts once. `records_height` is the block after which `explorer_records` are what the state says.
 * Of the others, all but totals are only ever added to.
 */
export const EXPLORER_TABLES = `
CREATE TABLE explorer_feed (
  id int PRIMARY KEY CHECK (id = 1),
  first bigint,
  height bigint,
  hash bytea,
  records_height bigint,
  current_at timestamptz NOT NULL,
  has_conflict boolean NOT NULL
) WITH (fillfactor = 10);
INSERT INTO explorer_feed (id, current_at, has_conflict) VALUES (1, '-infinity', false);

CREATE TABLE explorer_blocks (
  height bigint PRIMARY KEY,
  time_ms bigint NOT NULL,
  total_fees_ut bigint NOT NULL,
  reward_ut bigint,
  tx_count int NOT NULL,
  hash bytea NOT NULL,
  parent_hash bytea NOT NULL,
  state_root bytea NOT NULL,
  proposer bytea NOT NULL,
  reward_to bytea
);
CREATE UNIQUE INDEX explorer_blocks_by_hash ON explorer_blocks (hash);

CREATE TABLE explorer_transactions (seq bigint PRIMARY KEY, id_key bigint NOT NULL, record bytea NOT NULL);
CREATE INDEX explorer_transactions_by_id ON explorer_transactions (id_key);

CREATE TABLE explorer_entries (account bytea NOT NULL, seq bigint NOT NULL, PRIMARY KEY (account, seq));

CREATE TABLE explorer_types (type text PRIMARY KEY, total bigint NOT NULL) WITH (fillfactor = 50);

CREATE TABLE explorer_hours (
  hour bigint PRIMARY KEY,
  blocks bigint NOT NULL,
  transactions bigint NOT NULL,
  failed bigint NOT NULL,
  fees_ut bigint NOT NULL,
  gaps bigint NOT NULL,
  gap_ms bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE explorer_records (namespace text NOT NULL, key bytea NOT NULL, value bytea NOT NULL, PRIMARY KEY (namespace, key))
  WITH (fillfactor = 70);
`;
