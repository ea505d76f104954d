// How a proposed block is cut into parts, and which validators pass each of them on. All nodes calculate the same from what the proposer
// has signed.
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { concatBytes } from "#shared/util/bytes.ts";

/** Smallest and largest part, bytes, but for the last one of a block. */
export const SMALLEST_PART_BYTES = 1_024;
export const LARGEST_PART_BYTES = 65_536;
/** Most parts of a block. */
export const MAX_PARTS = 256;
/** A block whose proposer would send no more than this in all, whole to each of the others, goes whole: that is one step less. */
export const WHOLE_UPLOAD_BYTES = 1_048_576;
/** With fewer others, two steps save nothing. */
const FEWEST_OTHERS = 3;
/** Validators that pass on a part which came from its proposer: in a small set two, in a larger one three, of whom one in three may fail. */
const FEW_RELAYS = 2;
const MOST_RELAYS = 3;
const LARGE_SET = 9;

/** True when a block of so many bytes goes whole to this many others. */
export function goesWhole(size: number, others: number): boolean {
  return others < FEWEST_OTHERS || size * others <= WHOLE_UPLOAD_BYTES;
}

/** Bytes of a part: about as many parts as there are others, so that all of them pass on as much. */
export function partBytesOf(size: number, others: number): number {
  const even = Math.max(Math.ceil(size / others), Math.ceil(size / MAX_PARTS));
  return Math.min(LARGEST_PART_BYTES, Math.max(SMALLEST_PART_BYTES, even));
}

/** Number of parts. */
export function partCount(size: number, partBytes: number): number {
  return Math.ceil(size / partBytes);
}

/** Validators that pass on each part, of so many others. */
export function relayCount(others: number): number {
  return Math.min(others, others < LARGE_SET ? FEW_RELAYS : MOST_RELAYS);
}

/**
 * Relays in an order that only the proposer knows before, so that no position in the set helps to be next to one another. Part i is passed
 * on by those at i, i + 1 … of the order.
 */
export function relayOrder<T>(relays: readonly T[], root: Uint8Array, round: number, hash: Sha256): readonly T[] {
  const order = [...relays];
  const seed = new Uint8Array(4);
  new DataView(seed.buffer).setUint32(0, round);
  for (let index = order.length - 1; index > 0; index -= 1) {
    const number = new Uint8Array(2);
    new DataView(number.buffer).setUint16(0, index);
    const digest = hash(concatBytes(root, seed, number));
    const chosen = new DataView(digest.buffer, digest.byteOffset).getUint32(0) % (index + 1);
    [order[index], order[chosen]] = [order[chosen] as T, order[index] as T];
  }
  return order;
}

/** How far down the order a relay stands for a part; the first ones, {@link relayCount} of them, get it from the proposer. */
export function relayRank<T>(order: readonly T[], validator: T, part: number): number {
  const position = order.indexOf(validator);
  return position === -1 ? Number.POSITIVE_INFINITY : (position - (part % order.length) + order.length) % order.length;
}

/** Fewest relays that a proposer may name: all others have to pass on as much, and a few alone would carry the load of all. */
export function fewestRelays(others: number): number {
  return Math.ceil((2 * others) / 3);
}
