// Limits of carriers of mail, and of those who use them. docs/limits.md lists them.
export const CARRY_LIMITS = {
  /** Carriers are used where the directory has so many members, by a node at which fewer than so many read. */
  leastMembers: 8,
  readers: 20,
  /** Who reads is counted once in this time, ms. */
  countMs: 10_000,
  /** Carriers of a month, and those that stand in for them beside. */
  carriers: 4,
  standingIn: 4,
  /** Carriers that one request goes through, one after the other, and the time of each, ms. */
  tries: 2,
  tryMs: 4_000,
  /** A carrier that did not do its work comes last for so long, which doubles up to the longest, ms. */
  pauseMs: 30_000,
  lastPauseMs: 600_000,
  /** Of carriers, and of their ways to single keepers, that are remembered. */
  pauses: 8_192,
  /** Nodes that do not speak the protocol are not asked again for so long, ms; so many of them are remembered. */
  unsupportedMs: 3_600_000,
  unsupported: 1_024,
  /** Parts of a request, each for one box, under way at once, and bytes of what is put together of their answers. */
  partsAtOnce: 8,
  mergedBytes: 4_194_304,
  /** Bytes of a page that goes through a carrier. */
  pageBytes: 655_360,
  /** Boxes that a node watches through carriers, each counted by its keepers. */
  watched: 65_536,
  /** A watch lasts so long at carrier and keeper, and is renewed after this, ms. */
  watchMs: 3_600_000,
  renewMs: 1_800_000,
  /** A reader looks once in this time whether the connections to its carriers are open, ms. */
  lookMs: 1_000,
  /** Watches that a carrier passes on, of one node, of these at one keeper, and of all. */
  tokensByNode: 8_192,
  tokensAtKeeper: 2_048,
  tokens: 524_288,
  /** Watches at a keeper, of one carrier and of all, and those of one box. */
  watchesByCarrier: 16_384,
  watches: 1_048_576,
  watchesOfBox: 64,
  /** A keeper responds to a carrier in this time, ms; so many requests of one node, and of all, are under way. */
  passMs: 3_500,
  passingByNode: 16,
  passing: 128,
  /** Bytes of requests that a carrier passes on for one network of nodes on a day, and networks that are counted apart. */
  dayBytes: 2_000_000_000,
  dayNetworks: 4_096,
  /** News that a carrier passes on at once, and the time that this takes, ms. */
  newsAtOnce: 256,
  newsMs: 5_000,
} as const;

export type CarryLimits = { readonly [Name in keyof typeof CARRY_LIMITS]: number };
