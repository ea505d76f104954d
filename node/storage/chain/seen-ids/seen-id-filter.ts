// Which ids were certainly not seen: a Bloom filter of two generations by block time. It says "perhaps" of every id that it was given
// and of few others, however many there are, and takes the same memory for any number.
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";

/** Bits of one generation, a power of two: 8 MiB. At ten bits an id one result of a hundred is a needless "perhaps". */
export const SEEN_FILTER_BITS = 67_108_864;
const PROBES = 4;

/** Ids of the last two hours of block time, and some older ones. */
export class SeenIdFilter {
  #young = new Uint32Array(SEEN_FILTER_BITS / 32);
  #old: Uint32Array | undefined;
  #youngSinceMs: number;

  /** @param timeMs time of the tip; ids up to it may be added in any order. */
  constructor(timeMs: number) {
    this.#youngSinceMs = timeMs;
  }

  /** Adds the id of a block. Blocks after the tip of the constructor come in order of their time. */
  add(id: string, timeMs: number): void {
    if (timeMs > this.#youngSinceMs + SEEN_WINDOW_MS) {
      this.#old = this.#young;
      this.#young = new Uint32Array(SEEN_FILTER_BITS / 32);
      this.#youngSinceMs = timeMs;
    }
    const { first, step } = hashesOf(id);
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (first + probe * step) & (SEEN_FILTER_BITS - 1);
      this.#young[bit >>> 5] = (this.#young[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  /** False only for ids that no block of the last two hours before the newest one holds. */
  mayHave(id: string): boolean {
    const { first, step } = hashesOf(id);
    return hasAll(this.#young, first, step) || (this.#old !== undefined && hasAll(this.#old, first, step));
  }
}

function hasAll(words: Uint32Array, first: number, step: number): boolean {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = (first + probe * step) & (SEEN_FILTER_BITS - 1);
    if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

/** Two hashes (FNV-1a, and its second round) of the id's characters. The step is odd, so that probes differ. */
function hashesOf(id: string): { readonly first: number; readonly step: number } {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  const first = mixed(hash);
  let second = first ^ 0x5bd1e995;
  for (let at = id.length - 1; at >= 0; at -= 1) second = Math.imul(second ^ id.charCodeAt(at), 0x01000193);
  return { first, step: mixed(second) | 1 };
}

/** Spreads what differs in high bits over the low ones. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return half ^ (half >>> 13);
}
