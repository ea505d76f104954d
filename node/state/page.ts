// One page of the state tree: four binary levels, that is 16 slots, under a prefix of the path. Pure encoding and hashing.
import type { StateLeaf } from "#shared/protocol/chain/state-proof.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { hashPair } from "./native-sha256.ts";

/** Slots of a page. */
export const PAGE_SLOTS = 16;

/** A subtree of one leaf. Its hash is kept so that reading a page hashes nothing. */
export interface LeafSlot extends StateLeaf {
  readonly kind: "leaf";
  readonly hash: Uint8Array;
}

/** A subtree of two leaves or more; as a slot of a page it has a page of its own. */
export interface NodeSlot {
  readonly kind: "node";
  readonly hash: Uint8Array;
}

/** A subtree: undefined when it is empty. */
export type Slot = LeafSlot | NodeSlot | undefined;

const EMPTY = new Uint8Array(32);
/** Bytes of a page before its slots. */
export const PAGE_HEAD_BYTES = 4;
/** Bytes of a leaf in a page: path, value hash, leaf hash. */
export const LEAF_BYTES = 96;
/** Bytes of a node in a page: its hash. */
export const NODE_BYTES = 32;

/** The leaf of a path and the SHA-256 of its value. */
export function leafSlot(path: Uint8Array, valueHash: Uint8Array): LeafSlot {
  return { kind: "leaf", path, valueHash, hash: hashPair(0, path, valueHash) };
}

/** Hash of a subtree; zeros for an empty one. */
export function slotHash(slot: Slot): Uint8Array {
  return slot?.hash ?? EMPTY;
}

/** The subtree of two halves: a single leaf moves up, anything larger is hashed. */
export function joinSlots(left: Slot, right: Slot): Slot {
  if (left === undefined && right?.kind !== "node") return right;
  if (right === undefined && left?.kind !== "node") return left;

  return { kind: "node", hash: hashPair(1, slotHash(left), slotHash(right)) };
}

/** The subtree of `size` slots (a power of two) from `from`. */
export function joinRange(slots: readonly Slot[], from: number, size: number): Slot {
  if (size === 1) return slots[from];
  const half = size / 2;
  return joinSlots(joinRange(slots, from, half), joinRange(slots, from + half, half));
}

/** Slots of a page that holds nothing. */
export function emptyPage(): Slot[] {
  return new Array<Slot>(PAGE_SLOTS).fill(undefined);
}

/**
 * Slots of a page: leaf bitmap and node bitmap (16 bits, big-endian, slot 0 low), then each slot: a leaf's path, value hash, leaf hash; a
 * node's hash. @throws CodedError INVARIANT when the page is damaged in its shape.
 */
export function decodePage(page: Uint8Array): Slot[] {
  assertInvariant(page.length >= 4, "A page of the state tree is shorter than its header");
  const leaves = ((page[0] ?? 0) << 8) | (page[1] ?? 0);
  const nodes = ((page[2] ?? 0) << 8) | (page[3] ?? 0);
  const slots = emptyPage();
  let offset = 4;
  for (let index = 0; index < PAGE_SLOTS; index += 1) {
    const isLeaf = ((leaves >> index) & 1) === 1;
    if (isLeaf) {
      const [path, valueHash, hash] = [0, 32, 64].map((at) => page.subarray(offset + at, offset + at + 32)) as [
        Uint8Array,
        Uint8Array,
        Uint8Array,
      ];
      slots[index] = { kind: "leaf", path, valueHash, hash };
      offset += LEAF_BYTES;
    } else if (((nodes >> index) & 1) === 1) {
      slots[index] = { kind: "node", hash: page.subarray(offset, offset + NODE_BYTES) };
      offset += NODE_BYTES;
    }
  }
  assertInvariant(offset === page.length && (leaves & nodes) === 0, "A page of the state tree is damaged");
  return slots;
}
