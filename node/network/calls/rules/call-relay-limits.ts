// Bounds of a relay of calls; docs/limits.md lists them.

export const CALL_RELAY_LIMITS = {
  /** Allocations at a time: in all, of one credential, of one client address (IPv6: /64). */
  allocations: 64,
  allocationsPerCredential: 6,
  allocationsPerAddress: 16,
  /** Longest time of an allocation without a refresh, and in all, seconds. */
  lifetimeS: 600,
  totalS: 43_200,
  /** Addresses that one allocation may hear and send to, and channels to them. */
  permissions: 32,
  channels: 32,
  permissionS: 300,
  channelS: 600,
  /** Bytes that one allocation passes on, both ways together, and those of all. */
  allocationBytes: { perSecond: 750_000, burst: 1_500_000 },
  totalBytes: { perSecond: 8_000_000, burst: 16_000_000 },
  /** A packet counts as so many at least: one without data costs this machine as much as a small one. */
  leastBytes: 200,
  /** Requests of one client address and of all, and answers to all that have not shown a credential. */
  requests: { perSecond: 20, burst: 120 },
  allRequests: { perSecond: 1_000, burst: 2_000 },
  strangers: { perSecond: 200, burst: 400 },
  /** Packets that an allocation takes of addresses it has not named: checks of connectivity alone. */
  checks: { perSecond: 10, burst: 30 },
  /** Connections over TCP: in all, of one client address, and how long one waits for an allocation, seconds. */
  connections: 128,
  connectionsPerAddress: 16,
  idleS: 15,
  /** Bytes that wait for a client over TCP; what comes beyond is dropped. */
  waitingBytes: 262_144,
  /** Longest packet, bytes. */
  packetBytes: 1_500,
  /** Least port of the other side: below are services that answer strangers. */
  leastPort: 1_024,
  /** Wait before the thread is started again, doubled after each failure, and how long it serves until that counts as none. */
  firstRestartMs: 1_000,
  longestRestartMs: 60_000,
  steadyMs: 600_000,
  /** Credentials that the node issues. */
  credentials: { perSecond: 0.5, burst: 20 },
} as const;

export type CallRelayLimits = typeof CALL_RELAY_LIMITS;
