// Which old blocks a node may drop: those that are older than what it was set to keep, and that nothing here or at others needs. Ages are
// those of block times before the newest block, so that neither a wrong clock nor a long rest drops anything.
import type { Height } from "#shared/protocol/chain/header.ts";
import { firstProposerHeight } from "#shared/protocol/chain/proposers.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { KEPT_DEPTH } from "./row-sweep.ts";

/** How much a node keeps of the blocks' transactions. */
export type Retention = { readonly days: number } | { readonly blocks: number };

/** Blocks that stay whatever was set: those that may be rolled back, and a segment more. */
export const LEAST_BLOCKS = KEPT_DEPTH + 1_000;

/** Of the headers that go, every one whose height this divides stays. */
export const KEPT_HEADERS = 1_000;

/** Headers below those that are needed: who joins asks for so many at once. */
export const HEADER_MARGIN = 1_024;
/** Part of the retention that one run covers at most: it goes when all of it is old. */
export const RUN_SHARE = 8;
const DAY_MS = 86_400_000;

/** The chain, as far as its rows say. */
export interface AgedChain {
  readonly tip: Height;
  /** From here on each block has a row. */
  readonly firstHeader: Height;
  timeMsAt(height: Height): number | undefined;
}

/** What others need, or this node. */
export interface KeptForOthers {
  /** Heights of states that nodes may begin with here: these fetch the ids of two hours before, and the blocks after. */
  readonly snapshots: readonly Height[];
  /** How long headers and commits stay, ms: light nodes and evidence need them. */
  readonly headersMs: number;
}

/** What may go. */
export interface Border {
  /** Transactions of blocks below may go. */
  readonly bodiesFrom: Height;
  /** Headers and commits below may go too, but for one of {@link KEPT_HEADERS}. */
  readonly headersFrom: Height;
  /** Blocks that a run covers at most. */
  readonly maxRunBlocks: number;
}

/** Where the border is now. */
export function retentionBorder(retention: Retention, chain: AgedChain, { snapshots, headersMs }: KeptForOthers): Border {
  const { tip } = chain;
  const tipMs = chain.timeMsAt(tip) ?? 0;
  const deep = Math.max(0, tip - KEPT_DEPTH);
  const kept = "blocks" in retention ? tip - retention.blocks + 1 : firstAfter(chain, tipMs - retention.days * DAY_MS);
  const windows = [deep, ...snapshots].map((height) => Math.min(height, firstAfter(chain, (chain.timeMsAt(height) ?? 0) - SEEN_WINDOW_MS)));
  const bodiesFrom = Math.max(0, Math.min(kept, tip - LEAST_BLOCKS + 1, ...windows));
  const orders = [deep, ...snapshots].map((height) => firstProposerHeight(height + 1));
  const recent = firstAfter(chain, tipMs - headersMs);
  const headersFrom = Math.max(0, Math.min(bodiesFrom - HEADER_MARGIN, recent, ...orders.map((height) => height - HEADER_MARGIN)));
  return { bodiesFrom, headersFrom, maxRunBlocks: Math.floor(keptBlocks(retention, chain) / RUN_SHARE) };
}

/** Blocks that are kept, by the pace of the chain. */
function keptBlocks(retention: Retention, chain: AgedChain): number {
  if ("blocks" in retention) return retention.blocks;
  const { tip, firstHeader } = chain;
  // The time of genesis says nothing of the pace.
  const first = Math.max(1, firstHeader);
  const spanMs = Math.max(1, (chain.timeMsAt(tip) ?? 0) - (chain.timeMsAt(first) ?? 0));
  return ((tip - first) * retention.days * DAY_MS) / spanMs;
}

/** The lowest block later than a time. */
function firstAfter({ tip, firstHeader, timeMsAt }: AgedChain, timeMs: number): Height {
  let [low, high] = [firstHeader, tip];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timeMsAt(middle) ?? 0) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
