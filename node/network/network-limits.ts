// Every limit of the network, with its reason. docs/network.md and docs/limits.md list them.
import type { Topic } from "./protocol-names.ts";

/** A lasting rate with a burst on top. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Limits of one topic of gossip. */
export interface TopicLimits {
  /** Largest message; a larger one is invalid. */
  readonly messageBytes: number;
  /** Messages that wait to be validated; the oldest go first. */
  readonly queued: number;
  /** Messages that are validated at once. */
  readonly concurrent: number;
  /** Messages that one peer brings first: its own and those it passes on, which may be those of the whole network. */
  readonly messages: Rate;
  /** Bytes of one peer. */
  readonly bytes: Rate;
}

/** Limits of a request protocol. */
export interface RequestLimits {
  readonly requestBytes: number;
  /** One frame of a response. */
  readonly frameBytes: number;
  /** A whole response; the responding side ends before it. */
  readonly responseBytes: number;
  /** Bytes that a response occupies at once, at most, while it is made and sent. */
  readonly heldBytes: number;
  /** Responses of one peer that are made or under way at once: the next one is made when it has taken one of them. */
  readonly responsesPerPeer: number;
  /** The same of a peer that has not been seen to read; all where it is not given. Only where no response waits for other nodes for long. */
  readonly firstResponses?: number;
  /** Requests of one peer. */
  readonly requests: Rate;
  /** Longest silence before and between frames, ms. */
  readonly silenceMs: number;
  /** Longest time of a whole response, ms. */
  readonly totalMs: number;
}

const KIB = 1_024;
const MIB = 1_048_576;

/** The largest block that any network can have, 4 MiB of transactions, with evidence and commits. */
const BLOCK_FRAME_BYTES = 5 * MIB;
const MESSAGE_FRAME_BYTES = 512 * KIB;

export const NETWORK_LIMITS = {
  /** As CometBFT; validators and bootstrap peers come on top. */
  inboundConnections: 40,
  outboundConnections: 12,
  /** Below this many outbound connections, known peers are dialled. */
  outboundTarget: 8,
  /** Room for validators and bootstrap peers beyond the limits above. */
  exemptConnections: 128,
  /** libp2p resets more dials a second from one address; a machine or a NAT may hold many nodes. */
  inboundConnectionsPerSecond: 64,
  /** The same of a subnet: a /48 has 65,536 addresses of its own. */
  subnetConnectionsPerSecond: 128,
  pendingInboundConnections: 64,
  /** Handshakes of strangers: one costs some 9 ms, so that these are 14 % of a processor. */
  handshakes: { perSecond: 16, burst: 32 } satisfies Rate,
  /**
   * Bytes that are read: of one address, of all peers that brought a block or a transaction first in `usefulMs`, and of all others. What is
   * beyond stays at its sender. A stranger's MiB costs some 10 ms, with the memory that it leaves to be collected.
   */
  inboundBytes: {
    address: { perSecond: 4 * MIB, burst: 16 * MIB },
    useful: { perSecond: 16 * MIB, burst: 64 * MIB },
    strangers: { perSecond: 4 * MIB, burst: 16 * MIB },
  } satisfies Readonly<Record<string, Rate>>,
  /** A chunk counts with the time that it takes too, as so many bytes for each ms: large frames take a third of that, small ones far more. */
  inboundBytesPerMs: 128 * KIB,
  usefulMs: 600_000,
  /** Addresses whose bytes are counted. */
  inboundSources: 1_024,
  /** What a connection reads in its turn, when bytes are short, and the pause between two turns. */
  inboundTurnBytes: 64 * KIB,
  inboundTurnMs: 20,
  dialTimeoutMs: 10_000,
  /** Pauses between dials of a bootstrap peer or validator double from the first to the last. */
  firstRedialMs: 1_000,
  lastRedialMs: 60_000,
  /** Pace of dialling and of checking for unresponsive or unwelcome peers. */
  upkeepMs: 1_000,
  watchdogMs: 15_000,
  /** A peer that has not sent its status after this time is disconnected. */
  statusTimeoutMs: 10_000,
  /** A silent peer is pinged at this pace; after so much silence its connection is dead. */
  pingIntervalMs: 15_000,
  silenceMs: 90_000,
  /** Pace of measuring round-trip times. */
  latencyIntervalMs: 30_000,
  /** Own status leaves at most this often. */
  statusIntervalMs: 250,
  statusBytes: KIB,
  statuses: { perSecond: 10, burst: 40 },
  /** A peer without a stream for gossip after this time is connected again. */
  unresponsiveMs: 15_000,
  /** Bytes that wait for one peer's gossip; beyond, its stream is reset (Lodestar's figure). */
  gossipBufferBytes: 16 * MIB,
  /** A frame of gossip that has begun is there after this time, ms. */
  gossipFrameMs: 120_000,
  /**
   * Transactions and envelopes of one message of gossip, and how far two messages are apart that are not full. A message costs every node
   * as much as many transactions. The pause is shorter than the least between two blocks, for which a transaction waits anyway.
   */
  transactionItems: 256,
  transactionBytes: 128 * KIB,
  transactionPauseMs: 40,
  envelopeItems: 32,
  envelopeBytes: 32 * KIB,
  envelopePauseMs: 5,
  /** Bytes of a topic's messages that wait to be looked at, of all peers and of one. */
  waitingGossipBytes: 32 * MIB,
  waitingGossipBytesPerPeer: 8 * MIB,
  /** Gossip that can be decoded in one go before other work gets its turn, ms. */
  turnMs: 8,
  topics: {
    tx: {
      messageBytes: 2 * MIB,
      queued: 1_024,
      concurrent: 32,
      messages: { perSecond: 5_000, burst: 20_000 },
      bytes: { perSecond: 32 * MIB, burst: 128 * MIB },
    },
    blocks: {
      messageBytes: BLOCK_FRAME_BYTES,
      queued: 64,
      concurrent: 2,
      messages: { perSecond: 20, burst: 200 },
      bytes: { perSecond: 8 * MIB, burst: 32 * MIB },
    },
    relay: {
      messageBytes: MESSAGE_FRAME_BYTES,
      queued: 1_024,
      concurrent: 32,
      messages: { perSecond: 5_000, burst: 20_000 },
      bytes: { perSecond: 32 * MIB, burst: 128 * MIB },
    },
    boxes: {
      messageBytes: MESSAGE_FRAME_BYTES,
      queued: 1_024,
      concurrent: 32,
      messages: { perSecond: 1_000, burst: 8_192 },
      bytes: { perSecond: 32 * MIB, burst: 128 * MIB },
    },
    deletions: {
      messageBytes: 64 * KIB,
      queued: 512,
      concurrent: 16,
      messages: { perSecond: 500, burst: 8_192 },
      bytes: { perSecond: 4 * MIB, burst: 32 * MIB },
    },
    version: {
      messageBytes: KIB,
      queued: 256,
      concurrent: 16,
      messages: { perSecond: 100, burst: 1_000 },
      bytes: { perSecond: 32 * KIB, burst: 256 * KIB },
    },
    consensus: {
      messageBytes: BLOCK_FRAME_BYTES,
      queued: 512,
      concurrent: 16,
      messages: { perSecond: 1_000, burst: 4_000 },
      bytes: { perSecond: 16 * MIB, burst: 64 * MIB },
    },
  } satisfies Readonly<Record<Topic, TopicLimits>>,
  /** Streams between validators. */
  consensus: {
    frameBytes: BLOCK_FRAME_BYTES,
    /** Waiting for one validator; the oldest votes go first. */
    queuedFrames: 512,
    queuedBytes: 16 * MIB,
    /** An honest validator sends a few messages a height, and a few each time it repeats them. */
    messages: { perSecond: 500, burst: 2_000 } satisfies Rate,
    bytes: { perSecond: 16 * MIB, burst: 64 * MIB } satisfies Rate,
    /** After a message that no honest validator sends, its streams are refused for so long, ms. */
    refusalMs: 10_000,
    /** The same message is forwarded again after so long at the soonest, ms: validators repeat what others may have missed. */
    repeatMs: 400,
    blockRepeatMs: 1_900,
    /** Messages whose last way through this node is remembered. */
    repeatEntries: 4_096,
    /** Messages of one validator that are forwarded. */
    author: { perSecond: 64, burst: 512 } satisfies Rate,
    /** Messages for the height after the next one that are verified, of one peer and of all: a node is behind by one for a moment only. */
    early: { party: { perSecond: 64, burst: 512 }, total: { perSecond: 128, burst: 1_024 } } satisfies Readonly<Record<string, Rate>>,
  },
  blocks: {
    requestBytes: 64,
    frameBytes: BLOCK_FRAME_BYTES,
    responseBytes: 16 * MIB,
    /** Blocks are read one after the other. */
    heldBytes: BLOCK_FRAME_BYTES,
    responsesPerPeer: 8,
    requests: { perSecond: 32, burst: 128 },
    silenceMs: 10_000,
    totalMs: 120_000,
  } satisfies RequestLimits,
  /** Most blocks of one request. */
  blocksPerRequest: 256,
  mailbox: {
    requestBytes: 64 * KIB,
    frameBytes: 8 * MIB,
    responseBytes: 8 * MIB,
    /** Pages that are made here are smaller than the largest that are read. */
    heldBytes: 2 * MIB,
    /** A node requests page after page. To make one costs more than to request it. */
    responsesPerPeer: 1,
    requests: { perSecond: 4, burst: 64 },
    silenceMs: 10_000,
    totalMs: 120_000,
  } satisfies RequestLimits,
  /** Mail at its keepers. */
  mail: {
    requestBytes: 640 * KIB,
    frameBytes: 4 * MIB,
    responseBytes: 4 * MIB,
    heldBytes: 4 * MIB,
    /** What waits for a signature or the disk takes one of these. */
    responsesPerPeer: 4,
    /** Its pages are the largest that are made before any of it is taken. */
    firstResponses: 2,
    requests: { perSecond: 64, burst: 512 },
    silenceMs: 10_000,
    totalMs: 60_000,
  } satisfies RequestLimits,
  /** Public cards of devices: one is at most 1,478 bytes. */
  cards: {
    requestBytes: 2 * KIB,
    frameBytes: 2 * KIB,
    responseBytes: 2 * KIB,
    heldBytes: 2 * KIB,
    responsesPerPeer: 4,
    requests: { perSecond: 64, burst: 512 },
    silenceMs: 10_000,
    totalMs: 60_000,
  } satisfies RequestLimits,
  /** What carriers pass on, and news that come back: the largest class of `CARRY_CLASSES` with what is around it. */
  carry: {
    requestBytes: MIB + 4 * KIB,
    frameBytes: MIB + 4 * KIB,
    responseBytes: MIB + 4 * KIB,
    heldBytes: MIB + 4 * KIB,
    /** A carrier asks a keeper for many. */
    responsesPerPeer: 16,
    requests: { perSecond: 256, burst: 2_048 },
    silenceMs: 10_000,
    totalMs: 20_000,
  } satisfies RequestLimits,
  carryItems: {
    /** Of the largest class, and of the smallest, which all news have. */
    sealedBytes: MIB + 48,
    newsBytes: KIB + 48,
    goneTokens: 256,
    /** Streams of one peer, requests that are under way to it, and those that wait for their turn. */
    streams: 32,
    underWay: 24,
    waiting: 512,
  },
  /** Requests that a carrier passes on, of one peer and of all, and their bytes with those of the answers. */
  carryPassing: { party: { perSecond: 32, burst: 1_024 }, total: { perSecond: 512, burst: 4_096 } } satisfies Readonly<
    Record<string, Rate>
  >,
  carryBytes: {
    party: { perSecond: 512 * KIB, burst: 32 * MIB },
    total: { perSecond: 8 * MIB, burst: 128 * MIB },
  } satisfies Readonly<Record<string, Rate>>,
  /** Requests of this node to one peer, fewer than that takes (`carry`), and to all; more wait. */
  carrySending: { party: { perSecond: 192, burst: 1_536 }, total: { perSecond: 2_048, burst: 16_384 } } satisfies Readonly<
    Record<string, Rate>
  >,
  /** What keepers sign of their slots: 147 bytes for each digest that is shown, 104 for one that is signed. */
  digests: {
    requestBytes: 96 * KIB,
    frameBytes: 96 * KIB,
    responseBytes: 64 * KIB,
    heldBytes: 64 * KIB,
    responsesPerPeer: 1,
    requests: { perSecond: 1, burst: 8 },
    silenceMs: 60_000,
    totalMs: 120_000,
  } satisfies RequestLimits,
  /** Renewals of what is watched at keepers, of a node once in a minute or two; the response names boxes with something new. */
  watches: {
    requestBytes: 128,
    frameBytes: 64 * KIB,
    responseBytes: 64 * KIB,
    heldBytes: 64 * KIB,
    responsesPerPeer: 1,
    requests: { perSecond: 1, burst: 16 },
    silenceMs: 10_000,
    totalMs: 60_000,
  } satisfies RequestLimits,
  /** Connections to keepers that are held for mail, dials of keepers at once, and time after which one that is not used may end, ms. */
  mailPeers: { keeperConnections: 64, keeperDials: 16, keeperIdleMs: 120_000 },
  /** Requests to take mail that a keeper passes on, to each of its other keepers, of one peer and of all. */
  mailPassing: { party: { perSecond: 8, burst: 128 }, total: { perSecond: 128, burst: 1_024 } } satisfies Readonly<Record<string, Rate>>,
  /** Items of a request to keepers, and of its response. */
  mailItems: {
    putItems: 64,
    /** Bytes of these; the openings of boxes come on top. */
    putBytes: 512 * KIB,
    putOpenings: 64,
    passedOnTo: 5,
    listedBoxes: 1_024,
    deletionNotices: 16,
    fetchedIds: 256,
    watchedBoxes: 1_024,
    /** Ids of a page, of all its boxes, and deletions of one box. */
    pageIds: 8_192,
    pageDeletions: 1_024,
    /** Slots of a digest, ranges of one request, hex digits of a range, and entries of a range that is listed rather than split. */
    digestSlots: 1_024,
    ranges: 256,
    rangeDigits: 16,
    listedEntries: 32,
    /** Slots of which a keeper signs digests at once, and digests of others that it is shown. */
    signedSlots: 512,
    seenDigests: 512,
    /** Bytes of a page, and of what is fetched by its ids. */
    pageBytes: 2 * MIB,
    fetchedBytes: 2 * MIB,
  },
  /** Requests of nodes that hold no chain; a response comes in pieces of a frame. */
  light: {
    requestBytes: 1_280 * KIB,
    frameBytes: MIB,
    responseBytes: 16 * MIB,
    heldBytes: 16 * MIB,
    responsesPerPeer: 8,
    requests: { perSecond: 32, burst: 256 },
    silenceMs: 10_000,
    totalMs: 120_000,
  } satisfies RequestLimits,
  /** Requests of nodes that join: a chunk of the state, or headers and receipts before it. */
  snapshot: {
    requestBytes: 128,
    frameBytes: MIB,
    responseBytes: 16 * MIB,
    heldBytes: 16 * MIB,
    responsesPerPeer: 1,
    requests: { perSecond: 64, burst: 512 },
    silenceMs: 10_000,
    totalMs: 60_000,
  } satisfies RequestLimits,
  /** Responses under way, and whatever else waits for a peer to read it. */
  served: {
    /** Bytes of responses that are made or under way, of one peer, of one address (not of a local one), and of all. */
    perPeer: 32 * MIB,
    perAddress: 64 * MIB,
    total: 256 * MIB,
    /** When others wait for room, a response of which nothing was taken for this long ends. */
    yieldMs: 2_000,
    /** A peer of which nothing is known, or that left a response, has few made at once until it took so much of one: more than a window. */
    readBytes: 512 * KIB,
    /** Peers of which it is remembered whether they read. */
    peers: 4_096,
    /** That one left a long response is remembered for so long, ms. */
    leftMs: 600_000,
    /** A reader that takes less than these bytes in this time is dropped; so is a connection of which nothing leaves. */
    stallMs: 15_000,
    stallBytes: 64 * KIB,
    /** Bytes that wait below the streams of one connection, and of all: gossip included. */
    connectionBytes: 32 * MIB,
    backlogBytes: 256 * MIB,
  },
  /** Most recipients of one request. */
  recipientsPerRequest: 1_024,
  /** Streams of one peer for one request protocol at once. */
  requestStreams: 8,
  /** A sender's notices to one recipient are at least this far apart. */
  typingIntervalMs: 1_000,
  /** A notice older than this says nothing any more. */
  typingLifetimeMs: 10_000,
  typingPairs: 4_096,
  /** Deletions that travel on, of one peer and of all: each costs all nodes a signature. */
  deletions: { party: { perSecond: 64, burst: 1_024 }, total: { perSecond: 256, burst: 4_096 } } satisfies Readonly<Record<string, Rate>>,
  /** Openings of boxes that travel on, of one peer and of all, and envelopes to such boxes: each costs all nodes a signature or two. */
  openings: { party: { perSecond: 64, burst: 1_024 }, total: { perSecond: 256, burst: 4_096 } } satisfies Readonly<Record<string, Rate>>,
  admitted: { party: { perSecond: 512, burst: 8_192 }, total: { perSecond: 2_048, burst: 32_768 } } satisfies Readonly<
    Record<string, Rate>
  >,
  /** Notices that travel on, of one peer and of all: they cost their sender nothing. */
  typing: { party: { perSecond: 16, burst: 128 }, total: { perSecond: 128, burst: 1_024 } } satisfies Readonly<Record<string, Rate>>,
  /** The same on their way to a keeper; and from a keeper to who watches, of one keeper and of all. */
  typingNews: { party: { perSecond: 128, burst: 1_024 }, total: { perSecond: 512, burst: 4_096 } } satisfies Readonly<Record<string, Rate>>,
  /** Envelopes that older nodes gossip while keepers have mail alone, of one peer and of all, and their bytes: a tenth of their topic's. */
  olderMail: { party: { perSecond: 500, burst: 2_000 }, total: { perSecond: 2_000, burst: 8_000 } } satisfies Readonly<
    Record<string, Rate>
  >,
  olderMailBytes: {
    party: { perSecond: 3_355_443, burst: 13_421_772 },
    total: { perSecond: 13_421_772, burst: 53_687_088 },
  } satisfies Readonly<Record<string, Rate>>,
  /** A node announces its version at this pace. */
  versionIntervalMs: 300_000,
  /** After new peers came, it does so earlier, but not more often than this. */
  versionPauseMs: 15_000,
  /** An announcement's time may differ from the own clock by this. */
  versionSkewMs: 3_600_000,
  /** How long a validator's word for its node counts; it is renewed every hour. */
  seatLifetimeMs: 604_800_000,
  /** Nodes whose version is remembered. */
  versionEntries: 2_048,
  /** Announcements that travel on, of one peer and of all but validators: half of what each of this node's peers takes of it. */
  announcements: { party: { perSecond: 25, burst: 250 }, total: { perSecond: 50, burst: 500 } } satisfies Readonly<Record<string, Rate>>,
  versionChars: 64,
  /** Blocks of gossip that are remembered, so that every block travels once. */
  blockHashes: 256,
  /** Validators that did not propose a block send it one after another, when they have not received it; others after the last of them. */
  blockTurnMs: 50,
  blockPatienceMs: 500,
  /** A public node relays for this many, and a relayed connection may carry this much (the library's own: 15, 2 min, 128 KiB). */
  relayReservations: 256,
  relayDurationMs: 3_600_000,
  relayBytes: 256 * MIB,
} as const;

/**
 * The node's own score of its peers, as Lodestar's: offences are subtracted, half of it is forgiven in 10 minutes; at −20 the peer
 * is disconnected, at −50 banned for 30 minutes: two messages of nonsense, and five.
 */
export const SCORE_LIMITS = {
  halfLifeMs: 600_000,
  disconnectAt: -20,
  banAt: -50,
  /** An address, and a subnet, of which so much came are refused: four peers that were disconnected, sixteen. */
  hostBanAt: -100,
  subnetBanAt: -400,
  lowest: -100,
  banMs: 1_800_000,
  /** A validator is banned for less: a chain needs them to talk. */
  validatorBanMs: 30_000,
  entries: 4_096,
  costs: { malformed: 12, invalid: 12, wrongChain: 100, lie: 12, unresponsive: 5, flood: 2 },
  /** Floods count once in this time and peer: one burst is one offence. */
  floodIntervalMs: 1_000,
} as const;
