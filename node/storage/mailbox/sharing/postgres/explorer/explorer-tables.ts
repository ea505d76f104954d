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

/**
 * `explorer_records` become a copy of the state, as far as `state_position` says. What older programs add lacks the rest of a block:
 * `rest_height` is the last one that has it, and lines of calls are here from `logs_first` on. `contracts_height` is the block after which
 * the list of contracts is whole, in the order of their deployment. Texts are bytes, as they may hold any character.
 */
export const STATE_TABLES = `
ALTER TABLE explorer_feed ADD COLUMN rest_height bigint, ADD COLUMN logs_first bigint, ADD COLUMN state_position text,
  ADD COLUMN contracts_height bigint, ADD COLUMN rules_version int;

CREATE TABLE explorer_contracts (
  num bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  height bigint NOT NULL,
  id bytea NOT NULL UNIQUE,
  name bytea NOT NULL,
  version bytea NOT NULL
);
CREATE INDEX explorer_contracts_by_name ON explorer_contracts (name, num);

CREATE TABLE explorer_logs (
  seq bigint NOT NULL,
  line int NOT NULL,
  is_indexed boolean NOT NULL,
  contract bytea NOT NULL,
  message bytea NOT NULL,
  PRIMARY KEY (contract, seq, line)
);
CREATE INDEX explorer_logs_unindexed ON explorer_logs (contract, seq, line) WHERE NOT is_indexed;

CREATE TABLE explorer_events (key bigint NOT NULL, seq bigint NOT NULL, line int NOT NULL, contract bytea NOT NULL,
  PRIMARY KEY (contract, key, seq, line));
`;
