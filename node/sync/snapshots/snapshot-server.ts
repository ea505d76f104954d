// Answers nodes that join: bounded in what is under way, and in bytes for one party and for all, with work counted as bytes. What is beyond
// is answered with `busy`, which costs next to nothing.

import { LRUCache } from "lru-cache";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import type { Log } from "#node/observability/log.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";
import { SNAPSHOT_LIMITS } from "./snapshot-limits.ts";
import type { SnapshotRead } from "./snapshot-reads.ts";
import { type SnapshotResponse, snapshotRequestCodec, snapshotResponseCodec } from "./wire/snapshot-messages.ts";

export interface SnapshotServerDependencies {
  /** Heights whose state is served, the newest first. */
  readonly heights: () => readonly Height[];
  /** The encoded response. @throws CodedError BUSY */
  readonly read: (request: SnapshotRead) => Promise<Uint8Array>;
  /** The snapshot of a height is damaged, as the error says. */
  readonly onDamaged: (height: Height, error: CodedError) => void;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Log, "error">;
}

/** Parties whose bytes are counted. */
const PARTIES = 1_024;
const { partyBytesPerSecond, partyByteBurst, allBytesPerSecond, allByteBurst, requestsUnderWay, partyRequestsUnderWay } = SNAPSHOT_LIMITS;
const PARTY_RATE = { perSecond: partyBytesPerSecond, burst: partyByteBurst };
const TOTAL_RATE = { perSecond: allBytesPerSecond, burst: allByteBurst };

interface Party {
  readonly bytes: TokenBucket;
  underWay: number;
}

/** The answering side. */
export class SnapshotServer {
  readonly #dependencies: SnapshotServerDependencies;
  readonly #parties = new LRUCache<string, Party>({ max: PARTIES });
  readonly #total: TokenBucket;
  #underWay = 0;
  #sentBytes = 0;

  constructor(dependencies: SnapshotServerDependencies) {
    this.#dependencies = dependencies;
    this.#total = new TokenBucket(TOTAL_RATE, dependencies.clock.monotonicMs());
  }

  /** Bytes of responses since the start. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** Heights whose state is served, the newest first. */
  heights(): readonly Height[] {
    return this.#dependencies.heights();
  }

  /** The encoded response to an encoded request of a party; undefined when that is nonsense. Never rejects. */
  async respond(bytes: Uint8Array, from: string): Promise<Uint8Array | undefined> {
    const request = tryDecode(snapshotRequestCodec, bytes);
    if (request === undefined) return undefined;
    if (request.kind === "heights") return response({ kind: "heights", heights: this.#dependencies.heights() });
    if (request.kind === "chunk" && !this.#dependencies.heights().includes(request.height)) return response({ kind: "unknown" });
    const party = this.#partyOf(from);
    if (!this.#hasRoom(party)) return response({ kind: "busy" });
    this.#underWay += 1;
    party.underWay += 1;
    try {
      const read = await this.#dependencies.read(request);
      this.#sentBytes += read.length;
      this.#count(party, costOf(request, read.length));
      return read;
    } catch (error) {
      if (request.kind === "chunk" && isCodedError(error, "STORAGE_CORRUPT")) this.#dependencies.onDamaged(request.height, error);
      // Others have what is damaged or dropped here, and who keeps asking fills no log: the node knows of the file.
      if (isCodedError(error, "STORAGE_CORRUPT", "HISTORY_PRUNED")) return response({ kind: "unknown" });
      if (!isCodedError(error, "BUSY")) this.#dependencies.log.error({ err: error }, "A request of a joining node failed");
      return response({ kind: "busy" });
    } finally {
      this.#underWay -= 1;
      party.underWay -= 1;
    }
  }

  #partyOf(name: string): Party {
    const nowMs = this.#dependencies.clock.monotonicMs();
    const party = this.#parties.get(name) ?? { bytes: new TokenBucket(PARTY_RATE, nowMs), underWay: 0 };
    this.#parties.set(name, party);
    return party;
  }

  #hasRoom({ bytes, underWay }: Party): boolean {
    if (this.#underWay >= requestsUnderWay || underWay >= partyRequestsUnderWay) return false;
    const nowMs = this.#dependencies.clock.monotonicMs();
    return bytes.has(1, nowMs) && this.#total.has(1, nowMs);
  }

  /** How much it is is known afterwards: the last response of a burst may go beyond. */
  #count(party: Party, bytes: number): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    party.bytes.spend(bytes, nowMs);
    this.#total.spend(bytes, nowMs);
  }
}

/** Work as bytes: small responses may need much of it. One that is full of receipts ended before the last block that was requested. */
function costOf(request: SnapshotRead, bytes: number): number {
  if (request.kind === "chunk") return Math.max(bytes, SNAPSHOT_LIMITS.chunkWorkBytes);
  const unread = Math.max(0, 1 - bytes / SNAPSHOT_LIMITS.receiptsBytes);
  return Math.max(bytes, Math.round(request.count * SNAPSHOT_LIMITS.blockWorkBytes * unread));
}

function response(message: SnapshotResponse): Uint8Array {
  return encode(snapshotResponseCodec, message);
}
