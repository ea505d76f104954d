// Reads of the explorer, each one statement: what it gives is of one moment, with how the blocks stood to the node's then.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { SEQ_PER_BLOCK } from "../../../../chain-schema.ts";
import type { BlockSummary } from "../../../../explorer/block-summary.ts";
import type { ChartBucket, ChartRange } from "../../../../explorer/chart-repository.ts";
import type { BlockWindow } from "../../../../explorer/explorer-repository.ts";
import { REWARD_POSITION } from "../../../../explorer/explorer-writer.ts";
import { textKey } from "../../../../explorer/text-key.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { type Statement, statement } from "../statement-batch.ts";
import { beside, type ExplorerState, type Found, readBeside, STATE, type StateRow, stateOf } from "./beside.ts";

/** A block without its transactions, with its reward. */
export interface BlockRow extends BlockSummary {
  readonly rewardTo: string | null;
  readonly rewardUt: number | null;
}

/** A transaction with its receipt, or the reward of a block, and what is shown of that block. */
export interface EntryRow extends Pick<BlockRow, "hash" | "timeMs" | "rewardTo" | "rewardUt"> {
  readonly seq: number;
  /** Null for a reward. */
  readonly record: Buffer | null;
}

/** What hours of a chart held together, beside the range of all. */
export interface HoursRow extends ChartBucket, ChartRange {}

/** The newest block, and sums over all and over the newest ones. */
export interface TotalsRow extends BlockRow, BlockWindow {
  readonly types: Readonly<Record<string, number>>;
}

/** Entries of an account: those of places from one on and below another one. */
export interface EntryRange {
  readonly account: string;
  readonly fromSeq: number;
  readonly belowSeq: number;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

const BLOCK = `b.height, encode(b.hash, 'hex') AS hash, encode(b.parent_hash, 'hex') AS "parentHash", encode(b.state_root, 'hex') AS "stateRoot",
  b.time_ms AS "timeMs", encode(b.proposer, 'hex') AS proposer, b.tx_count AS "txCount", b.total_fees_ut AS "totalFeesUt",
  encode(b.reward_to, 'hex') AS "rewardTo", b.reward_ut AS "rewardUt"`;
const ENTRY = `t.seq, t.record, encode(b.hash, 'hex') AS hash, b.time_ms AS "timeMs", encode(b.reward_to, 'hex') AS "rewardTo",
  b.reward_ut AS "rewardUt"`;

const READ_STATE = statement("read_explorer", `SELECT ${STATE} FROM explorer_feed f`);
const LIST_BLOCKS = beside("list_blocks", `SELECT ${BLOCK} FROM explorer_blocks b WHERE b.height < $1 ORDER BY b.height DESC LIMIT $2`, {
  order: "r.height DESC",
});
const RECORDS_OF_BLOCK = `coalesce((SELECT array_agg(t.record ORDER BY t.seq) FROM explorer_transactions t
  WHERE t.seq >= b.height * ${SEQ_PER_BLOCK} AND t.seq < (b.height + 1) * ${SEQ_PER_BLOCK}), '{}') AS records`;
const BLOCK_AT = beside("block_at", `SELECT ${BLOCK}, ${RECORDS_OF_BLOCK} FROM explorer_blocks b WHERE b.height = $1`, { order: "1" });
const BLOCK_OF_HASH = beside(
  "block_of_hash",
  `SELECT ${BLOCK}, ${RECORDS_OF_BLOCK} FROM explorer_blocks b WHERE b.hash = decode($1, 'hex')`,
  { order: "1" },
);
const REWARD_OF = beside("reward_of", `SELECT ${BLOCK} FROM explorer_blocks b WHERE b.height = $1`, { order: "1" });
const NEWEST = beside(
  "newest_transactions",
  `SELECT ${ENTRY} FROM (SELECT seq, record FROM explorer_transactions ORDER BY seq DESC LIMIT $1) t
    JOIN explorer_blocks b ON b.height = t.seq / ${SEQ_PER_BLOCK}`,
  { order: "r.seq DESC" },
);
const OF_ID = beside(
  "transactions_of_id",
  `SELECT ${ENTRY} FROM explorer_transactions t JOIN explorer_blocks b ON b.height = t.seq / ${SEQ_PER_BLOCK} WHERE t.id_key = $1`,
  { order: "r.seq DESC" },
);
const entriesIn = (order: "ASC" | "DESC"): Statement =>
  beside(
    `account_entries_${order.toLowerCase()}`,
    `SELECT ${ENTRY.replace("t.seq", "e.seq")} FROM (
        SELECT seq FROM explorer_entries WHERE account = decode($1, 'hex') AND seq >= $2 AND seq < $3 ORDER BY seq ${order} LIMIT $4 OFFSET $5
      ) e LEFT JOIN explorer_transactions t ON t.seq = e.seq JOIN explorer_blocks b ON b.height = e.seq / ${SEQ_PER_BLOCK}`,
    { order: `r.seq ${order}`, records: "namespace = 'account' AND key = decode($1, 'hex')" },
  );
const ENTRIES = { asc: entriesIn("ASC"), desc: entriesIn("DESC") };
const TOTALS = beside(
  "explorer_totals",
  `SELECT ${BLOCK}, (SELECT coalesce(json_object_agg(type, total), '{}') FROM explorer_types) AS types, w.* FROM explorer_blocks b, (
      SELECT count(*) AS blocks, coalesce(sum(tx_count), 0)::bigint AS transactions, coalesce(min(time_ms), 0) AS "firstTimeMs",
        coalesce(max(time_ms), 0) AS "lastTimeMs"
      FROM (SELECT tx_count, time_ms FROM explorer_blocks WHERE height > 0 ORDER BY height DESC LIMIT $1) newest
    ) w WHERE b.height = f.height`,
  { order: "1", records: "namespace IN ('supply', 'validators')" },
);
const HOURS = beside(
  "chart_hours",
  `SELECT min(hour) AS hour, sum(blocks)::bigint AS blocks, sum(transactions)::bigint AS transactions, sum(failed)::bigint AS failed,
      sum(fees_ut)::bigint AS "feesUt", sum(gaps)::bigint AS gaps, sum(gap_ms)::bigint AS "gapMs", min(first) AS "firstHour",
      min(last) AS "lastHour"
    FROM explorer_hours, (SELECT min(hour) AS first, max(hour) AS last FROM explorer_hours) ends
    WHERE hour >= (last / $1::bigint - $2::bigint + 1) * $1::bigint GROUP BY hour / $1::bigint`,
  { order: "r.hour" },
);

/** A block with the records of its transactions, in order. */
export interface WholeBlockRow extends BlockRow {
  readonly records: readonly Buffer[];
}

/** The explorer of a database. */
export class ExplorerReads {
  readonly #database: Pick<PostgresDatabase, "run">;

  constructor(database: Pick<PostgresDatabase, "run">) {
    this.#database = database;
  }

  /** Undefined while it is empty. */
  async state(): Promise<ExplorerState | undefined> {
    return stateOf((await this.#database.run<StateRow>(READ_STATE))[0]);
  }

  /** Newest first. */
  blocks(belowHeight: Height, limit: number): Promise<Found<BlockRow>> {
    return this.#read(LIST_BLOCKS, [belowHeight, limit], "height");
  }

  block(height: Height): Promise<Found<WholeBlockRow>> {
    return this.#read(BLOCK_AT, [height], "height");
  }

  blockOfHash(hash: HashHex): Promise<Found<WholeBlockRow>> {
    return this.#read(BLOCK_OF_HASH, [hash], "height");
  }

  /** Newest first. */
  newest(limit: number): Promise<Found<EntryRow>> {
    return this.#read(NEWEST, [limit], "seq");
  }

  /** Transactions that have an id, and others that share its key, newest first. */
  ofId(id: string): Promise<Found<EntryRow>> {
    return this.#read(OF_ID, [textKey(id)], "seq");
  }

  /** The reward of a block, where it had one. */
  async reward(height: Height): Promise<Found<EntryRow>> {
    const { state, rows, records } = await this.#read<BlockRow>(REWARD_OF, [height], "height");
    const entries = rows.flatMap((row) =>
      row.rewardTo === null ? [] : [{ ...row, seq: height * SEQ_PER_BLOCK + REWARD_POSITION, record: null }],
    );
    return { state, rows: entries, records };
  }

  /** With the record of the account. */
  entries({ account, fromSeq, belowSeq, order, limit, offset }: EntryRange): Promise<Found<EntryRow>> {
    return this.#read(ENTRIES[order], [account, fromSeq, belowSeq, limit, offset], "seq");
  }

  /** With the records of the supply and of the validators. */
  totals(windowBlocks: number): Promise<Found<TotalsRow>> {
    return this.#read(TOTALS, [windowBlocks], "blocks");
  }

  /** The newest runs of so many hours, oldest first; those without blocks are left out. */
  hours(hours: number, limit: number): Promise<Found<HoursRow>> {
    return this.#read(HOURS, [hours, limit], "hour");
  }

  /** `always` is a column that each row has a value in. */
  async #read<Row extends object>(query: Statement, values: readonly unknown[], always: keyof Row): Promise<Found<Row>> {
    return await readBeside<Row>(this.#database, query, { values, always });
  }
}
