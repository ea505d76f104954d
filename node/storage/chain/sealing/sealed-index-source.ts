// What segments say of the index, for runs that are made once more. Numbers of an account's entries are counted back from one that is known:
// that of a row, of which each account has its newest, or of the runs above.
import { touchedAccounts } from "#node/ledger/records/history.ts";
import { decode } from "#shared/codec/codec.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { receiptCodec } from "#shared/protocol/transactions/receipt.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { accountName } from "../../history/runs/account-run.ts";
import { idKey } from "../../history/runs/id-run.ts";
import type { IndexSource } from "../../history/sealing/index-segments.ts";
import type { NumberAbove } from "../../history/sealing/rebuild-runs.ts";
import { sealedHistory } from "../../history/sealing/sealed-history.ts";
import type { SealedBlock } from "../../history/segments/segment-block.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

const REWARD_POSITION = SEQ_PER_BLOCK - 1;

interface EntryRow {
  readonly number: number;
  readonly seq: number;
}

/** Reads segments through a connection. @throws CodedError STORAGE_CORRUPT, naming a segment that is damaged as well */
export function sealedIndexSource(database: SqliteDatabase, numberAbove: NumberAbove): IndexSource {
  const history = sealedHistory(database);
  const rowFrom = database.prepare<[string, number], EntryRow>(
    `SELECT number, seq FROM account_entries CROSS JOIN accounts USING (account_id)
    WHERE pub = unhex(?) AND seq >= ? ORDER BY number LIMIT 1`,
  );
  /** Blocks from one height up to another one; the lowest may have been dropped. */
  const blocksOf = function* (first: Height, last: Height): Generator<readonly [Height, SealedBlock], void> {
    const lowest = history.all()[0]?.first ?? last + 1;
    for (let height = Math.max(first, lowest); height <= last; height += 1) {
      const segment = history.at(height);
      assertInvariant(segment !== undefined, `Block ${height} is in a run and in no segment`);
      yield [height, segment.block(height)];
    }
  };
  /** Number of the entry at the first of some places of an account. */
  const firstNumber = (publicKey: string, seqs: readonly number[]): number => {
    const row = rowFrom.get(publicKey, seqs[0] ?? 0);
    const at = row === undefined ? -1 : seqs.indexOf(row.seq);
    if (row !== undefined && at >= 0) return row.number - at;
    const next = numberAbove(accountName(publicKey)) ?? row?.number;
    assertInvariant(next !== undefined, `Nothing says which number the entries of ${publicKey} have`);
    return next - seqs.length;
  };
  return {
    ids: function* (first, last): ReturnType<IndexSource["ids"]> & Generator {
      for (const [height, { records }] of blocksOf(first, last))
        for (const [position, { transaction }] of records.entries())
          yield { key: idKey(decodeTransaction(transaction).id), seq: height * SEQ_PER_BLOCK + position };
    },
    entries: function* (first, last): ReturnType<IndexSource["entries"]> & Generator {
      const places = new Map<string, number[]>();
      for (const [height, block] of blocksOf(first, last))
        for (const { publicKey, position } of entriesOf(block)) {
          const seqs = places.get(publicKey) ?? [];
          seqs.push(height * SEQ_PER_BLOCK + position);
          places.set(publicKey, seqs);
        }
      for (const [publicKey, seqs] of places) {
        const [name, from] = [Uint8Array.from(accountName(publicKey)), firstNumber(publicKey, seqs)];
        for (const [index, seq] of seqs.entries()) yield { name, number: from + index, seq };
      }
    },
  };
}

/** In whose history what of a block is listed, in the order of the chain. */
function* entriesOf({ records, reward }: SealedBlock): Generator<{ readonly publicKey: string; readonly position: number }, void> {
  for (const [position, { transaction, receipt }] of records.entries())
    for (const publicKey of touchedAccounts(decodeTransaction(transaction), decode(receiptCodec, receipt))) yield { publicKey, position };
  if (reward !== null) yield { publicKey: reward.to, position: REWARD_POSITION };
}
