// Makes the chain of a data folder one of an older schema: a database is filled from the current one, and takes its place.
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { type ChainReaderConnection, openChainReader } from "#node/storage/chain/chain-reader.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";

/** An older schema. */
export interface OlderSchema {
  readonly version: number;
  /** Its database begins as a copy of the current one, and not as an empty one. */
  readonly isCopied: boolean;
  /** Fills the database; the current one is attached to it as `now`. */
  fill(old: Database.Database, chain: ChainReaderConnection): void;
}

/** Writes the chain of a folder that no node uses in the tables of an older version. */
export function writeOlder(directory: string, { version, isCopied, fill }: OlderSchema): void {
  const file = join(directory, CHAIN_FILE);
  const older = `${file}.older`;
  if (isCopied) copyTo(file, older);
  const chain = openChainReader(directory);
  const old = new Database(older);
  try {
    old.prepare("ATTACH ? AS now").run(file);
    fill(old, chain);
    old.pragma("journal_mode = WAL");
    old.pragma(`application_id = ${CHAIN_DATABASE.applicationId}`);
    old.pragma(`user_version = ${version}`);
  } finally {
    old.close();
    chain.close();
  }
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  renameSync(older, file);
}

function copyTo(file: string, copy: string): void {
  const whole = new Database(file);
  try {
    whole.prepare("VACUUM INTO ?").run(copy);
  } finally {
    whole.close();
  }
}
