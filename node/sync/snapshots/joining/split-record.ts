// Who split which place. Each split costs requests, so a peer must not split what fits into a chunk: whether it did is known once all parts
// are here.
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

  /** A part is whole. @returns peers that split what would have fitted */
  add(bytes: number): readonly PeerName[] {
    this.#bytes += bytes;
    this.#left -= 1;
    if (this.#left > 0) return [];
    const above = this.#of?.add(this.#bytes) ?? [];
    return this.#bytes <= CHUNK_BYTES ? [this.#peer, ...above] : above;
  }
}
