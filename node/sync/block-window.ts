// The blocks ahead of the tip: which are here, which are on their way, which to ask for next. Bounded in blocks and bytes.
import type { PeerName, ReceivedBlock } from "#node/network/peer-network.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { BlockHeader, Height } from "#shared/protocol/chain/header.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { MAX_REQUESTS_PER_PEER } from "./sync-peers.ts";

/** Blocks ahead of the tip that are asked for. */
export const WINDOW_BLOCKS = 512;
/** Blocks of one request. */
export const RANGE_BLOCKS = 64;
/** Memory for blocks ahead of the tip, bytes: lower ones displace higher ones. */
export const WINDOW_BYTES = 48 * 1_048_576;
/** Of it for the blocks of one peer. */
export const PEER_BYTES = 16 * 1_048_576;
/** Memory that a decoded transaction takes beside its bytes, and a block beside its transactions: measured. */
const TRANSACTION_BYTES = 512;
const BLOCK_BYTES = 4_096;
/** Weight of the newest block in the size that blocks are expected to have. */
const SIZE_WEIGHT = 1 / 8;

export interface HeightRange {
  readonly from: Height;
  readonly count: number;
}

/** A range that a peer was asked for. */
export interface AskedRange extends HeightRange {
  readonly peer: PeerName;
  /** Blocks of it that the peer claimed to have. */
  readonly owed: number;
  /** True when it takes so long that another peer may be asked for the same. */
  isSlow: boolean;
}

/** A block that waits for its turn. */
export interface WaitingBlock {
  readonly header: BlockHeader;
  readonly commit: Commit;
  readonly peer: PeerName;
  /** Its body, which is read once header and commit are proven; until then its bytes wait. */
  body: Block | Pick<ReceivedBlock, "encoded" | "read">;
  bytes: number;
  /** Set while it is proven, read and its signatures checked, and after. */
  preparation: Promise<unknown> | null;
  /** True when it is known to be decided. It may be the only copy that this node gets, so it goes for nothing but room. */
  isProven: boolean;
}

/** Blocks by height. */
export class BlockWindow {
  readonly #blocks = new Map<Height, WaitingBlock>();
  readonly #asked = new Set<AskedRange>();
  #bytes = 0;
  /** Memory that the next blocks are expected to take, each. */
  #expectedBytes = BLOCK_BYTES;

  /** Blocks that wait. */
  get size(): number {
    return this.#blocks.size;
  }

  /** Requests on their way. */
  get asked(): ReadonlySet<AskedRange> {
    return this.#asked;
  }

  /** The block of a height. */
  get(height: Height): WaitingBlock | undefined {
    return this.#blocks.get(height);
  }

  /** Blocks without a gap from a height on: at most so many, with at most so many transactions by their headers, but the first in any case. */
  batch(from: Height, mostBlocks: number, mostTransactions: number): readonly WaitingBlock[] {
    const batch: WaitingBlock[] = [];
    let transactions = 0;
    for (let height = from; batch.length < mostBlocks; height += 1) {
      const waiting = this.#blocks.get(height);
      if (waiting === undefined) break;
      transactions += waiting.header.txCount;
      if (batch.length > 0 && transactions > mostTransactions) break;
      batch.push(waiting);
    }
    return batch;
  }

  /** Memory that the blocks take, estimated, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True for a height above the tip, within the window, of which no proven block is here. */
  isWanted(height: Height, tip: Height): boolean {
    return height > tip && height <= tip + WINDOW_BLOCKS && this.#blocks.get(height)?.isProven !== true;
  }

  /**
   * Stores a block above the tip unless there is no room, or one of its height that is as good: a proven one takes the place of one that
   * is not, and is given with its body. The next one always has room. @returns whether it is stored
   */
  add(
    { header, commit, encoded, read }: ReceivedBlock,
    peer: PeerName,
    { tip, block }: { readonly tip: Height; readonly block?: Block },
  ): boolean {
    const { height } = header;
    const isProven = block !== undefined;
    if (!this.isWanted(height, tip) || (this.#blocks.has(height) && !isProven)) return false;
    this.remove(height);
    const bytes = BLOCK_BYTES + encoded.length + (block === undefined ? 0 : readBytes(block));
    this.#expectedBytes += (bytes - this.#expectedBytes) * SIZE_WEIGHT;
    if (!this.#makeRoom(height, bytes, peer) && height !== tip + 1) return false;
    this.#blocks.set(height, { header, commit, peer, body: block ?? { encoded, read }, bytes, preparation: null, isProven });
    this.#bytes += bytes;
    return true;
  }

  /** Reads the body of a block that is here, once. @returns undefined when its bytes are none */
  read(waiting: WaitingBlock): Block | undefined {
    if (!("read" in waiting.body)) return waiting.body;
    const block = waiting.body.read();
    if (block === undefined) return undefined;
    waiting.body = block;
    waiting.bytes += readBytes(block);
    this.#bytes += readBytes(block);
    return block;
  }

  /** Drops the block of a height. */
  remove(height: Height): void {
    this.#bytes -= this.#blocks.get(height)?.bytes ?? 0;
    this.#blocks.delete(height);
  }

  /** Drops what a peer sent and is not proven. */
  removeOf(peer: PeerName): void {
    for (const [height, waiting] of this.#blocks) if (waiting.peer === peer && !waiting.isProven) this.remove(height);
  }

  /** Drops what the tip has passed. */
  removeThrough(tip: Height): void {
    for (const height of this.#blocks.keys()) if (height <= tip) this.remove(height);
  }

  /** Notes that a peer was asked. */
  ask(range: HeightRange, peer: PeerName, owed = range.count): AskedRange {
    const asked = { ...range, peer, owed, isSlow: false };
    this.#asked.add(asked);
    return asked;
  }

  /** A request has ended. */
  removeRequest(asked: AskedRange): void {
    this.#asked.delete(asked);
  }

  /** Peers that were asked for a height and have not responded. */
  askedFor(height: Height): ReadonlySet<PeerName> {
    return new Set([...this.#asked].filter((range) => contains(range, height)).map(({ peer }) => peer));
  }

  /** The first range above the tip, up to the target, that is neither here nor on its way. */
  nextRange(tip: Height, target: Height): HeightRange | undefined {
    const onTheirWay = [...this.#asked].reduce((sum, { count }) => sum + count, 0) * this.#expectedBytes;
    const last = Math.min(target, tip + (this.#bytes + onTheirWay > WINDOW_BYTES ? 1 : WINDOW_BLOCKS));
    const most = Math.max(1, Math.min(RANGE_BLOCKS, Math.floor(PEER_BYTES / MAX_REQUESTS_PER_PEER / this.#expectedBytes)));
    let from = tip + 1;
    while (from <= last && this.#isCovered(from)) from += 1;
    if (from > last) return undefined;
    let count = 1;
    while (count < most && from + count <= last && !this.#isCovered(from + count)) count += 1;
    return { from, count };
  }

  /** Drops blocks above a height until a new one fits, of all peers and of its own. @returns false when there is no room even so. */
  #makeRoom(height: Height, bytes: number, peer: PeerName): boolean {
    const above = [...this.#blocks].filter(([other]) => other > height).sort(([a], [b]) => b - a);
    let own = 0;
    for (const waiting of this.#blocks.values()) if (waiting.peer === peer) own += waiting.bytes;
    for (const [other, waiting] of above) {
      const isPeerFull = own + bytes > PEER_BYTES;
      if (!isPeerFull && this.#bytes + bytes <= WINDOW_BYTES) break;
      if (isPeerFull && waiting.peer !== peer) continue;
      if (waiting.peer === peer) own -= waiting.bytes;
      this.remove(other);
    }
    return own + bytes <= PEER_BYTES && this.#bytes + bytes <= WINDOW_BYTES;
  }

  #isCovered(height: Height): boolean {
    if (this.#blocks.has(height)) return true;
    for (const range of this.#asked) if (!range.isSlow && contains(range, height)) return true;
    return false;
  }
}

/** Memory that a body takes beyond its bytes, once it is read. */
function readBytes({ transactions }: Block): number {
  return transactions.length * TRANSACTION_BYTES;
}

function contains({ from, count }: HeightRange, height: Height): boolean {
  return height >= from && height < from + count;
}
