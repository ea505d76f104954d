// Limits of what keepers and those who use them send each other. docs/limits.md lists them.

/** Limits of repair, sending and reading. */
export interface KeeperLimits {
  /** A range with more entries is split, by the next four bits of their positions. */
  readonly listedEntries: number;
  /** Ranges of one request, and entries that are fetched or given in one. */
  readonly rangesPerRequest: number;
  readonly entriesPerRequest: number;
  /** Requests and entries of one session of repair. */
  readonly sessionRequests: number;
  readonly sessionEntries: number;
  /** Times that one session goes through what differs. */
  readonly sessionPasses: number;
  /** Entries that the other side listed and did not bring, after which it counts as lying. */
  readonly undelivered: number;
  /** Larger envelopes go to one keeper, which passes them on, bytes. */
  readonly passedOnBytes: number;
  /** Who has not confirmed after this gives the next rank its turn, ms. */
  readonly answerMs: number;
  /** Pauses before a keeper is asked again double from the first to the last, ms. */
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
  /** Receipts after which mail is handed over, and those after which its sender forgets it. */
  readonly receiptsToHandOver: number;
  readonly receiptsToForget: number;
  /** Mail is kept for its keepers this long, ms. */
  readonly keptMs: number;
  /** Keepers of a box that have to answer before a list is complete. */
  readonly readersAnswers: number;
  /** A first read waits for them so long, ms. */
  readonly firstReadMs: number;
  /** Envelopes that one keeper lists of one box: all rooms of a mailbox together. */
  readonly boxEntries: number;
  /** Deletions of one box that its reader remembers. */
  readonly readDeletions: number;
  /** What the others have had for so long a keeper should have too, ms: two rounds of repair. */
  readonly lateMs: number;
  /** Envelopes that it lacks by then, after which its receipts count no more. */
  readonly lacking: number;
  /** Keepers of which a node remembers that. */
  readonly doubted: number;
  /** And for how long, ms. */
  readonly doubtMs: number;
}

export const KEEPER_LIMITS: KeeperLimits = {
  listedEntries: 32,
  rangesPerRequest: 256,
  entriesPerRequest: 256,
  sessionRequests: 4_096,
  sessionEntries: 262_144,
  sessionPasses: 3,
  undelivered: 64,
  passedOnBytes: 16_384,
  answerMs: 2_000,
  firstRetryMs: 4_000,
  lastRetryMs: 600_000,
  receiptsToHandOver: 2,
  receiptsToForget: 3,
  keptMs: 604_800_000,
  readersAnswers: 2,
  firstReadMs: 2_000,
  boxEntries: 4_100,
  readDeletions: 16_384,
  lateMs: 1_200_000,
  lacking: 3,
  doubted: 4_096,
  doubtMs: 2_592_000_000,
};
