// Limits of the HTTP and WebSocket interface. All can be set by the composition root; docs/limits.md lists them.

/** Largest response with a list, bytes: what is beyond it is on the next page. */
export const RESPONSE_BYTES = 2_097_152;

/** Every limit of the interface. */
export interface ApiLimits {
  /** Requests and frames a second of one address, lasting. */
  readonly requestsPerSecond: number;
  /** Requests and frames of one address at once. */
  readonly requestBurst: number;
  /** Files of the interface and its pages that one address may ask for at once, beside these; lasting as many as requests. */
  readonly fileBurst: number;
  /** Addresses whose rate is remembered; the longest unseen one is forgotten first. */
  readonly rateEntries: number;
  /** A connection whose request was refused for the rate of its address is not read for so long, ms … */
  readonly refusedPauseMs: number;
  /** … and ended when it had sent more than so many by then. */
  readonly refusedRequests: number;
  /** A body of a transaction of so many bytes is not read during that time once a large one of its address was refused. */
  readonly largeBodyBytes: number;
  /** Gas a second of one address, lasting, of calls for which no one pays … */
  readonly freeGasPerSecond: number;
  /** … and at once. */
  readonly freeGasBurst: number;
  /** Request body, bytes. */
  readonly bodyBytes: number;
  /** One parameter of a path, characters. */
  readonly paramChars: number;
  /** A request must have arrived within this time, ms. */
  readonly requestTimeoutMs: number;
  /** An idle connection is kept this long, ms. */
  readonly keepAliveTimeoutMs: number;
  /** One WebSocket frame of a client, bytes. */
  readonly frameBytes: number;
  /** Topics of one connection, without those of mailboxes. */
  readonly subscriptions: number;
  /** Topics `inbox:` of one connection: a device has a mailbox for each person. */
  readonly boxSubscriptions: number;
  /** WebSockets of one address. */
  readonly connectionsPerAddress: number;
  /** TCP connections of all addresses; programs of this machine can open 64 more. */
  readonly tcpConnections: number;
  /** TCP connections of one address. */
  readonly tcpPerAddress: number;
  /** The same of one subnet: a /24 of IPv4, a /48 of IPv6. */
  readonly tcpPerSubnet: number;
  /** Streams of server-sent events of one address. */
  readonly streamsPerAddress: number;
  /** Master keys that one connection may authenticate. */
  readonly authenticatedKeys: number;
  /** Bytes that wait for a slow reader before it is dropped. */
  readonly socketBufferBytes: number;
  /** Time between two pings of the node; a connection that did not answer the last one is dropped, ms. */
  readonly heartbeatMs: number;
  /** Refused frames after which a connection is closed. */
  readonly refusedFrames: number;
  /** Time that open connections get to say goodbye when the server closes, ms. */
  readonly closeTimeoutMs: number;
  /** Bytes of responses and pushes that wait for the readers of one address … */
  readonly waitingBytesPerAddress: number;
  /** … and of all; programs of the node's owner have a quarter more. */
  readonly waitingBytes: number;
  /** A connection whose reader takes less than this of what waits for it … */
  readonly stallBytes: number;
  /** … in this time is ended, ms. */
  readonly stallMs: number;
  /** Proofs of mailbox keys that are remembered, so that each counts once, of all addresses … */
  readonly usedProofs: number;
  /** … and of one. */
  readonly usedProofsPerAddress: number;
  /** Largest gift of the development faucet, µT. */
  readonly faucetUt: number;
}

export const API_LIMITS: ApiLimits = {
  requestsPerSecond: 50,
  requestBurst: 200,
  fileBurst: 1_000,
  rateEntries: 10_000,
  refusedPauseMs: 1_000,
  refusedRequests: 64,
  largeBodyBytes: 16_384,
  freeGasPerSecond: 25_000_000,
  freeGasBurst: 100_000_000,
  bodyBytes: 2 * 1_048_576,
  paramChars: 512,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 72_000,
  frameBytes: 262_144,
  subscriptions: 64,
  boxSubscriptions: 512,
  connectionsPerAddress: 64,
  tcpConnections: 4_096,
  tcpPerAddress: 256,
  tcpPerSubnet: 1_024,
  streamsPerAddress: 16,
  authenticatedKeys: 8,
  socketBufferBytes: 4 * 1_048_576,
  heartbeatMs: 30_000,
  refusedFrames: 64,
  closeTimeoutMs: 1_000,
  waitingBytesPerAddress: 32 * 1_048_576,
  waitingBytes: 256 * 1_048_576,
  stallBytes: 65_536,
  stallMs: 15_000,
  usedProofs: 65_536,
  usedProofsPerAddress: 8_192,
  faucetUt: 1_000_000_000,
};

/** Subscriptions of clients count as requests: so many of them at once are within what they may ask. */
const LIMITED_PART = 8;

/** Topics `inbox:` of one connection; a client whose rate counts has an eighth of them. */
export function watchableBoxes({ boxSubscriptions }: Pick<ApiLimits, "boxSubscriptions">, isExempt: boolean): number {
  return isExempt ? boxSubscriptions : Math.floor(boxSubscriptions / LIMITED_PART);
}
