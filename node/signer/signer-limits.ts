// Bounds of the signer and of its clients. docs/limits.md explains them.

export const SIGNER_LIMITS = {
  /** Bytes of a frame behind its length. */
  frameBytes: 4_096,
  /** Requests of a node that wait for their answers. */
  inFlight: 16,
  /** Nodes that are served at a time. */
  nodes: 4,
  /** Connections that have not said who they are yet; a newcomer takes the place of the oldest. */
  pending: 16,
  /** Requests a second of a connection, and at once. */
  requestsPerSecond: 400,
  requestBurst: 400,
  /** Votes about relays a second, of all connections, and at once: each has two signatures to check. */
  ballotsPerSecond: 8,
  ballotBurst: 64,
  /** Bytes of answers that a connection may leave unread. */
  unreadBytes: 65_536,
  /** Until a connection has said who it is, and until a frame that began is complete, ms. */
  patienceMs: 5_000,
  /** A connection that is silent for so long is closed, ms: a node asks for the last signature sooner. */
  silenceMs: 30_000,
  /** How often a node asks, ms. */
  pingMs: 10_000,
  /** A signature that takes longer is not used, ms. */
  answerMs: 1_000,
  /** A connection whose oldest request is unanswered for so long is given up, ms. */
  deadMs: 5_000,
  /** First and longest wait of a node before it connects again, ms. */
  firstBackoffMs: 100,
  longestBackoffMs: 2_000,
  /** Characters of a reason. */
  reasonChars: 300,
} as const;
