// SQL of the series for charts: what the blocks of every hour held, so that a chart never counts transactions. Derived from blocks.
import type { Height } from "#shared/protocol/chain/header.ts";
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

/** The hour of a time. */
export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS);
}

/** True for a block whose distance to the one before counts. */
export function isGapCounted(height: Height): boolean {
  return height >= FIRST_GAP_HEIGHT;
}

/** Reads and writes the series. Genesis, which has no proposer, is not in it. */
export class ChartRepository {
  readonly #insert;
  readonly #add;
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
    this.#add = database.prepare<ChartBucket>(
      `INSERT INTO chart_hours (hour, blocks, transactions, failed, fees_ut, gaps, gap_ms)
      VALUES (@hour, @blocks, @transactions, @failed, @feesUt, @gaps, @gapMs)
      ON CONFLICT DO UPDATE SET blocks = blocks + excluded.blocks, transactions = transactions + excluded.transactions,
        failed = failed + excluded.failed, fees_ut = fees_ut + excluded.fees_ut, gaps = gaps + excluded.gaps, gap_ms = gap_ms + excluded.gap_ms`,
    );
    // The first block, which has no gap, goes only when all go: what its hour then holds does not matter.
    this.#subtract = database.prepare<{ readonly height: Height; readonly failed: number }>(
      `UPDATE chart_hours SET blocks = blocks - 1, transactions = transactions - gone.tx_count, failed = failed - @failed,
        fees_ut = fees_ut - gone.total_fees_ut, gaps = gaps - 1, gap_ms = gap_ms - (gone.time_ms - gone.before_ms)
      FROM (
        SELECT b.time_ms, b.tx_count, b.total_fees_ut, p.time_ms AS before_ms
        FROM blocks b JOIN blocks p ON p.height = b.height - 1 WHERE b.height = @height
      ) gone
      WHERE hour = gone.time_ms / ${HOUR_MS}`,
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
    if (height > 0) this.#insert.run({ height, hour: hourOf(totals.timeMs), ...totals });
  }

  /** Adds what further blocks of an hour hold. */
  add(hour: ChartBucket): void {
    this.#add.run(hour);
  }

  /** Takes a block with so many failed transactions out, before it is taken out of the list of blocks. */
  remove(height: Height, failed: number): void {
    this.#subtract.run({ height, failed });
  }

  /** Removes the hours of which no block is left. */
  removeEmpty(): void {
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
