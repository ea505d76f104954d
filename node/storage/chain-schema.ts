// Schema of chain.db. Hashes, keys and records are blobs; lists read those as hex that the database makes of them.
import type { DatabaseKind } from "./sqlite-database.ts";

/** Version of the persistent schema. Older files are brought to it when their node starts: see `chain/migration/`. */
export const SCHEMA_VERSION = 2;

/** Positions in one block, as a power of two above the most transactions of a block: `seq` = height × this + position. */
export const SEQ_PER_BLOCK = 8_192;

const INITIAL_SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
  height INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  parent_hash BLOB NOT NULL,
  state_root BLOB NOT NULL,
  time_ms INTEGER NOT NULL,
  proposer BLOB NOT NULL,
  tx_count INTEGER NOT NULL,
  total_fees_ut INTEGER NOT NULL,
  -- Transactions of the chain up to this block, its own included.
  total_txs INTEGER NOT NULL
) STRICT;
CREATE INDEX blocks_by_hash ON blocks (substr(hash, 1, 6));

-- A block but for its transactions: what is encoded before and behind them.
CREATE TABLE block_bodies (
  height INTEGER PRIMARY KEY,
  front BLOB NOT NULL,
  tail BLOB NOT NULL,
  commit_record BLOB
) STRICT;

-- Transactions with their receipts, in groups: seq is that of the first one.
CREATE TABLE block_records (seq INTEGER PRIMARY KEY, records BLOB NOT NULL) STRICT;

CREATE TABLE validator_sets (from_height INTEGER PRIMARY KEY, validators BLOB NOT NULL) STRICT;

CREATE TABLE state (
  namespace TEXT NOT NULL,
  key BLOB NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;

-- prefix: two hex digits a byte, and a byte that says whether half of the one before it is none (chain/state-repository.ts).
CREATE TABLE tree_pages (prefix BLOB PRIMARY KEY, page BLOB NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE undo (height INTEGER PRIMARY KEY, records BLOB NOT NULL) STRICT;

-- 16 bytes of SHA-256 of ids. A part is named by the height of its first block.
CREATE TABLE ids (
  part INTEGER NOT NULL,
  key BLOB NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (part, key, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE rewards (
  height INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  amount_ut INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
  account_id INTEGER PRIMARY KEY,
  pub BLOB NOT NULL UNIQUE
) STRICT;

CREATE TABLE account_entries (
  account_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (account_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE contact_pairs (
  requester BLOB NOT NULL,
  recipient BLOB NOT NULL,
  PRIMARY KEY (requester, recipient)
) STRICT, WITHOUT ROWID;

CREATE TABLE channels (
  seq INTEGER PRIMARY KEY,
  channel_id BLOB NOT NULL UNIQUE,
  payer BLOB NOT NULL,
  payee BLOB NOT NULL,
  close_seq INTEGER
) STRICT;
CREATE INDEX channels_by_payer ON channels (payer);
CREATE INDEX channels_by_payee ON channels (payee);

CREATE TABLE type_totals (type TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE proposer_totals (proposer BLOB PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;

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
  contract_id BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  height INTEGER NOT NULL
) STRICT;
CREATE INDEX contracts_by_name ON contracts (name, contract_num);

-- What the lines say is in the receipts of their transactions.
CREATE TABLE contract_logs (
  contract_num INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (contract_num, seq, line)
) STRICT, WITHOUT ROWID;
`;

/**
 * Events of contracts by what they are searched for. Lines outside of it, `is_indexed` 0, are read one by one: those of before, of programs
 * that do not know the table, and of transactions whose gas does not pay for entries.
 */
export const EVENT_INDEX = `
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

/** Files of old blocks: only what is named here exists. The first files of version 1 were made without it. */
const SEGMENTS = `
CREATE TABLE IF NOT EXISTS segments (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 BLOB NOT NULL
) STRICT;
`;

/** Headers, and commits where they are kept, of blocks whose transactions are not here. */
const HEADERS = `
CREATE TABLE IF NOT EXISTS headers (
  height INTEGER PRIMARY KEY,
  header BLOB NOT NULL,
  commit_record BLOB
) STRICT;
`;

/** Entries of own accounts in blocks that were dropped, each with what proves it; `id_key` is null for a reward. */
const KEPT = `
CREATE TABLE IF NOT EXISTS kept (
  pub BLOB NOT NULL,
  number INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id_key BLOB,
  entry BLOB NOT NULL,
  PRIMARY KEY (pub, number)
) STRICT;
CREATE INDEX IF NOT EXISTS kept_by_seq ON kept (seq);
CREATE INDEX IF NOT EXISTS kept_by_id ON kept (id_key) WHERE id_key IS NOT NULL;
`;

/**
 * Accounts that programs of the node's user named, each with the first block whose entries stay, and the numbers of kept entries between
 * which none is missing.
 */
const OWN = `
CREATE TABLE IF NOT EXISTS own (
  pub BLOB PRIMARY KEY,
  from_height INTEGER NOT NULL,
  from_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
const KEPT_RANGES = `
CREATE TABLE IF NOT EXISTS kept_ranges (
  pub BLOB PRIMARY KEY,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO kept_ranges SELECT pub, (
    SELECT MAX(number) FROM kept AS k WHERE k.pub = all_kept.pub
      AND NOT EXISTS (SELECT 1 FROM kept AS before WHERE before.pub = k.pub AND before.number = k.number - 1)
  ), MAX(number) FROM kept AS all_kept GROUP BY pub ON CONFLICT DO NOTHING;
`;

/** Files that find what is in the segments. A later one has a higher number. */
const RUNS = `
CREATE TABLE IF NOT EXISTS runs (
  run_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  level INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 BLOB NOT NULL
) STRICT;
`;

/** The chain database: "PRLC". */
export const CHAIN_DATABASE: DatabaseKind = {
  applicationId: 0x50_52_4c_43,
  initialVersion: SCHEMA_VERSION,
  initialSchema: INITIAL_SCHEMA + SEGMENTS + HEADERS + RUNS + KEPT + OWN + KEPT_RANGES,
  migrations: [],
  additions: [
    { table: "contract_events", sql: EVENT_INDEX },
    { table: "segments", sql: SEGMENTS },
    { table: "headers", sql: HEADERS },
    { table: "runs", sql: RUNS },
    { table: "kept", sql: KEPT },
    { table: "own", sql: OWN },
    { table: "kept_ranges", sql: KEPT_RANGES },
  ],
};
