// What a higher fee would buy now. Nodes say how many transactions wait, not what they pay.

/** Blocks that fill up before a payment with the least fee has its turn; 0 when the next block has room for all that wait. */
export function blocksAhead(waiting: number, blockTransactions: number): number {
  return Math.floor(waiting / Math.max(1, blockTransactions));
}
