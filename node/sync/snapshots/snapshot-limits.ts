// Every limit of snapshots, on both sides; docs/limits.md lists them. Those of the streams are in network-limits.ts.
import { CHUNK_BYTES } from "#node/state/state-chunk.ts";

const KIB = 1_024;
const MIB = 1_024 * KIB;

export const SNAPSHOT_LIMITS = {
  /** Longest key of a record, bytes. */
  keyBytes: 512,
  /** Longest value of a record, bytes: code of a contract is the largest. */
  valueBytes: 1_048_576,
  /** Records of one chunk: so many of the smallest, which have a key of 32 bytes, fill it. */
  chunkRecords: CHUNK_BYTES / 32,
  /** A chunk as it is sent, bytes: one record of any size beside siblings, or {@link CHUNK_BYTES} of them. */
  chunkResponseBytes: 1_536 * KIB,
  /** Heights of one announcement. */
  heights: 8,
  /** Headers of one response, 350 bytes each. */
  headersPerRequest: 1_024,
  /** Blocks whose receipts are in one response … */
  blocksPerRequest: 1_024,
  /** … which ends when it has so many bytes, or with its first block. */
  receiptsBytes: MIB,
  /** Requests of all peers under way in a node; more are answered with `busy`. */
  requestsUnderWay: 8,
  /** The same of one party: others find room. */
  partyRequestsUnderWay: 4,
  /** Bytes that a node gives to one party, a second and at once, and to all; what is beyond is answered with `busy`. */
  partyBytesPerSecond: 8 * MIB,
  partyByteBurst: 16 * MIB,
  allBytesPerSecond: 32 * MIB,
  allByteBurst: 64 * MIB,
  /** What a chunk, or that a place is to be split, counts at least among these bytes; and a block, of which little may be sent. */
  chunkWorkBytes: CHUNK_BYTES / 2,
  blockWorkBytes: 4 * KIB,
  /** Places of a snapshot that were proven, and whose responses are known by hash: some 1.5 GiB of records. */
  provenPlaces: 8_192,
  /** Peers that a joining node asks at once, and chunks that it asks each of them for. */
  peersAtOnce: 4,
  chunksPerPeer: 2,
  /** Time for one response, ms. */
  responseMs: 10_000,
  /** Pause before a peer is asked again that was busy or did not answer, ms: doubled each time, up to the longest. */
  firstPauseMs: 250,
  lastPauseMs: 16_000,
  /** How often a joining node looks for peers, ms. */
  peersMs: 1_000,
  /** How often a joining node asks a peer which heights it serves, ms. */
  heightsMs: 60_000,
  /** A state of which less than one of so many parts came in so long is given up for another one … */
  stallMs: 60_000,
  stallParts: 256,
  /** … and passed over for so long, ms. */
  passedMs: 300_000,
  /** How often all peers are asked for something beside the state before that is given up. */
  requestRounds: 8,
  /** Levels that one split goes down: who splits too much costs others few requests until that is found. */
  splitLevels: 6,
  /** Splits of one peer that nothing proves yet: then others are asked first. */
  openSplits: 2,
  /** Places of the state that wait, from which on a split goes down one level alone. */
  missingPlaces: 1_024,
  /** Bytes of the chain's log at which a snapshot is given up: it grows while the state is copied. */
  logBytes: 1_024 * MIB,
  /** Bytes of the disk that a snapshot leaves free for the chain. */
  reservedBytes: 512 * MIB,
  /** Blocks older than this get no snapshot, ms: the node is catching up. */
  recentMs: 21_600_000,
} as const;
