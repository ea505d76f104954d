// The file of what a node knows of others, between two runs: addresses, the peers to meet first, and what is held against whom.
import { readFileSync } from "node:fs";
import * as Type from "typebox";
import { Value } from "typebox/value";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import type { BookEntry } from "../addresses/address-book.ts";
import type { SavedScores } from "../admission/peer-scores.ts";
import { SCORE_LIMITS } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";

const VERSION = 1;
const MAX_TEXT = PEER_LIMITS.addressBytes;
const MAX_FILE_BYTES = 16_777_216;
const ENTRIES = (PEER_LIMITS.newBuckets + PEER_LIMITS.triedBuckets) * PEER_LIMITS.bucketEntries;

const Text = Type.String({ maxLength: MAX_TEXT });
const Count = Type.Integer({ minimum: 0 });
const Offences = Type.Array(Type.Object({ subject: Text, penalty: Count, bannedMs: Count }, { additionalProperties: false }), {
  maxItems: SCORE_LIMITS.entries,
});
const Entry = Type.Object(
  {
    address: Text,
    peer: Text,
    group: Text,
    source: Text,
    reportedAtMs: Count,
    triedAtMs: Count,
    reachedAtMs: Count,
    failures: Count,
  },
  { additionalProperties: false },
);
const FileSchema = Type.Object(
  {
    version: Type.Literal(VERSION),
    savedAtMs: Count,
    key: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    addresses: Type.Array(Entry, { maxItems: ENTRIES }),
    anchors: Type.Array(Text, { maxItems: PEER_LIMITS.anchors }),
    scores: Type.Object({ peers: Offences, hosts: Offences, subnets: Offences }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);

/** What the file holds. */
export interface PeerRecords {
  readonly savedAtMs: number;
  /** Of the book of addresses, hex. */
  readonly key: string;
  readonly addresses: readonly BookEntry[];
  /** Multiaddresses with their peers. */
  readonly anchors: readonly string[];
  readonly scores: SavedScores;
}

/** The records at a path; undefined when there are none, or what is there is damaged: a node finds its peers again. */
export function readPeerFile(path: string): PeerRecords | undefined {
  try {
    const bytes = readFileSync(path);
    const value: unknown = bytes.length > MAX_FILE_BYTES ? undefined : JSON.parse(bytes.toString("utf8"));
    return Value.Check(FileSchema, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the records. @throws CodedError STORAGE_FULL or STORAGE_UNWRITABLE. */
export function writePeerFile(path: string, records: PeerRecords): void {
  writeFileAtomic(path, JSON.stringify({ version: VERSION, ...records }));
}
