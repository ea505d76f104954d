// Every limit of requests of light nodes, on both sides; docs/limits.md lists them. Those of the streams are in network-limits.ts.

export const LIGHT_LIMITS = {
  /** Headers that are fetched at once to get from a trusted block down to an older one; beyond that a read is refused. */
  headersBack: 10_000,
  /** Headers with commits of one response. */
  blocksPerRequest: 64,
  /** Bytes that one of them has at most: header, votes and set of 100 validators are 13 kB. */
  lightBlockBytes: 16_384,
  /** A response without content of the chain, bytes: a warning, or why there is none. */
  messageBytes: 8_192,
  /** Records of one response, all of one state. */
  keysPerRequest: 64,
  /** Longest key of a record, bytes. */
  keyBytes: 512,
  /** Entries of a history of one response. */
  entriesPerRequest: 4_096,
  /** An id of them, bytes. */
  entryBytes: 512,
  /** Longest input of an unverified read, UTF-8 bytes of its JSON. */
  inputBytes: 65_536,
  /** Requests of all peers under way in a node; more are refused as BUSY. */
  requestsUnderWay: 64,
  /** Transactions of one address: a lasting rate and a burst on top. */
  submissionsPerSecond: 4,
  submissionBurst: 128,
  /** The same of all peers together. */
  allSubmissionsPerSecond: 64,
  allSubmissionBurst: 512,
  /** A report of a fork costs its checks: it counts as so many transactions. */
  forkReportCost: 32,
  /** Entries of a history that are hashed for one response; a peer that requests more comes back and finds the work continued. */
  hashedEntries: 32_768,
  /** Distance of the places in a history whose hash is kept … */
  markEntries: 1_024,
  /** … for this many accounts. */
  markedAccounts: 256,
  /** Requests of a light node to one peer at once, and how many wait for their turn. */
  requestsPerPeer: 6,
  waitingRequests: 512,
  /** Requests of a light node to one peer: below what the other side takes. */
  requestsPerSecond: 30,
  requestBurst: 200,
  /** Pause before a peer that is busy is asked again, ms, and how often it is. */
  busyPauseMs: 100,
  busyTries: 20,
  /** Time for one peer's response, ms; then the next one is asked. */
  responseMs: 8_000,
  /** Peers that are asked for one thing before it is given up. */
  peersPerRequest: 5,
  /** Rounds of requests for one read: a contract that finds each key in the value of another one needs one for each. */
  passesPerRead: 48,
  /** Things that one round fetches together: a read that goes astray without the first ones must not ask for the whole chain. */
  missingPerPass: 512,
  /** Bytes of records that a call of a contract is given: code and state of eight contracts that call each other, and more. */
  knownBytes: 8_388_608,
  /** Gas that a call may take to find out what it needs, beside its own: in the process for contracts, and for its records here. */
  searchGas: 30_000_000,
  /** What that counts for a record that is fetched and proven: 40 µs … */
  provenRecordGas: 20_000,
  /** … and for each byte of its value. */
  provenByteGas: 2,
  /** The same for a record that is handed to the process for contracts, in each pass: 4 µs … */
  handedRecordGas: 2_000,
  /** … and for each of its bytes. */
  handedByteGas: 1,
  /** A call that has not found out what it needs by then is given up, ms. */
  callMs: 30_000,
  /** Requests of one read under way at once. */
  fetchesAtOnce: 6,
  /** Entries of a history whose transactions and blocks are fetched together and held at once. */
  entriesTogether: 32,
  /** Blocks below the tip that a peer's newest state may lie: a block reaches peers one after another. */
  lagBlocks: 3,
  /** Bytes of checked bodies that a light node keeps. */
  bodyCacheBytes: 16_777_216,
  /** Responses for what lies above one page of a history; what is deeper is continued by the next request. */
  responsesPerPage: 64,
  /** Proven places in histories that a light node keeps. */
  provenPositions: 4_096,
} as const;
