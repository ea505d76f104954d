// What a higher fee would buy now. Nodes say how many transactions wait, not what they pay or how large they are.

/** Bytes that a transaction is taken for: most are a quarter of that. */
const CAUTIOUS_BYTES = 1_024;

/** What a block has room for. */
export interface BlockRoom {
  readonly transactions: number;
  readonly bytes: number;
}

/** Most blocks that may fill up before a payment with the least fee has its turn; 0 when the next block has room for all that wait. */
export function blocksAhead(waiting: number, { transactions, bytes }: BlockRoom): number {
  return Math.floor(waiting / Math.max(1, Math.min(transactions, Math.floor(bytes / CAUTIOUS_BYTES))));
}

/** No round of votes between several machines is shorter. */
const SHORTEST_BLOCK_MS = 1_000;

/** Until a payment is in a block, ms: those ahead of it, and its own. `intervalMs` is the shortest time between blocks. */
export function expectedWaitMs(ahead: number, intervalMs: number): number {
  return (ahead + 1) * Math.max(SHORTEST_BLOCK_MS, intervalMs);
}
