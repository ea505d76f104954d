// Block header: what validators agree on. Hash = SHA-256 of its deterministic CBOR array.
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "./address.ts";
import { type CborValue, encodeCbor } from "./cbor.ts";
import { type Sha256, sha256 } from "./hash.ts";

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

/** CBOR value of a header, to stand inside a larger value. */
export function headerToCbor(header: BlockHeader): readonly CborValue[] {
  return [
    header.version,
    header.chainId,
    header.height,
    header.timeMs,
    fromHex(header.parentHash),
    fromHex(header.lastCommitHash),
    fromHex(header.txRoot),
    fromHex(header.stateRoot),
    fromHex(header.receiptsRoot),
    fromHex(header.validatorsHash),
    fromHex(header.nextValidatorsHash),
    fromHex(header.paramsHash),
    fromHex(header.evidenceRoot),
    fromHex(header.proposer),
  ];
}

/** Header of {@link headerToCbor}. @throws TypeError on another shape. */
export function headerFromCbor(value: CborValue): BlockHeader {
  if (!Array.isArray(value) || value.length !== 14) throw new TypeError("A header is an array of 14 fields");
  const [version, chainId, height, timeMs, ...hashes] = value as readonly CborValue[];
  if (typeof chainId !== "string") throw new TypeError("chain_id is a text");
  const [
    parentHash,
    lastCommitHash,
    txRoot,
    stateRoot,
    receiptsRoot,
    validatorsHash,
    nextValidatorsHash,
    paramsHash,
    evidenceRoot,
    proposer,
  ] = hashes.map(hash32) as [HashHex, HashHex, HashHex, HashHex, HashHex, HashHex, HashHex, HashHex, HashHex, HashHex];
  return {
    version: integer(version),
    chainId,
    height: integer(height),
    timeMs: integer(timeMs),
    parentHash,
    lastCommitHash,
    txRoot,
    stateRoot,
    receiptsRoot,
    validatorsHash,
    nextValidatorsHash,
    paramsHash,
    evidenceRoot,
    proposer,
  };
}

/** Block hash: SHA-256 of the header's CBOR. */
export function headerHash(header: BlockHeader, hash: Sha256 = sha256): HashHex {
  return toHex(hash(encodeCbor(headerToCbor(header))));
}

function hash32(value: CborValue): HashHex {
  if (!(value instanceof Uint8Array) || value.length !== 32) throw new TypeError("A hash is 32 bytes");
  return toHex(value);
}

function integer(value: CborValue | undefined): number {
  if (typeof value !== "number" || value < 0) throw new TypeError("A header number is a non-negative integer");
  return value;
}
