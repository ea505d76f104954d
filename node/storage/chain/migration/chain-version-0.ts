// chain.db of version 0 → the current one. Version 0 had hashes and keys as text, the fields of every transaction in a table beside the encoded
// blocks, and the ids of the last hours in a table of their own.
import { CodedError } from "#shared/errors/coded-error.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { CHAIN_DATABASE, EVENT_INDEX, SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { joinBlock, joinReceipts, splitBlock, splitReceipts } from "../../history/records/block-parts.ts";
import { IdRepository } from "../../history/records/id-repository.ts";
import { encodedRecord, packGroups, recordId, recordsOf } from "../../history/records/record-groups.ts";
import { RecordRepository } from "../../history/records/record-repository.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import { TEXT_COPIES } from "./chain-version-1.ts";
import { GOES_ON, type Rewrite, type RewriteProgress } from "./rewrite-database.ts";

/** Of a file of version 0, the new one takes less than half; accounts and state are as large as before. */
const SHARE = 0.8;

/** Tables whose rows are the same. */
const SAME = ["meta", "validator_sets", "state", "undo", "account_entries", "type_totals", "chart_hours", "contract_events"] as const;

const COPIES = [
  `INSERT INTO blocks
    SELECT height, unhex(hash), unhex(parent_hash), unhex(state_root), time_ms, unhex(proposer), tx_count, total_fees_ut,
      SUM(tx_count) OVER (ORDER BY height)
    FROM old.blocks WHERE ${GOES_ON} ORDER BY height`,
  `INSERT INTO accounts SELECT account_id, unhex(pub) FROM old.accounts WHERE ${GOES_ON} ORDER BY account_id`,
  `INSERT INTO rewards
    SELECT b.height, a.account_id, t.amount_ut
    FROM old.blocks b JOIN old.transactions t ON t.seq = (b.height + 1) * ${SEQ_PER_BLOCK} - 1 JOIN old.accounts a ON a.pub = t.to_pub
    WHERE ${GOES_ON} ORDER BY b.height`,
  `INSERT INTO contact_pairs SELECT unhex(requester_pub), unhex(recipient_pub) FROM old.contact_pairs WHERE ${GOES_ON} ORDER BY 1, 2`,
  `INSERT INTO channels SELECT seq, unhex(channel_id), unhex(payer_pub), unhex(payee_pub), close_seq FROM old.channels
    WHERE ${GOES_ON} ORDER BY seq`,
  ...TEXT_COPIES,
  ...SAME.map((table) => `INSERT INTO ${table} SELECT * FROM old.${table} WHERE ${GOES_ON}`),
];

interface OldBody {
  readonly block: Uint8Array;
  readonly commit_record: Uint8Array | null;
  readonly receipts: Uint8Array;
}

/** The way from version 0. */
export const CHAIN_VERSION_0: Rewrite = {
  from: {
    applicationId: CHAIN_DATABASE.applicationId,
    initialSchema: "",
    migrations: [],
    additions: [{ table: "contract_events", sql: EVENT_INDEX }],
  },
  to: CHAIN_DATABASE,
  purpose: "for this version",
  share: SHARE,
  copy: (database, onProgress) => {
    for (const sql of COPIES) database.exec(sql);
    copyBodies(database, onProgress);
  },
};

function copyBodies(database: SqliteDatabase, onProgress: RewriteProgress): void {
  const [records, ids] = [new RecordRepository(database), new IdRepository(database)];
  const read = database.prepare<[number], OldBody>("SELECT block, commit_record, receipts FROM old.block_bodies WHERE height = ?");
  const insert = database.prepare<[number, Uint8Array, Uint8Array, Uint8Array | null]>(
    "INSERT INTO block_bodies (height, front, tail, commit_record) VALUES (?, ?, ?, ?)",
  );
  const blocks = database.prepare<[], number>("SELECT COUNT(*) FROM blocks").pluck().get() ?? 0;
  for (let height = 0; height < blocks; height += 1) {
    const body = read.get(height);
    if (body === undefined) throw damaged(database, height);
    const { front, tail, groups } = partsOf(database, height, body);
    insert.run(height, front, tail, body.commit_record);
    records.insert(height, groups);
    ids.insert(height, groups.flatMap(recordsOf).map(recordId));
    onProgress(height + 1, blocks);
  }
}

/** The parts of a body, which give the same bytes again. */
function partsOf(
  database: SqliteDatabase,
  height: number,
  { block, receipts }: OldBody,
): { readonly front: Uint8Array; readonly tail: Uint8Array; readonly groups: readonly Uint8Array[] } {
  try {
    const { front, tail, transactions } = splitBlock(block);
    const outcomes = splitReceipts(receipts);
    const groups = packGroups(transactions.map((transaction, at) => ({ transaction, receipt: outcomes[at] ?? new Uint8Array(0) })));
    const written = groups.flatMap(recordsOf).map(encodedRecord);
    const again = joinBlock(
      { front, tail },
      written.map(({ transaction }) => transaction),
    );
    const isSame = equalBytes(again, block) && equalBytes(joinReceipts(written.map(({ receipt }) => receipt)), receipts);
    if (isSame) return { front, tail, groups };
  } catch {
    // Bytes that are no block.
  }
  throw damaged(database, height);
}

function damaged({ name }: SqliteDatabase, height: number): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `Block ${height} of ${name.replace(/\.new$/, "")} is damaged: move the data folder away and start again; the node then fetches the chain from its peers`,
    { details: { height } },
  );
}
