// What a generated chain consists of: one treasury funds every account, then accounts pay each other at random.
// The last blocks are small, as on a network at rest; those before are full, so that many transactions fit into few blocks.
import { createRandom } from "../../support/host/random.ts";

/** Size of a generated chain. */
export interface ChainRecipe {
  readonly transactions: number;
  readonly accounts: number;
}

/** Transfers of one block, by the numbers of their accounts. */
export interface BlockPlan {
  /** Time since the block before, ms. */
  readonly afterMs: number;
  readonly transfers: readonly PlannedTransfer[];
}

/** Number of an account, or the treasury. */
export type AccountNumber = number | "treasury";

/** One transfer. */
export interface PlannedTransfer {
  readonly from: AccountNumber;
  readonly to: number;
  readonly amountUt: number;
}

/** Transactions of a full block. */
export const FULL_BLOCK_TXS = 2_000;
/** Transactions of a small block. */
export const SMALL_BLOCK_TXS = 32;
const SMALL_BLOCKS = 1_000;
const FULL_BLOCK_MS = 600_000;
const SMALL_BLOCK_MS = 60_000;
/** Enough for a blast from a few accounts after the chain was made. */
export const FUNDING_UT = 100_000_000;
const SEED = 20_251_120;

/** Blocks of a recipe, the same each time. */
export function* planBlocks(recipe: ChainRecipe): Generator<BlockPlan, void> {
  const transfers = planTransfers(recipe);
  const inSmall = Math.min(SMALL_BLOCKS * SMALL_BLOCK_TXS, Math.floor(recipe.transactions / 10));
  yield* slice(transfers, { count: recipe.transactions - inSmall, size: FULL_BLOCK_TXS, afterMs: FULL_BLOCK_MS });
  yield* slice(transfers, { count: inSmall, size: SMALL_BLOCK_TXS, afterMs: SMALL_BLOCK_MS });
}

/** Time from the first to the last block of a recipe, ms. */
export function planSpanMs(recipe: ChainRecipe): number {
  const full = Math.ceil(recipe.transactions / FULL_BLOCK_TXS);
  return full * FULL_BLOCK_MS + SMALL_BLOCKS * SMALL_BLOCK_MS;
}

function* planTransfers({ transactions, accounts }: ChainRecipe): Generator<PlannedTransfer, void> {
  const random = createRandom(SEED);
  for (let i = 0; i < transactions; i += 1) {
    if (i < accounts) yield { from: "treasury", to: i, amountUt: FUNDING_UT };
    else yield { from: random.between(0, accounts - 1), to: random.between(0, accounts - 1), amountUt: random.between(1, 1_000) };
  }
}

function* slice(
  transfers: Generator<PlannedTransfer, void>,
  { count, size, afterMs }: { readonly count: number; readonly size: number; readonly afterMs: number },
): Generator<BlockPlan, void> {
  for (let left = count; left > 0; left -= size) {
    const block: PlannedTransfer[] = [];
    while (block.length < Math.min(size, left)) {
      const next = transfers.next();
      if (next.done === true) break;
      block.push(next.value);
    }
    yield { afterMs, transfers: block };
  }
}
