// Schema of chain.db. Hashes and keys are hex text where lists read them (blob columns are slow to read); records of the state are blobs.
import type { DatabaseKind, Migration } from "./sqlite-database.ts";

/** Version of the persistent schema. Migrations to higher versions go into {@link CHAIN_MIGRATIONS}. */
export const SCHEMA_VERSION = 0;

/** Forward steps from version 0 on; the last one's version is {@link SCHEMA_VERSION}. */
export const CHAIN_MIGRATIONS: readonly Migration[] = [];

/** Positions in one block, as a power of two above the most transactions of a block: `seq` = height × this + position. */
export const SEQ_PER_BLOCK = 8_192;

const INITIAL_SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
  height INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  parent_hash TEXT NOT NULL,
  state_root TEXT NOT NULL,
  time_ms INTEGER NOT NULL,
  proposer TEXT NOT NULL,
  tx_count INTEGER NOT NULL,
  total_fees_ut INTEGER NOT NULL
) STRICT;

CREATE TABLE block_bodies (
  height INTEGER PRIMARY KEY,
  block BLOB NOT NULL,
  commit_record BLOB,
  receipts BLOB NOT NULL
) STRICT;

CREATE TABLE validator_sets (from_height INTEGER PRIMARY KEY, validators BLOB NOT NULL) STRICT;

CREATE TABLE state (
  namespace TEXT NOT NULL,
  key BLOB NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE tree_pages (prefix TEXT PRIMARY KEY, page BLOB NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE undo (height INTEGER PRIMARY KEY, records BLOB NOT NULL) STRICT;

CREATE TABLE seen_ids (
  slice INTEGER NOT NULL,
  id TEXT NOT NULL,
  time_ms INTEGER NOT NULL,
  PRIMARY KEY (slice, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE transactions (
  seq INTEGER PRIMARY KEY,
  id_key INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  from_pub TEXT NOT NULL,
  to_pub TEXT NOT NULL,
  amount_ut INTEGER NOT NULL,
  fee_ut INTEGER NOT NULL,
  timestamp TEXT NOT NULL,
  memo TEXT NOT NULL,
  is_ok INTEGER NOT NULL,
  code TEXT NOT NULL,
  gas_used INTEGER NOT NULL,
  payload TEXT NOT NULL,
  signature TEXT NOT NULL
) STRICT;
CREATE INDEX transactions_by_key ON transactions (id_key);

CREATE TABLE accounts (
  account_id INTEGER PRIMARY KEY,
  pub TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE account_entries (
  account_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (account_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE contact_pairs (
  requester_pub TEXT NOT NULL,
  recipient_pub TEXT NOT NULL,
  PRIMARY KEY (requester_pub, recipient_pub)
) STRICT, WITHOUT ROWID;

CREATE TABLE channels (
  seq INTEGER PRIMARY KEY,
  channel_id TEXT NOT NULL UNIQUE,
  payer_pub TEXT NOT NULL,
  payee_pub TEXT NOT NULL,
  close_seq INTEGER
) STRICT;
CREATE INDEX channels_by_payer ON channels (payer_pub);
CREATE INDEX channels_by_payee ON channels (payee_pub);

CREATE TABLE type_totals (type TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE proposer_totals (proposer TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE chart_hours (
  hour INTEGER PRIMARY KEY,
  blocks INTEGER NOT NULL,
  transactions INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  fees_ut INTEGER NOT NULL,
  gaps INTEGER NOT NULL,
  gap_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE contracts (
  contract_num INTEGER PRIMARY KEY,
  contract_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  height INTEGER NOT NULL
) STRICT;
CREATE INDEX contracts_by_name ON contracts (name, contract_num);

CREATE TABLE contract_logs (
  contract_num INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (contract_num, seq, line)
) STRICT, WITHOUT ROWID;
`;

/**
 * Events of contracts by what they are searched for. Lines outside of it, `is_indexed` 0, are read one by one: those of before, of programs
 * that do not know the table, and of transactions whose gas does not pay for entries.
 */
const EVENT_INDEX = `
CREATE TABLE contract_events (
  contract_num INTEGER NOT NULL,
  key INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (contract_num, key, seq, line)
) STRICT, WITHOUT ROWID;
ALTER TABLE contract_logs ADD COLUMN is_indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX contract_logs_unindexed ON contract_logs (contract_num, seq, line) WHERE is_indexed = 0;
`;

/** The chain database: "PRLC". */
export const CHAIN_DATABASE: DatabaseKind = {
  applicationId: 0x50_52_4c_43,
  initialSchema: INITIAL_SCHEMA,
  migrations: CHAIN_MIGRATIONS,
  additions: [{ table: "contract_events", sql: EVENT_INDEX }],
};
