import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { merkleProof, merkleRoot, verifyMerkleProof } from "#shared/protocol/primitives/merkle.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";

// The reference trees of Certificate Transparency (RFC 6962).
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(fromHex);
const ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

describe("Merkle trees", () => {
  it.each(ROOTS.map((root, size) => [size, root] as const))("root over %i reference leaves", (size, root) => {
    expect(toHex(merkleRoot(LEAVES.slice(0, size)))).toBe(root);
  });

  it("proof of leaf 5 of 8 holds the audit path of the reference tree", () => {
    expect(merkleProof(LEAVES, 5).siblings.map((sibling) => toHex(sibling).slice(0, 8))).toEqual(["bc1a0643", "ca854ea1", "d37ee418"]);
  });

  const tree = fc.uniqueArray(fc.uint8Array({ maxLength: 4 }), { minLength: 1, maxLength: 40, selector: toHex });

  it("every leaf's proof verifies, for no other leaf, position or size", () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.nat(), (leaves, at, otherIndex) => {
        const index = at % leaves.length;
        const leaf = leaves[index] ?? new Uint8Array();
        const root = merkleRoot(leaves);
        const proof = merkleProof(leaves, index);
        expect(verifyMerkleProof(root, leaf, proof)).toBe(true);
        expect(verifyMerkleProof(root, new Uint8Array([...leaf, 1]), proof)).toBe(false);
        const other = otherIndex % leaves.length;
        if (other !== index) expect(verifyMerkleProof(root, leaf, { ...proof, index: other })).toBe(false);
        expect(verifyMerkleProof(root, leaf, { ...proof, siblings: [...proof.siblings, root] })).toBe(false);
        expect(verifyMerkleProof(root, leaf, { ...proof, index: leaves.length })).toBe(false);
      }),
      { seed: 1 },
    );
  });

  it("there is no proof of a leaf that is not there", () => {
    for (const index of [-1, 8, 0.5]) expect(() => merkleProof(LEAVES, index)).toThrow(RangeError);
  });
});
