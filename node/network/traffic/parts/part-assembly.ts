// The parts of one block, each stored only when it is proven to belong to it.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { merkleTree, verifyMerkleProof } from "#shared/protocol/primitives/merkle.ts";
import { concatBytes, equalBytes } from "#shared/util/bytes.ts";
import type { PartOfBlock, PartsHead } from "./part-codec.ts";
import { partCount } from "./part-layout.ts";
import { PARTS_LIMITS } from "./parts-limits.ts";

/** What all proposals of one block have in common. */
export type PartsRoot = Pick<PartsHead, "size" | "partBytes" | "root">;

const EMPTY = new Uint8Array();

/** Collects the parts of a block in any order. */
export class PartAssembly {
  readonly count: number;
  /** Bytes that each validator was sent at its request. */
  readonly served = new Map<PublicKeyHex, number>();
  readonly #root: PartsRoot;
  readonly #hash: Sha256;
  readonly #parts: (PartOfBlock | undefined)[];
  #missing: number;

  constructor(root: PartsRoot, hash: Sha256) {
    this.#root = root;
    this.#hash = hash;
    this.count = partCount(root.size, root.partBytes);
    this.#parts = Array.from({ length: this.count }, () => undefined);
    this.#missing = this.count;
  }

  /** Bytes that one validator may request: each part a few times. */
  get servedBytes(): number {
    return PARTS_LIMITS.servedCopies * (this.#root.size + this.#root.partBytes);
  }

  get isComplete(): boolean {
    return this.#missing === 0;
  }

  /** Takes a part; `invalid` when it is none of this block. */
  add(part: PartOfBlock): "added" | "known" | "invalid" {
    const { size, partBytes, root } = this.#root;
    if (part.index >= this.count) return "invalid";
    const known = this.#parts[part.index];
    if (known !== undefined) return isSamePart(known, part) ? "known" : "invalid";
    const expected = Math.min(partBytes, size - part.index * partBytes);
    const proof = { index: part.index, size: this.count, siblings: part.siblings };
    if (part.bytes.length !== expected || !verifyMerkleProof(root, part.bytes, proof, this.#hash)) return "invalid";
    this.#parts[part.index] = part;
    this.#missing -= 1;
    return "added";
  }

  part(index: number): PartOfBlock | undefined {
    return this.#parts[index];
  }

  /** Positions of the parts that are missing, ascending. */
  missing(): readonly number[] {
    return this.#parts.flatMap((part, index) => (part === undefined ? [index] : []));
  }

  /** The bytes of the block, once it is complete. */
  bytes(): Uint8Array {
    return concatBytes(...this.#parts.map((part) => part?.bytes ?? new Uint8Array()));
  }
}

function isSamePart(a: PartOfBlock, b: PartOfBlock): boolean {
  return (
    equalBytes(a.bytes, b.bytes) &&
    a.siblings.length === b.siblings.length &&
    a.siblings.every((hash, at) => equalBytes(hash, b.siblings[at] ?? EMPTY))
  );
}

/** Cuts a block into parts, with the proof of each. */
export function cutIntoParts(
  block: Uint8Array,
  partBytes: number,
  hash: Sha256,
): { readonly root: Uint8Array; readonly parts: readonly PartOfBlock[] } {
  const count = partCount(block.length, partBytes);
  const pieces = Array.from({ length: count }, (_, index) => block.subarray(index * partBytes, (index + 1) * partBytes));
  const { root, proofs } = merkleTree(pieces, hash);
  return { root, parts: pieces.map((bytes, index) => ({ index, siblings: proofs[index]?.siblings ?? [], bytes })) };
}
