// Who split which place. Each split costs requests, so a peer must not split what fits into a chunk: whether it did is known once its parts
// hold more than that, or all of them are here.
import type { PeerName } from "#node/network/peer-network.ts";
import { CHUNK_BYTES } from "#node/state/state-chunk.ts";
import type { TreePlace } from "#node/state/tree-place.ts";

/** A place that waits for its leaves. */
export interface WaitingPlace {
  readonly place: TreePlace;
  /** What it is a part of; undefined where no peer of this run split it. */
  readonly part: SplitPlaceRecord | undefined;
}

/** A place that a peer split. */
export class SplitPlaceRecord {
  readonly #peer: PeerName;
  readonly #of: SplitPlaceRecord | undefined;
  #left: number;
  #bytes = 0;

  constructor(peer: PeerName, parts: number, of: SplitPlaceRecord | undefined) {
    this.#peer = peer;
    this.#left = parts;
    this.#of = of;
  }

  /** True once more is here than fits into a chunk. */
  get isProven(): boolean {
    return this.#bytes > CHUNK_BYTES;
  }

  /** A part is whole. @returns peers that split what would have fitted */
  add(bytes: number): readonly PeerName[] {
    this.#count(bytes);
    return this.#partIsWhole();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#of !== undefined) this.#of.#count(bytes);
  }

  #partIsWhole(): readonly PeerName[] {
    this.#left -= 1;
    if (this.#left > 0) return [];
    const above = this.#of === undefined ? [] : this.#of.#partIsWhole();
    return this.isProven ? above : [this.#peer, ...above];
  }
}
