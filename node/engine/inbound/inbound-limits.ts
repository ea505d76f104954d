// What messages of other validators may take up, each with its reason. docs/limits.md lists them.

const MIB = 1_048_576;

export const INBOUND_LIMITS = {
  /** Messages of one sender that wait for their turn; the oldest is dropped, and rebroadcasts bring it back. */
  senderMessages: 512,
  /** Bytes of them: two of the largest blocks with room. */
  senderBytes: 8 * MIB,
  /** Bytes of all senders; the oldest of the one with the most is dropped. */
  totalBytes: 64 * MIB,
  /** Votes and certificates of one sender for the next height: it has four votes in two rounds. */
  earlyVotes: 32,
  /** Proposals of it, and as many commits … */
  earlyBlocks: 2,
  /** … bytes of all proposals, and of all commits, … */
  earlyBytes: 16 * MIB,
  /** … and senders of whom messages for the next height are stored. */
  earlySenders: 256,
  /** Signatures of one validator that are checked though no honest one needs them often: of contradictions and far rounds. */
  surplusPerSecond: 2,
  surplusBurst: 32,
  /** Transactions of one validator that wait too long for a block. */
  workPerSecond: 64,
  workBurst: 512,
  /** Commits of one sender that are compared with the own chain: one in so many seconds, and at once. */
  compareSeconds: 5,
  compareBurst: 4,
  /** How long nothing is expected of a validator that sent what no honest one sends, ms: its streams are closed for as long. */
  refusalMs: 10_000,
  /** Wrong precommits of one validator for the last height after which no more are checked. */
  wrongPrecommits: 2,
} as const;
