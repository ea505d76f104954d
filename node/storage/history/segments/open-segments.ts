// The segments of a folder by height. A bounded number of files is open at a time: those that were used last.
import { LRUCache } from "lru-cache";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { type NamedSegment, SegmentFile } from "./segment-file.ts";

/** Files that are open at a time. */
export const MAX_OPEN_SEGMENTS = 64;

/** Sealed blocks by height. */
export class OpenSegments {
  readonly #files: FileLayer;
  readonly #open: LRUCache<Height, SegmentFile>;
  #segments: readonly NamedSegment[] = [];

  constructor(files: FileLayer, maxOpen: number = MAX_OPEN_SEGMENTS) {
    this.#files = files;
    this.#open = new LRUCache({ max: maxOpen, dispose: (file): void => file.close() });
  }

  /** Takes over which segments there are, in the order of their heights. Files of those that are gone are closed. */
  name(segments: readonly NamedSegment[]): void {
    const kept = new Map(segments.map((segment) => [segment.first, segment.sha256]));
    for (const { first, sha256 } of this.#segments) if (kept.get(first) !== sha256) this.#open.delete(first);
    this.#segments = segments;
  }

  /** The segment of a height, open; undefined for a height that is not sealed. @throws CodedError as {@link SegmentFile}. */
  at(height: Height): SegmentFile | undefined {
    const segment = this.segmentOf(height);
    if (segment === undefined) return undefined;
    const open = this.#open.get(segment.first);
    if (open !== undefined) return open;
    const file = new SegmentFile(this.#files, segment);
    this.#open.set(segment.first, file);
    return file;
  }

  close(): void {
    this.#open.clear();
    this.#segments = [];
  }

  /** True for a height that is sealed, as far as was named. */
  has(height: Height): boolean {
    return this.segmentOf(height) !== undefined;
  }

  /** Which segment a height is in, without opening it. */
  segmentOf(height: Height): NamedSegment | undefined {
    let [low, high] = [0, this.#segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle]?.last ?? 0) < height) low = middle + 1;
      else high = middle;
    }
    const segment = this.#segments[low];
    return segment !== undefined && segment.first <= height ? segment : undefined;
  }
}
