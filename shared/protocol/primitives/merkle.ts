// Merkle trees of RFC 6962 §2.1: leaf hash over 0x00, inner hash over 0x01, the split at the largest power of two.
import { concatBytes, equalBytes } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "./hash.ts";

const LEAF_PREFIX = Uint8Array.of(0);
const INNER_PREFIX = Uint8Array.of(1);

/** Sibling hashes from the leaf up. Verifiers must know `size` from elsewhere: the root does not bind it. */
export interface MerkleProof {
  readonly index: number;
  readonly size: number;
  readonly siblings: readonly Uint8Array[];
}

/** Root over the leaves' bytes in order; SHA-256 of nothing for no leaf. */
export function merkleRoot(leaves: readonly Uint8Array[], hash: Sha256 = sha256): Uint8Array {
  if (leaves.length === 0) return hash(new Uint8Array(0));
  return rootOf(leafHashes(leaves, hash), hash);
}

/** Proof that the leaf at `index` is in the tree. @throws RangeError when there is no such leaf. */
export function merkleProof(leaves: readonly Uint8Array[], index: number, hash: Sha256 = sha256): MerkleProof {
  if (!Number.isInteger(index) || index < 0 || index >= leaves.length) throw new RangeError(`index ${index} of ${leaves.length} leaves`);
  const siblings: Uint8Array[] = [];
  let level = leafHashes(leaves, hash);
  let position = index;
  while (level.length > 1) {
    const split = splitPoint(level.length);
    const isLeft = position < split;
    siblings.unshift(rootOf(isLeft ? level.slice(split) : level.slice(0, split), hash));
    level = isLeft ? level.slice(0, split) : level.slice(split);
    if (!isLeft) position -= split;
  }
  return { index, size: leaves.length, siblings };
}

/** Root over the leaves, and the proof of each: every hash is made once. */
export function merkleTree(
  leaves: readonly Uint8Array[],
  hash: Sha256 = sha256,
): { readonly root: Uint8Array; readonly proofs: readonly MerkleProof[] } {
  if (leaves.length === 0) return { root: merkleRoot(leaves, hash), proofs: [] };
  const { root, paths } = pathsOf(leafHashes(leaves, hash), hash);
  return { root, proofs: paths.map((siblings, index) => ({ index, size: leaves.length, siblings })) };
}

/** True when the proof shows that `leaf` is at its index under `root`, if the tree has the size that the proof names. */
export function verifyMerkleProof(root: Uint8Array, leaf: Uint8Array, proof: MerkleProof, hash: Sha256 = sha256): boolean {
  if (!Number.isSafeInteger(proof.index) || !Number.isSafeInteger(proof.size) || proof.index < 0 || proof.index >= proof.size) return false;
  const sides = pathSides(proof.index, proof.size);
  if (sides.length !== proof.siblings.length) return false;
  let node = hash(concatBytes(LEAF_PREFIX, leaf));
  for (const [level, sibling] of proof.siblings.entries()) {
    const isLeft = sides[sides.length - 1 - level] === "left";
    node = isLeft ? innerHash(node, sibling, hash) : innerHash(sibling, node, hash);
  }
  return equalBytes(node, root);
}

interface Paths {
  readonly root: Uint8Array;
  readonly paths: readonly Uint8Array[][];
}

function pathsOf(hashes: readonly Uint8Array[], hash: Sha256): Paths {
  const [first] = hashes;
  if (hashes.length === 1 && first !== undefined) return { root: first, paths: [[]] };
  const split = splitPoint(hashes.length);
  const left = pathsOf(hashes.slice(0, split), hash);
  const right = pathsOf(hashes.slice(split), hash);
  for (const path of left.paths) path.push(right.root);
  for (const path of right.paths) path.push(left.root);
  return { root: innerHash(left.root, right.root, hash), paths: [...left.paths, ...right.paths] };
}

/** Hashes of leaves, which are put behind their prefix in one piece of memory: a new one for each takes as long as its hash. */
function leafHashes(leaves: readonly Uint8Array[], hash: Sha256): readonly Uint8Array[] {
  let longest = 0;
  for (const { length } of leaves) longest = Math.max(longest, length);
  const bytes = new Uint8Array(LEAF_PREFIX.length + longest);
  bytes.set(LEAF_PREFIX);
  return leaves.map((leaf) => {
    bytes.set(leaf, LEAF_PREFIX.length);
    return hash(bytes.subarray(0, LEAF_PREFIX.length + leaf.length));
  });
}

/** Of hashes from one position to before another one. */
function rootOf(hashes: readonly Uint8Array[], hash: Sha256, from = 0, to = hashes.length): Uint8Array {
  const first = hashes[from];
  if (to - from === 1 && first !== undefined) return first;
  const split = from + splitPoint(to - from);
  return innerHash(rootOf(hashes, hash, from, split), rootOf(hashes, hash, split, to), hash);
}

function innerHash(left: Uint8Array, right: Uint8Array, hash: Sha256): Uint8Array {
  return hash(concatBytes(INNER_PREFIX, left, right));
}

function splitPoint(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

function pathSides(index: number, size: number): readonly ("left" | "right")[] {
  const sides: ("left" | "right")[] = [];
  let position = index;
  let remaining = size;
  while (remaining > 1) {
    const split = splitPoint(remaining);
    sides.push(position < split ? "left" : "right");
    remaining = position < split ? split : remaining - split;
    if (position >= split) position -= split;
  }
  return sides;
}
