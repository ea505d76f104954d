// Block header: what validators agree on. Hash = SHA-256 of its deterministic CBOR array.
import { type Codec, encode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";

/** Lower-case hex of 32 bytes. */
export type HashHex = string;
/** Block height; genesis is 0. */
export type Height = number;

/** Fields in the order in which they are hashed. */
export interface BlockHeader {
  readonly version: number;
  readonly chainId: string;
  readonly height: Height;
  /** Proposer's wall clock, ms since 1970; strictly increasing along the chain. */
  readonly timeMs: number;
  /** Hash of the parent header; the genesis hash in block 0. */
  readonly parentHash: HashHex;
  /** Hash of the parent's commit; zeros in blocks 0 and 1. */
  readonly lastCommitHash: HashHex;
  /** RFC 6962 root over the encoded transactions. */
  readonly txRoot: HashHex;
  /** State root after this block. */
  readonly stateRoot: HashHex;
  /** RFC 6962 root over the encoded receipts. */
  readonly receiptsRoot: HashHex;
  readonly validatorsHash: HashHex;
  readonly nextValidatorsHash: HashHex;
  readonly paramsHash: HashHex;
  /** RFC 6962 root over the encoded evidence. */
  readonly evidenceRoot: HashHex;
  /** Validator that first proposed the block. */
  readonly proposer: PublicKeyHex;
}

/** An array of the fields in the order of the interface. */
export const headerCodec: Codec<BlockHeader> = record({
  version: integer(),
  chainId: textUpTo(),
  height: integer(),
  timeMs: integer(),
  parentHash: hex(32),
  lastCommitHash: hex(32),
  txRoot: hex(32),
  stateRoot: hex(32),
  receiptsRoot: hex(32),
  validatorsHash: hex(32),
  nextValidatorsHash: hex(32),
  paramsHash: hex(32),
  evidenceRoot: hex(32),
  proposer: hex(32),
});

/** Block hash: SHA-256 of the header's CBOR. */
export function headerHash(header: BlockHeader, hash: Sha256 = sha256): HashHex {
  return toHex(hash(encode(headerCodec, header)));
}
