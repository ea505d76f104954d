// A data folder as it was before the first change of its schema: the same chain in the tables of version 0.
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import type { ChainReaderConnection } from "#node/storage/chain/chain-reader.ts";
import { EVENT_INDEX, SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import type { TransactionDetail } from "#node/storage/explorer/indexed-record.ts";
import { textKey } from "#node/storage/explorer/text-key.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { writeOlder } from "./older-folder.ts";
import { TEXT_COPIES, withMessages } from "./version-1.ts";

const SLICE_MS = 600_000;

const SCHEMA_0 = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE blocks (height INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, parent_hash TEXT NOT NULL, state_root TEXT NOT NULL,
  time_ms INTEGER NOT NULL, proposer TEXT NOT NULL, tx_count INTEGER NOT NULL, total_fees_ut INTEGER NOT NULL) STRICT;
CREATE TABLE block_bodies (height INTEGER PRIMARY KEY, block BLOB NOT NULL, commit_record BLOB, receipts BLOB NOT NULL) STRICT;
CREATE TABLE validator_sets (from_height INTEGER PRIMARY KEY, validators BLOB NOT NULL) STRICT;
CREATE TABLE state (namespace TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (namespace, key)) STRICT, WITHOUT ROWID;
CREATE TABLE tree_pages (prefix TEXT PRIMARY KEY, page BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE undo (height INTEGER PRIMARY KEY, records BLOB NOT NULL) STRICT;
CREATE TABLE seen_ids (slice INTEGER NOT NULL, id TEXT NOT NULL, time_ms INTEGER NOT NULL, PRIMARY KEY (slice, id)) STRICT, WITHOUT ROWID;
CREATE TABLE transactions (seq INTEGER PRIMARY KEY, id_key INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, from_pub TEXT NOT NULL,
  to_pub TEXT NOT NULL, amount_ut INTEGER NOT NULL, fee_ut INTEGER NOT NULL, timestamp TEXT NOT NULL, memo TEXT NOT NULL,
  is_ok INTEGER NOT NULL, code TEXT NOT NULL, gas_used INTEGER NOT NULL, payload TEXT NOT NULL, signature TEXT NOT NULL) STRICT;
CREATE INDEX transactions_by_key ON transactions (id_key);
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, pub TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE account_entries (account_id INTEGER NOT NULL, number INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (account_id, number)) STRICT, WITHOUT ROWID;
CREATE TABLE contact_pairs (requester_pub TEXT NOT NULL, recipient_pub TEXT NOT NULL,
  PRIMARY KEY (requester_pub, recipient_pub)) STRICT, WITHOUT ROWID;
CREATE TABLE channels (seq INTEGER PRIMARY KEY, channel_id TEXT NOT NULL UNIQUE, payer_pub TEXT NOT NULL, payee_pub TEXT NOT NULL,
  close_seq INTEGER) STRICT;
CREATE INDEX channels_by_payer ON channels (payer_pub);
CREATE INDEX channels_by_payee ON channels (payee_pub);
CREATE TABLE type_totals (type TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE proposer_totals (proposer TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE chart_hours (hour INTEGER PRIMARY KEY, blocks INTEGER NOT NULL, transactions INTEGER NOT NULL, failed INTEGER NOT NULL,
  fees_ut INTEGER NOT NULL, gaps INTEGER NOT NULL, gap_ms INTEGER NOT NULL) STRICT;
CREATE TABLE contracts (contract_num INTEGER PRIMARY KEY, contract_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, version TEXT NOT NULL,
  height INTEGER NOT NULL) STRICT;
CREATE INDEX contracts_by_name ON contracts (name, contract_num);
CREATE TABLE contract_logs (contract_num INTEGER NOT NULL, seq INTEGER NOT NULL, line INTEGER NOT NULL, message TEXT NOT NULL,
  PRIMARY KEY (contract_num, seq, line)) STRICT, WITHOUT ROWID;
${EVENT_INDEX}`;

const COPIES = [
  `INSERT INTO blocks SELECT height, lower(hex(hash)), lower(hex(parent_hash)), lower(hex(state_root)), time_ms, lower(hex(proposer)),
    tx_count, total_fees_ut FROM now.blocks`,
  "INSERT INTO accounts SELECT account_id, lower(hex(pub)) FROM now.accounts",
  "INSERT INTO contact_pairs SELECT lower(hex(requester)), lower(hex(recipient)) FROM now.contact_pairs",
  "INSERT INTO channels SELECT seq, lower(hex(channel_id)), lower(hex(payer)), lower(hex(payee)), close_seq FROM now.channels",
  ...TEXT_COPIES,
  ...["meta", "validator_sets", "state", "undo", "account_entries", "type_totals", "chart_hours", "contract_events"].map(
    (table) => `INSERT INTO ${table} SELECT * FROM now.${table}`,
  ),
];

/** Writes the chain of a folder that no node uses in the tables of version 0. */
export function writeVersion0(directory: string): void {
  writeOlder(directory, {
    ...{ version: 0, isCopied: false },
    fill: (old, chain) => {
      old.exec(SCHEMA_0);
      withMessages(old, chain);
      for (const sql of COPIES) old.exec(sql);
      old.transaction(() => writeBodies(old, chain))();
    },
  });
}

/** Version of the schema of a folder's chain. */
export function schemaVersion(directory: string): unknown {
  const database = new Database(join(directory, CHAIN_FILE), { readonly: true });
  try {
    return database.pragma("user_version", { simple: true });
  } finally {
    database.close();
  }
}

/** Files beside a chain that a rewriting leaves only when it is killed. */
export function hasUnfinished(directory: string): boolean {
  return existsSync(join(directory, `${CHAIN_FILE}.new`));
}

function writeBodies(old: Database.Database, { blocks, explorer }: ChainReaderConnection): void {
  const insertBody = old.prepare("INSERT INTO block_bodies VALUES (?, ?, ?, ?)");
  const insertSeen = old.prepare("INSERT INTO seen_ids VALUES (?, ?, ?)");
  const insert = old.prepare(`INSERT INTO transactions VALUES (${Array.from({ length: 15 }, () => "?").join(", ")})`);
  const write = (seq: number, tx: TransactionDetail): void => {
    const { id, type, from, to, amountUt, feeUt, gasUsed, timestamp, memo, isOk, code, payload, signature } = tx;
    const amounts = [amountUt, feeUt - gasPriceUt(gasUsed)];
    insert.run(seq, textKey(id), id, type, from, to, ...amounts, timestamp, memo, isOk ? 1 : 0, code, gasUsed, payload, signature);
  };
  for (let height = 0; height <= (blocks.tipHeight() ?? -1); height += 1) {
    insertBody.run(height, blocks.encodedBlock(height), blocks.encodedCommit(height) ?? null, blocks.encodedReceipts(height));
    const timeMs = blocks.summary(height)?.timeMs ?? 0;
    for (const [position, { id }] of explorer.transactionsOf(height).entries()) {
      const tx = explorer.transaction(id);
      if (tx !== undefined) write(height * SEQ_PER_BLOCK + position, tx);
      insertSeen.run(Math.floor(timeMs / SLICE_MS), id, timeMs);
    }
    const reward = explorer.transaction(rewardId(height));
    if (reward !== undefined) write((height + 1) * SEQ_PER_BLOCK - 1, reward);
  }
}
