// Every limit of what a full node reads of blocks that it does not hold; docs/limits.md lists them.

export const ARCHIVE_LIMITS = {
  /** Reads of all callers under way at once. */
  readsAtOnce: 8,
  /** The same of one address. */
  readsPerAddress: 2,
  /** Requests to peers that the reads of one address may lead to: a lasting rate and a burst on top. */
  requestsPerSecondOfAddress: 8,
  requestBurstOfAddress: 128,
  /** The same of all addresses. */
  requestsPerSecond: 24,
  requestBurst: 512,
  /** Addresses whose rate is remembered. */
  addresses: 1_024,
  /** Bytes that peers send for it: a lasting rate and a burst on top. */
  bytesPerSecond: 2_097_152,
  byteBurst: 67_108_864,
  /** A caller waits so long for what peers have, ms. */
  readMs: 20_000,
  /** Reads that came to nothing are not tried again for this time, ms … */
  missMs: 30_000,
  /** … as many of them as are remembered. */
  misses: 1_024,
} as const;
