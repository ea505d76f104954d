// What the blocks of a segment hold together that comes below all others: totals, hours of charts, and what each block has in tables.
import type { ListedType } from "#shared/protocol/transactions/transaction.ts";
import { type ChartBucket, hourOf, isGapCounted } from "../../explorer/chart-repository.ts";
import type { BlockBelow, BlockIndex, IndexBelow } from "../../explorer/explorer-writer.ts";

/** Adds blocks in ascending order. */
export class BelowTotals implements IndexBelow {
  readonly types = new Map<ListedType, number>();
  readonly proposers = new Map<string, number>();
  readonly blocks: BlockBelow[] = [];
  readonly #hours = new Map<number, ChartBucket>();
  /** Time of the block before the next one; undefined before genesis. */
  #timeMs: number | undefined;

  /** @param timeBelowMs time of the block below the first one */
  constructor(timeBelowMs: number | undefined) {
    this.#timeMs = timeBelowMs;
  }

  get hours(): Iterable<ChartBucket> {
    return this.#hours.values();
  }

  add({ height, types, proposer, reward, channels, totals }: BlockIndex, deployed: readonly string[]): void {
    for (const [type, count] of types) this.types.set(type, (this.types.get(type) ?? 0) + count);
    if (proposer !== undefined) this.proposers.set(proposer, (this.proposers.get(proposer) ?? 0) + 1);
    this.blocks.push({ height, reward, channels, deployed });
    const { timeMs, transactions, failed, feesUt } = totals;
    const hour = hourOf(timeMs);
    const gapMs = isGapCounted(height) && this.#timeMs !== undefined ? timeMs - this.#timeMs : undefined;
    this.#timeMs = timeMs;
    if (height === 0) return;
    const known = this.#hours.get(hour) ?? { hour, blocks: 0, transactions: 0, failed: 0, feesUt: 0, gaps: 0, gapMs: 0 };
    this.#hours.set(hour, {
      hour,
      blocks: known.blocks + 1,
      transactions: known.transactions + transactions,
      failed: known.failed + failed,
      feesUt: known.feesUt + feesUt,
      gaps: known.gaps + (gapMs === undefined ? 0 : 1),
      gapMs: known.gapMs + (gapMs ?? 0),
    });
  }
}
