// Every limit of fetching the older history of own accounts; docs/limits.md lists them. What peers give is bounded by `light/1`.

export const OWN_HISTORY_LIMITS = {
  /** Entries that are requested, and stored, together. */
  entriesAtOnce: 32,
  /** Bytes that peers send a second, on average, headers on the way down included: one request is under way at a time. */
  bytesPerSecond: 262_144,
  /** With the entry that brings a turn to so many bytes it ends, and the pause begins. */
  turnBytes: 1_048_576,
  /** Headers that are fetched in one turn on the way down to a block that lies too far below all that is proven: the last one is kept. */
  headersAtOnce: 1_000,
  /** Ids of newer entries that are passed in one turn on the way down to the next one. */
  idsAtOnce: 65_536,
  /** Entries of one account that are fetched at most: what lies deeper is read from other nodes each time. */
  entries: 4_194_304,
  /** Bytes of the disk that stay free for the chain. */
  reservedBytes: 536_870_912,
  /** How often it is looked whether there is something to do, ms. */
  lookMs: 5_000,
  /** Pause after an account whose entries could not be had, ms: doubled each time, up to the longest. */
  firstPauseMs: 10_000,
  lastPauseMs: 600_000,
} as const;
