// SQL of the series for charts: what the blocks of every hour held, so that a chart never counts transactions. Derived from blocks.
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** What a block adds to its hour. */
export interface BlockTotals {
  readonly timeMs: number;
  readonly transactions: number;
  readonly failed: number;
  /** Fees and gas, of failed transactions too. */
  readonly feesUt: number;
}

/** Sums over the blocks of some hours, which count from 1970. */
export interface ChartBucket {
  /** First hour with blocks among those of the bucket. */
  readonly hour: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly failed: number;
  readonly feesUt: number;
  /** Blocks that follow another one than genesis, whose time says nothing, and the time that they took. */
  readonly gaps: number;
  readonly gapMs: number;
}

/** Hours of the first and of the newest block. */
export interface ChartRange {
  readonly firstHour: number;
  readonly lastHour: number;
}

const HOUR_MS = 3_600_000;
const FIRST_GAP_HEIGHT = 2;

/** Reads and writes the series. Genesis, which has no proposer, is not in it. */
export class ChartRepository {
  readonly #insert;
  readonly #subtract;
  readonly #removeEmpty;
  readonly #range;
  readonly #buckets;

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare<BlockTotals & { readonly height: Height; readonly hour: number }>(
      `INSERT INTO chart_hours (hour, blocks, transactions, failed, fees_ut, gaps, gap_ms)
      VALUES (@hour, 1, @transactions, @failed, @feesUt, @height >= ${FIRST_GAP_HEIGHT},
        CASE WHEN @height >= ${FIRST_GAP_HEIGHT} THEN @timeMs - (SELECT time_ms FROM blocks WHERE height = @height - 1) ELSE 0 END)
      ON CONFLICT DO UPDATE SET blocks = blocks + 1, transactions = transactions + excluded.transactions, failed = failed + excluded.failed,
        fees_ut = fees_ut + excluded.fees_ut, gaps = gaps + excluded.gaps, gap_ms = gap_ms + excluded.gap_ms`,
    );
    // The first block, which has no gap, goes only when all go: what its hour then holds does not matter.
    this.#subtract = database.prepare<[number]>(
      `UPDATE chart_hours AS kept SET blocks = kept.blocks - gone.blocks, transactions = kept.transactions - gone.transactions,
        failed = kept.failed - gone.failed, fees_ut = kept.fees_ut - gone.fees_ut, gaps = kept.gaps - gone.gaps, gap_ms = kept.gap_ms - gone.gap_ms
      FROM (
        SELECT b.time_ms / ${HOUR_MS} AS hour, COUNT(*) AS blocks, SUM(b.tx_count) AS transactions, SUM(b.total_fees_ut) AS fees_ut,
          SUM((SELECT COUNT(*) FROM transactions t
            WHERE t.seq >= b.height * ${SEQ_PER_BLOCK} AND t.seq < (b.height + 1) * ${SEQ_PER_BLOCK} AND t.is_ok = 0)) AS failed,
          COUNT(*) AS gaps, SUM(b.time_ms - p.time_ms) AS gap_ms
        FROM blocks b JOIN blocks p ON p.height = b.height - 1 WHERE b.height > ? GROUP BY b.time_ms / ${HOUR_MS}
      ) gone
      WHERE kept.hour = gone.hour`,
    );
    this.#removeEmpty = database.prepare<[]>("DELETE FROM chart_hours WHERE blocks = 0");
    this.#range = database.prepare<[], ChartRange>(
      `SELECT f.hour AS firstHour, l.hour AS lastHour
      FROM (SELECT MIN(hour) AS hour FROM chart_hours) f, (SELECT MAX(hour) AS hour FROM chart_hours) l WHERE f.hour IS NOT NULL`,
    );
    this.#buckets = database.prepare<{ readonly from: number; readonly hours: number }, ChartBucket>(
      `SELECT MIN(hour) AS hour, SUM(blocks) AS blocks, SUM(transactions) AS transactions, SUM(failed) AS failed, SUM(fees_ut) AS feesUt,
        SUM(gaps) AS gaps, SUM(gap_ms) AS gapMs
      FROM chart_hours WHERE hour >= @from GROUP BY hour / CAST(@hours AS INTEGER) ORDER BY 1`,
    );
  }

  /** Adds a block, whose parent is stored. */
  insert(height: Height, totals: BlockTotals): void {
    if (height > 0) this.#insert.run({ height, hour: Math.floor(totals.timeMs / HOUR_MS), ...totals });
  }

  /** Takes the blocks above a height out, before they are taken out of the list of blocks and of transactions. */
  removeAbove(height: Height): void {
    this.#subtract.run(height);
    this.#removeEmpty.run();
  }

  /** Undefined while there is only genesis. */
  range(): ChartRange | undefined {
    return this.#range.get();
  }

  /** Sums over runs of `hours` hours from an hour on, oldest first; runs without blocks are left out. */
  buckets(fromHour: number, hours: number): readonly ChartBucket[] {
    return this.#buckets.all({ from: fromHour, hours });
  }
}
