// Proofs against a state root: the hashes of the compact binary sparse Merkle tree and the check of (non-)inclusion. Runs anywhere.
import type { Codec, TypeOf } from "#shared/codec/codec.ts";
import { list, mapped, nullable, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo } from "#shared/codec/scalars.ts";
import { compareBytes, concatBytes, equalBytes, utf8 } from "#shared/util/bytes.ts";
import { type Sha256, sha256, ZERO_HASH } from "../primitives/hash.ts";

/** Most binary levels below the root. */
export const STATE_TREE_DEPTH = 256;

/** What a proof is to show: that the key holds the value, or that it is absent (`value` undefined). */
export interface StateClaim {
  readonly namespace: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

const SEPARATOR = Uint8Array.of(0);
const LEAF_PREFIX = Uint8Array.of(0);
const INNER_PREFIX = Uint8Array.of(1);

const leafCodec = record({ path: bytes(32), valueHash: bytes(32) });

/** A leaf as a proof names it. */
export type StateLeaf = TypeOf<typeof leafCodec>;

/** Zeros, which stand for an empty sibling, are an empty byte string. */
export const siblingCodec: Codec<Uint8Array> = mapped(
  bytesUpTo(32),
  (sibling) => {
    if (sibling.length === 0) return ZERO_HASH;
    if (sibling.length !== 32 || equalBytes(sibling, ZERO_HASH)) throw new TypeError("A sibling has 32 bytes, not all zero, or none");
    return sibling;
  },
  (sibling) => (equalBytes(sibling, ZERO_HASH) ? sibling.subarray(0, 0) : sibling),
);

/** [siblings, null or the other leaf as [path, value hash]] */
export const stateProofCodec = record({
  /** Sibling hashes from the key's position up to the root; zeros stand for an empty sibling. */
  siblings: list(siblingCodec, STATE_TREE_DEPTH),
  otherLeaf: nullable(leafCodec),
});

/**
 * What leads from a key's position to the root. The position holds the key's own leaf (inclusion: `otherLeaf` null), nothing, or the
 * leaf of another key whose path begins alike (`otherLeaf`), which shows that the key itself is absent.
 */
export type StateProof = TypeOf<typeof stateProofCodec>;

/** Path of a key: SHA-256(namespace ‖ 0x00 ‖ key), 32 bytes. */
export function statePath(namespace: string, key: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  return hash(concatBytes(utf8(namespace), SEPARATOR, key));
}

/** SHA-256(0x00 ‖ path ‖ SHA-256 of the value). A subtree of one leaf has this hash too. */
export function stateLeafHash(leaf: StateLeaf, hash: Sha256 = sha256): Uint8Array {
  return hash(concatBytes(LEAF_PREFIX, leaf.path, leaf.valueHash));
}

/** SHA-256(0x01 ‖ left ‖ right) of a subtree with at least two leaves. */
export function stateInnerHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  return hash(concatBytes(INNER_PREFIX, left, right));
}

/** Bit of a path at a depth: 0 goes left, 1 goes right; most significant first. */
export function pathBit(path: Uint8Array, depth: number): 0 | 1 {
  return (((path[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1) === 1 ? 1 : 0;
}

/** True when the proof shows the claim under the root. Never throws for a proof of {@link stateProofCodec}. */
export function verifyStateProof(root: Uint8Array, claim: StateClaim, proof: StateProof, hash: Sha256 = sha256): boolean {
  if (proof.siblings.length > STATE_TREE_DEPTH) return false;
  const path = statePath(claim.namespace, claim.key, hash);
  let node = terminalHash(path, claim.value, proof, hash);
  if (node === undefined) return false;
  for (const [level, sibling] of proof.siblings.entries()) {
    const depth = proof.siblings.length - 1 - level;
    node = pathBit(path, depth) === 0 ? stateInnerHash(node, sibling, hash) : stateInnerHash(sibling, node, hash);
  }
  return equalBytes(node, root);
}

function terminalHash(path: Uint8Array, value: Uint8Array | undefined, proof: StateProof, hash: Sha256): Uint8Array | undefined {
  const other = proof.otherLeaf;
  if (value !== undefined) return other === null ? stateLeafHash({ path, valueHash: hash(value) }, hash) : undefined;
  if (other === null) return ZERO_HASH;
  return isOnSameBranch(path, other.path, proof.siblings.length) ? stateLeafHash(other, hash) : undefined;
}

/** Another leaf proves absence only where it is on the key's own way down, and is not the key's leaf. */
function isOnSameBranch(path: Uint8Array, other: Uint8Array, depth: number): boolean {
  if (compareBytes(path, other) === 0) return false;
  for (let bit = 0; bit < depth; bit += 1) if (pathBit(path, bit) !== pathBit(other, bit)) return false;
  return true;
}
