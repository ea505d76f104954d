// A data folder as it was in version 1 of its schema: hex text in three tables, and lines of contracts beside the receipts that hold them.
import type Database from "better-sqlite3";
import type { ChainReaderConnection } from "#node/storage/chain/chain-reader.ts";
import { PAGE_PREFIX } from "#node/storage/chain/state-repository.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { writeOlder } from "./older-folder.ts";

/** Fills the tables of before from those of `now`; {@link withMessages} comes first. */
export const TEXT_COPIES = [
  `INSERT INTO tree_pages SELECT ${PAGE_PREFIX}, page FROM now.tree_pages`,
  "INSERT INTO proposer_totals SELECT lower(hex(proposer)), total FROM now.proposer_totals",
  "INSERT INTO contracts SELECT contract_num, lower(hex(contract_id)), name, version, height FROM now.contracts",
  `INSERT INTO contract_logs (contract_num, seq, line, message, is_indexed)
    SELECT contract_num, seq, line, message_of(seq, line), is_indexed FROM now.contract_logs`,
];

const OLD_TABLES = `
DROP TABLE tree_pages;
CREATE TABLE tree_pages (prefix TEXT PRIMARY KEY, page BLOB NOT NULL) STRICT, WITHOUT ROWID;
DROP TABLE proposer_totals;
CREATE TABLE proposer_totals (proposer TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;
DROP TABLE contracts;
CREATE TABLE contracts (contract_num INTEGER PRIMARY KEY, contract_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, version TEXT NOT NULL,
  height INTEGER NOT NULL) STRICT;
CREATE INDEX contracts_by_name ON contracts (name, contract_num);
DROP TABLE contract_logs;
CREATE TABLE contract_logs (contract_num INTEGER NOT NULL, seq INTEGER NOT NULL, line INTEGER NOT NULL, message TEXT NOT NULL,
  is_indexed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (contract_num, seq, line)) STRICT, WITHOUT ROWID;
CREATE INDEX contract_logs_unindexed ON contract_logs (contract_num, seq, line) WHERE is_indexed = 0;
`;

/** Gives SQL the text of a line. */
export function withMessages(database: Database.Database, { blocks }: Pick<ChainReaderConnection, "blocks">): void {
  database.function("message_of", (seq, line) => {
    const [height, position] = [Math.floor(Number(seq) / SEQ_PER_BLOCK), Number(seq) % SEQ_PER_BLOCK];
    return blocks.get(height)?.receipts[position]?.logs[Number(line)]?.message ?? "";
  });
}

/** Writes the chain of a folder that no node uses in the tables of version 1. */
export function writeVersion1(directory: string): void {
  writeOlder(directory, {
    ...{ version: 1, isCopied: true },
    fill: (old, chain) => {
      withMessages(old, chain);
      old.exec(OLD_TABLES);
      for (const sql of TEXT_COPIES) old.exec(sql);
    },
  });
}
