// Limits of who is connected, dialled and remembered, with their reasons. docs/network.md lists them.

export const PEER_LIMITS = {
  /** Inbound slots of one address (IPv6: of a /64) and of one subnet (/24, /48): five subnets are needed to fill the 40. */
  inboundPerHost: 4,
  inboundPerSubnet: 8,
  /** Connections of one peer that it opened: one through a relay, and a direct one. */
  inboundPerPeer: 2,
  /** The same of a validator, or of a peer that the operator named: it may run behind a router that changes its address. */
  inboundPerExempt: 4,
  /** Sockets that have not ended their handshake: of one address, of one subnet. */
  pendingPerHost: 8,
  pendingPerSubnet: 16,
  /** Connections a second of an address that is not public: many nodes of a test, or all that come through a proxy. */
  localConnectionsPerSecond: 1_024,
  /** An honest handshake takes a few round trips. */
  handshakeTimeoutMs: 5_000,
  /** A banned address may try a handshake this often: the peer behind it may be a validator. */
  probationMs: 10_000,
  probationEntries: 1_024,
  /** A peer that has not sent its status after this long is the first to make room. */
  unreadyMs: 2_000,
  /** Inbound peers that no newcomer displaces: by network, quickest, latest with blocks, transactions, envelopes. */
  protectedByNetwork: 4,
  protectedByLatency: 4,
  protectedByBlocks: 4,
  protectedByTransactions: 4,
  protectedByEnvelopes: 2,
  /** Addresses that were reported: buckets, addresses of a bucket, buckets that one provider's reports reach. */
  newBuckets: 128,
  newBucketsPerSource: 8,
  /** Addresses that were connected to: buckets, and those that addresses of one provider reach. */
  triedBuckets: 64,
  triedBucketsPerProvider: 4,
  bucketEntries: 16,
  /** Addresses that one message adds, and those of one peer in it. */
  addressesPerReport: 64,
  addressesPerPeer: 4,
  addressBytes: 256,
  /** An address is forgotten when it was not reported for this long … */
  addressLifetimeMs: 2_592_000_000,
  /** … or failed so often without ever being reached, or since it was reached a week ago. */
  newFailures: 3,
  triedFailures: 10,
  /** A tried address keeps its place for this long after it was reached. */
  triedForMs: 14_400_000,
  /** Pace of connections that only test an address of the book. */
  feelerIntervalMs: 120_000,
  /** Dials at once of one address that a stranger reported, and of its subnet, whatever peers are said to be there … */
  dialsPerHost: 16,
  dialsPerSubnet: 32,
  /** … one more in this time, and targets that are remembered. */
  dialPauseMsOfHost: 10_000,
  dialPauseMsOfSubnet: 5_000,
  dialTargets: 4_096,
  /** Outbound peers that are met first after a restart. */
  anchors: 2,
  /** Pace of writing addresses, anchors and scores to the data folder. */
  savePeersMs: 600_000,
  /** Peers of whom the library remembers anything. */
  peerStoreEntries: 1_024,
  /** Pace of forgetting others. */
  peerStorePruneMs: 60_000,
} as const;

/** Lookups of addresses (Kademlia). */
export const KADEMLIA_LIMITS = {
  /** Bytes of one stream of requests: fifty lookups. */
  requestBytes: 2_048,
  /** Bytes of one response: twenty peers with many addresses each. */
  responseBytes: 65_536,
  /** Streams of one peer. */
  requests: { perSecond: 4, burst: 64 },
  /** Own lookups of random peers: the library begins the next one at once for as long as it misses relays. */
  walks: { perSecond: 0.1, burst: 8 },
} as const;
