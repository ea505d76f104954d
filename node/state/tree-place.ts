// A place in the state tree: the subtree of all paths that begin with some bits. Places are split into smaller ones, never joined.
import { STATE_TREE_DEPTH } from "#shared/protocol/chain/state-proof.ts";

/** All paths that begin with the same bits. */
export interface TreePlace {
  /** How many bits. */
  readonly depth: number;
  /** The bits, first in the highest bit of the first byte; what is left of the last byte is zero. */
  readonly prefix: Uint8Array;
}

/** First and last path of a place, 32 bytes each. */
export interface PathRange {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

const PATH_BYTES = STATE_TREE_DEPTH / 8;

/** The whole tree. */
export const ROOT_PLACE: TreePlace = { depth: 0, prefix: new Uint8Array(0) };

/** True when the prefix has as many bits as the depth says, and no other ones. */
export function isTreePlace({ depth, prefix }: TreePlace): boolean {
  if (depth < 0 || depth > STATE_TREE_DEPTH || prefix.length !== Math.ceil(depth / 8)) return false;
  const spare = prefix.length * 8 - depth;
  return ((prefix.at(-1) ?? 0) & ((1 << spare) - 1)) === 0;
}

/** The first and the last path of a place. */
export function pathsOf({ depth, prefix }: TreePlace): PathRange {
  const first = new Uint8Array(PATH_BYTES);
  const last = new Uint8Array(PATH_BYTES).fill(0xff);
  first.set(prefix);
  last.set(prefix);
  const spare = prefix.length * 8 - depth;
  if (spare > 0) last[prefix.length - 1] = (prefix.at(-1) ?? 0) | ((1 << spare) - 1);
  return { first, last };
}

/** A place for a person: its bits. */
export function placeInWords({ depth, prefix }: TreePlace): string {
  if (depth === 0) return "the root";
  const bits = [...prefix].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return `place ${bits.slice(0, depth)}`;
}

/** True when a path begins with the bits of a place, or with the first `depth` of them. */
export function isWithin(path: Uint8Array, place: TreePlace, depth: number = place.depth): boolean {
  const whole = depth >> 3;
  for (let at = 0; at < whole; at += 1) if (path[at] !== place.prefix[at]) return false;
  const spare = 8 - (depth & 7);
  return spare === 8 || (path[whole] ?? 0) >> spare === (place.prefix[whole] ?? 0) >> spare;
}

/** The places so many levels below a place, in the order of their paths: together they are the place. */
export function partsOf({ depth, prefix }: TreePlace, levels: number): readonly TreePlace[] {
  const below = Math.min(depth + levels, STATE_TREE_DEPTH);
  return Array.from({ length: 2 ** (below - depth) }, (_, index) => {
    const part = new Uint8Array(Math.ceil(below / 8));
    part.set(prefix);
    for (let bit = depth; bit < below; bit += 1) {
      const isOne = Math.floor(index / 2 ** (below - 1 - bit)) % 2 === 1;
      if (isOne) part[bit >> 3] = (part[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
    }
    return { depth: below, prefix: part };
  });
}

/** How far into a place a path of it lies, 0 to 1: paths are hashes, so that is the share of its leaves before it. */
export function shareBefore(path: Uint8Array, { depth }: TreePlace): number {
  let share = 0;
  for (let bit = 0; bit < SHARE_BITS && depth + bit < STATE_TREE_DEPTH; bit += 1) {
    const at = depth + bit;
    if (((path[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0) share += 2 ** -(bit + 1);
  }
  return share;
}

const SHARE_BITS = 32;
