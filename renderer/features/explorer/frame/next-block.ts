// When the next block is to be expected: a network without transactions makes an empty one after a while, others bring one at once.

/** What is known of the chain. */
export interface ChainPace {
  /** Time of the newest block, milliseconds since 1970. */
  readonly tipMs: number;
  /** Transactions that wait at the node. */
  readonly waiting: number;
  /** Longest time without a block, milliseconds; undefined where the node does not say. */
  readonly heartbeatMs: number | undefined;
}

/** `now`: any moment; `in`: at the latest after `seconds`; `open`: with the next transaction, and no one knows when. */
export type NextBlock = { readonly kind: "now" | "open" } | { readonly kind: "in"; readonly seconds: number };

/** What to expect at `nowMs`, milliseconds since 1970. */
export function expectNextBlock({ tipMs, waiting, heartbeatMs }: ChainPace, nowMs: number): NextBlock {
  if (waiting > 0) return { kind: "now" };
  if (heartbeatMs === undefined) return { kind: "open" };
  const seconds = Math.ceil((tipMs + heartbeatMs - nowMs) / 1_000);
  // A clock that is behind the network's would count from above the longest time.
  return seconds <= 0 ? { kind: "now" } : { kind: "in", seconds: Math.min(seconds, Math.ceil(heartbeatMs / 1_000)) };
}
