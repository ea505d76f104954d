// Entries of own accounts in blocks that are about to be dropped, with what proves them: block by block, so that each is read and hashed once,
// and what is in memory does not grow with their number.
import type { Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { AccountHistoryRepository } from "../../explorer/account-history-repository.ts";
import { packKept, provenRecords } from "../../history/records/kept-record.ts";
import { keptKey } from "../../history/records/kept-repository.ts";
import { readRecord, recordBytes } from "../../history/records/record-groups.ts";
import type { KeptEntry } from "../../history/sealing/drop-segments.ts";
import type { NamedSegment } from "../../history/segments/segment-file.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import { BlockRepository } from "../block-repository.ts";
import { sealedFacts } from "./sealed-facts.ts";

/** Places of an account that are read at once. */
const PLACES_AT_ONCE = 256;

/** Reads entries; those of an account from a number on, by which it is known what was kept before. */
export type KeptSource = (
  segment: Pick<NamedSegment, "first" | "last">,
  accounts: readonly string[],
  keptTo: (publicKey: string, first: number, last: number) => number,
) => Iterable<KeptEntry>;

/** An account's entries, the next one first. */
interface Cursor {
  readonly publicKey: string;
  next: number;
  seq: number;
  advance(): boolean;
}

/** Reads through a connection. */
export function keptSource(database: SqliteDatabase): KeptSource {
  const histories = new AccountHistoryRepository(database);
  const entriesOf = blockEntries(database);
  const open = (publicKey: string, { first, last }: Pick<NamedSegment, "first" | "last">, keptTo: Parameters<KeptSource>[2]): Cursor[] => {
    const slice = histories.between(publicKey, first * SEQ_PER_BLOCK, (last + 1) * SEQ_PER_BLOCK);
    const from = slice.first > slice.last ? slice.first : keptTo(publicKey, slice.first, slice.last) + 1;
    let places: readonly number[] = [];
    let at = -1;
    const cursor: Cursor = {
      publicKey,
      next: from - 1,
      seq: -1,
      advance: (): boolean => {
        cursor.next += 1;
        at += 1;
        if (cursor.next > slice.last) return false;
        if (at === places.length) {
          const wanted = { ...slice, first: cursor.next, last: Math.min(slice.last, cursor.next + PLACES_AT_ONCE - 1) };
          places = histories.places(wanted, "asc", PLACES_AT_ONCE);
          at = 0;
          const isWhole = places.length === wanted.last - wanted.first + 1;
          assertInvariant(isWhole, `The history of an own account lacks entries of the blocks ${first} to ${last}`);
        }
        cursor.seq = places[at] ?? -1;
        return true;
      },
    };
    return cursor.advance() ? [cursor] : [];
  };
  return function* (segment, accounts, keptTo) {
    const cursors = new Set(accounts.flatMap((publicKey) => open(publicKey, segment, keptTo)));
    while (cursors.size > 0) {
      const height = Math.min(...[...cursors].map(({ seq }) => heightOf(seq)));
      const entryOf = entriesOf(height);
      for (const cursor of cursors)
        while (cursors.has(cursor) && heightOf(cursor.seq) === height) {
          yield entryOf(cursor.publicKey, cursor.next, cursor.seq);
          if (!cursor.advance()) cursors.delete(cursor);
        }
    }
  };
}

/** Entries of one block. */
function blockEntries(database: SqliteDatabase): (height: Height) => (publicKey: string, number: number, seq: number) => KeptEntry {
  const blocks = new BlockRepository(database);
  const facts = sealedFacts(database);
  return (height) => {
    const header = blocks.header(height);
    assertInvariant(header !== undefined, `Block ${height} is in a segment, and has no header`);
    const common = { header, commit: blocks.commit(height) ?? null };
    const proven = provenRecords(blocks.encodedRecords(height));
    return (publicKey, number, seq) => {
      const entry = { publicKey, number, seq };
      const position = seq % SEQ_PER_BLOCK;
      if (position === SEQ_PER_BLOCK - 1) {
        const reward = facts(height)?.reward ?? null;
        return { ...entry, key: null, entry: packKept({ ...common, proven: null, reward }) };
      }
      const record = proven(position);
      const { id } = readRecord(recordBytes(record)).transaction;
      return { ...entry, key: keptKey(id), entry: packKept({ ...common, proven: record, reward: null }) };
    };
  };
}

function heightOf(seq: number): Height {
  return Math.floor(seq / SEQ_PER_BLOCK);
}
