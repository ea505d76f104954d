// Block header: what validators agree on. Hash = SHA-256 of its deterministic CBOR array.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { toHex } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";

/** Lower-case hex of 32 bytes. */
export type HashHex = string;
/** Block height; genesis is 0. */
export type Height = number;

/** An array of the fields in this order: it is what is hashed. */
export const headerCodec = record({
  version: integer(),
  chainId: textUpTo(),
  height: integer(),
  /** Proposer's wall clock, ms since 1970; strictly increasing along the chain. */
  timeMs: integer(),
  /** Hash of the parent header; the genesis hash in block 0. */
  parentHash: hex(32),
  /** Hash of the parent's commit; zeros in blocks 0 and 1. */
  lastCommitHash: hex(32),
  /** RFC 6962 root over the encoded transactions. */
  txRoot: hex(32),
  /** State root after this block. */
  stateRoot: hex(32),
  /** RFC 6962 root over the encoded receipts. */
  receiptsRoot: hex(32),
  validatorsHash: hex(32),
  nextValidatorsHash: hex(32),
  paramsHash: hex(32),
  /** RFC 6962 root over the encoded evidence. */
  evidenceRoot: hex(32),
  /** Validator that first proposed the block. */
  proposer: hex(32),
  /** Transactions, and receipts, of the block: a proof of RFC 6962 names the size of its tree and does not prove it. */
  txCount: integer(),
});

/** What the validators agree on. */
export type BlockHeader = TypeOf<typeof headerCodec>;

/** Block hash: SHA-256 of the header's CBOR. */
export function headerHash(header: BlockHeader, hash: Sha256 = sha256): HashHex {
  return toHex(hash(encode(headerCodec, header)));
}
