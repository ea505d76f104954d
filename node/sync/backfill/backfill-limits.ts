// Every limit of fetching old blocks; docs/limits.md lists them. What peers give is bounded by the protocols that are used.

export const BACKFILL_LIMITS = {
  /** Blocks of a segment, which becomes readable as a whole: it and the header below it fit into one request for headers. */
  segmentBlocks: 1_000,
  /** Transactions of a segment, but for a larger block, which goes alone: what finds them is in memory until the segment is whole. */
  segmentTransactions: 32_768,
  /** Bytes of its blocks and receipts, but for a larger block, which goes alone. Headers do not say them: see `segment-plan.ts`. */
  segmentBytes: 67_108_864,
  /** Blocks, and transactions of them, that are requested at once. */
  batchBlocks: 64,
  batchTransactions: 4_096,
  /** Bytes of blocks and receipts a second, on average. */
  bytesPerSecond: 4_194_304,
  /** Rest of the thread after each batch, and each segment, as a share of the time that it worked: half of a processor at most. */
  restShare: 1,
  /** Time for one response, ms: one that drips is not waited for. */
  responseMs: 20_000,
  /** Pause before a peer is asked again that did not answer or had nothing, ms: doubled each time, up to the longest. */
  firstPauseMs: 1_000,
  lastPauseMs: 300_000,
  /** A peer that sent something false is not asked for so long, ms. */
  liarMs: 3_600_000,
  /** Peers that are asked for one thing before the segment is begun again. */
  peersPerRequest: 5,
  /**
   * How often it is looked whether there are peers, or the node has caught up, ms. Where peers have served too little for a segment, the pause
   * is doubled each time, up to the longest above: their work for it was in vain.
   */
  lookMs: 2_000,
  /** Pause after a failure of the storage, as of a full disk, or of the program, ms: doubled each time, up to the longest. */
  storagePauseMs: 60_000,
  lastStoragePauseMs: 3_600_000,
  /** Bytes of the disk that stay free for the chain. */
  reservedBytes: 536_870_912,
  /** Entries of a history that one request proves … */
  proofEntries: 4_096,
  /** … and requests that lead to the reward of one block. */
  proofRequests: 64,
} as const;
