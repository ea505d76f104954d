// The blocks ahead of the tip: which are here, which are on their way, which to ask for next. Bounded in blocks and bytes.
import type { FinalBlock, PeerName } from "#node/network/peer-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

/** Blocks ahead of the tip that are asked for. */
export const WINDOW_BLOCKS = 512;
/** Blocks of one request. */
export const RANGE_BLOCKS = 64;
/** Bytes of transactions stored ahead of the tip; above, only the next range is asked for. */
const WINDOW_BYTES = 48 * 1_048_576;

export interface HeightRange {
  readonly from: Height;
  readonly count: number;
}

/** A range that a peer was asked for. */
export interface AskedRange extends HeightRange {
  readonly peer: PeerName;
  /** True when it takes so long that another peer may be asked for the same. */
  isSlow: boolean;
}

/** A block that waits for its turn. */
export interface WaitingBlock {
  readonly final: FinalBlock;
  readonly peer: PeerName;
  readonly bytes: number;
  /** Set when its signatures are being checked. */
  preparation: Promise<void> | null;
}

/** Blocks by height. */
export class BlockWindow {
  readonly #blocks = new Map<Height, WaitingBlock>();
  readonly #asked = new Set<AskedRange>();
  #bytes = 0;

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

  /** Blocks without a gap from a height on: at most so many, with at most so many transactions, but the first in any case. */
  batch(from: Height, mostBlocks: number, mostTransactions: number): readonly WaitingBlock[] {
    const batch: WaitingBlock[] = [];
    let transactions = 0;
    for (let height = from; batch.length < mostBlocks; height += 1) {
      const waiting = this.#blocks.get(height);
      if (waiting === undefined) break;
      transactions += waiting.final.block.transactions.length;
      if (batch.length > 0 && transactions > mostTransactions) break;
      batch.push(waiting);
    }
    return batch;
  }

  /** Stores a block, unless there is one of its height already. */
  add(final: FinalBlock, peer: PeerName): void {
    const { height } = final.block.header;
    if (this.#blocks.has(height)) return;
    const bytes = final.block.transactions.reduce((sum, tx) => sum + encodeTransaction(tx).length, 0);
    this.#blocks.set(height, { final, peer, bytes, preparation: null });
    this.#bytes += bytes;
  }

  /** Drops the block of a height, or all blocks of a peer. */
  remove(height: Height): void {
    this.#bytes -= this.#blocks.get(height)?.bytes ?? 0;
    this.#blocks.delete(height);
  }

  /** Drops everything that a peer sent. */
  removeOf(peer: PeerName): void {
    for (const [height, waiting] of this.#blocks) if (waiting.peer === peer) this.remove(height);
  }

  /** Drops what the tip has passed. */
  removeThrough(tip: Height): void {
    for (const height of this.#blocks.keys()) if (height <= tip) this.remove(height);
  }

  /** Notes that a peer was asked. */
  ask(range: HeightRange, peer: PeerName): AskedRange {
    const asked = { ...range, peer, isSlow: false };
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
    const last = Math.min(target, tip + (this.#bytes > WINDOW_BYTES ? 1 : WINDOW_BLOCKS));
    let from = tip + 1;
    while (from <= last && this.#isCovered(from)) from += 1;
    if (from > last) return undefined;
    let count = 1;
    while (count < RANGE_BLOCKS && from + count <= last && !this.#isCovered(from + count)) count += 1;
    return { from, count };
  }

  #isCovered(height: Height): boolean {
    if (this.#blocks.has(height)) return true;
    for (const range of this.#asked) if (!range.isSlow && contains(range, height)) return true;
    return false;
  }
}

function contains({ from, count }: HeightRange, height: Height): boolean {
  return height >= from && height < from + count;
}
