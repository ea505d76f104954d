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
