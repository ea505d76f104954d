// Entries of own accounts in blocks that are about to be dropped, with what proves them.
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { AccountHistoryRepository } from "../../explorer/account-history-repository.ts";
import { packKept, provenRecord } from "../../history/records/kept-record.ts";
import { keptKey } from "../../history/records/kept-repository.ts";
import { readRecord, recordBytes } from "../../history/records/record-groups.ts";
import type { DropTables, KeptEntry } from "../../history/sealing/drop-segments.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import { BlockRepository } from "../block-repository.ts";
import { sealedFacts } from "./sealed-facts.ts";

/** Reads the entries of accounts through a connection. */
export function keptSource(database: SqliteDatabase, accounts: readonly string[]): DropTables["kept"] {
  const histories = new AccountHistoryRepository(database);
  const blocks = new BlockRepository(database);
  const facts = sealedFacts(database);
  const entryOf = (publicKey: string, number: number, seq: number): KeptEntry => {
    const height = Math.floor(seq / SEQ_PER_BLOCK);
    const position = seq % SEQ_PER_BLOCK;
    const header = blocks.header(height);
    assertInvariant(header !== undefined, `Block ${height} is in a segment, and has no header`);
    const common = { header, commit: blocks.commit(height) ?? null };
    const entry = { publicKey, number, seq };
    if (position === SEQ_PER_BLOCK - 1) {
      const reward = facts(height)?.reward ?? null;
      return { ...entry, key: null, entry: packKept({ ...common, proven: null, reward }) };
    }
    const proven = provenRecord(blocks.encodedRecords(height), position);
    const { id } = readRecord(recordBytes(proven)).transaction;
    return { ...entry, key: keptKey(id), entry: packKept({ ...common, proven, reward: null }) };
  };
  return ({ first, last }) =>
    accounts.flatMap((publicKey) => {
      const slice = histories.between(publicKey, first * SEQ_PER_BLOCK, (last + 1) * SEQ_PER_BLOCK);
      const places = histories.places(slice, "asc", Number.MAX_SAFE_INTEGER);
      const length = Math.max(0, slice.last - slice.first + 1);
      assertInvariant(places.length === length, `The history of an own account lacks entries of the blocks ${first} to ${last}`);
      return places.map((seq, at) => entryOf(publicKey, slice.first + at, seq));
    });
}
