// Schemas of proofs: what a client needs to check an answer against a block that more than two thirds of the validators signed.
import type { Static } from "typebox";
import * as Type from "typebox";
import { AmountUt, Count, Hash, Height, PublicKey } from "./primitives.ts";

const Hex = Type.String({ description: "Bytes, lower-case hex" });

export const ProvenBlock = Type.Object(
  {
    index: Height,
    hash: Hash,
    header_hex: Type.String({ description: "CBOR of the header; the hash is its SHA-256" }),
    commit_hex: Type.Union([Type.String(), Type.Null()], {
      description: "CBOR of the commit for the hash; null for genesis, which is not signed",
    }),
    validators: Type.Array(Type.Object({ pub_key: PublicKey, bond_ut: AmountUt }, { title: "ProvenValidator" }), {
      description: "The set that signed, in its order: the header holds its hash",
    }),
  },
  { title: "ProvenBlock" },
);

export const StateProof = Type.Object(
  {
    chain_id: Type.String(),
    namespace: Type.String(),
    key_hex: Hex,
    value_hex: Type.Union([Type.String(), Type.Null()], { description: "What the state holds under the key; null: nothing" }),
    siblings: Type.Array(Hash, { description: "Hashes from the place of the key up to the root; zeros stand for an empty subtree" }),
    other_leaf: Type.Union([Type.Object({ path: Hash, value_hash: Hash }, { title: "OtherLeaf" }), Type.Null()], {
      description: "The leaf that stands where an absent key would stand, if any does",
    }),
    block: ProvenBlock,
  },
  { title: "StateProof" },
);

export const TransactionProof = Type.Object(
  {
    chain_id: Type.String(),
    tx_id: Type.String(),
    position: Type.Integer({ minimum: 0, description: "Place in the block" }),
    count: Count,
    transaction_hex: Type.String({ description: "CBOR of the transaction: a leaf of the header's transaction root" }),
    transaction_siblings: Type.Array(Hash),
    receipt_hex: Type.String({ description: "CBOR of its receipt: a leaf of the header's receipts root" }),
    receipt_siblings: Type.Array(Hash),
    block: ProvenBlock,
  },
  { title: "TransactionProof" },
);

export type ProvenBlock = Static<typeof ProvenBlock>;
export type StateProof = Static<typeof StateProof>;
export type TransactionProof = Static<typeof TransactionProof>;
