// Bytes of proposals whose block travels in parts: what the proposer signs, the parts, and requests for those that are missing.
import { encode, type TypeOf, tryDecode } from "#shared/codec/codec.ts";
import { list, named, record, refined } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, integer, view } from "#shared/codec/scalars.ts";
import { unionPair } from "#shared/codec/unions.ts";
import { proposalCodec } from "#shared/protocol/chain/vote.ts";
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { LARGEST_PART_BYTES, MAX_PARTS, partCount, SMALLEST_PART_BYTES } from "./part-layout.ts";

/** Largest encoded block that travels in parts, bytes: the 4 MiB of transactions that any network can have at most, with evidence and commits. */
export const MAX_PROPOSED_BYTES = 5_242_880;
/** Type of the first of these messages: those before are of the engine. */
const FIRST_TYPE = 5;
/** Hashes of the proof of one of {@link MAX_PARTS} parts. */
const MAX_SIBLINGS = 8;

/** [proposal, bytes of the block, bytes of a part, Merkle root of the parts, relays, signature] */
export const partsHeadCodec = refined(
  record({
    proposal: proposalCodec,
    size: integer(1, MAX_PROPOSED_BYTES),
    partBytes: integer(SMALLEST_PART_BYTES, LARGEST_PART_BYTES),
    root: bytes(32),
    /** Bit i (least significant first) is set when validator i is to pass parts on. */
    relays: bytesUpTo(Math.ceil(MAX_VALIDATORS / 8)),
    signature: bytes(64),
  }),
  ({ size, partBytes }) => partCount(size, partBytes) <= MAX_PARTS,
  `at most ${MAX_PARTS} parts`,
);

/** A proposal without its block, and what proves each part of the block. */
export type PartsHead = TypeOf<typeof partsHeadCodec>;

/** The head stays encoded: it comes with every part, and is the same each time. */
const partMessageCodec = unionPair(
  "type",
  "numbers",
  {
    part: record({ head: view, index: integer(0, MAX_PARTS - 1), siblings: list(bytes(32), MAX_SIBLINGS), bytes: view }),
    head: named("head", view),
    /** Bit i (least significant first) is set for each part that is requested. */
    missing: record({ root: bytes(32), parts: bytesUpTo(MAX_PARTS / 8, 1) }),
  },
  FIRST_TYPE,
);

export type PartMessage = TypeOf<typeof partMessageCodec>;

/** A part with its proof and the head that it belongs to. */
export type PartOfBlock = Omit<Extract<PartMessage, { readonly type: "part" }>, "type" | "head">;

/** Bytes that a proposer signs besides the proposal: domain `parley-parts` over [height, round, hash, size, bytes of a part, root, relays]. */
export function partsSignBytes(chainId: string, { proposal, size, partBytes, root, relays }: Omit<PartsHead, "signature">): Uint8Array {
  return domainBytes("parts", chainId, [proposal.height, proposal.round, fromHex(proposal.blockHash), size, partBytes, root, relays]);
}

export function encodePartMessage(message: PartMessage): Uint8Array {
  return encode(partMessageCodec, message);
}

/** True for bytes that begin like one of these messages. */
export function isPartMessage(frame: Uint8Array): boolean {
  const [head = 0, type = 0] = frame;
  return head === 0x82 && type >= FIRST_TYPE && type < FIRST_TYPE + 3;
}

/** Message of {@link encodePartMessage}, undefined for other bytes. */
export function decodePartMessage(frame: Uint8Array): PartMessage | undefined {
  return tryDecode(partMessageCodec, frame);
}

/** The positions of the bits that are set, below `count`. */
export function bitPositions(bits: Uint8Array, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index).filter((index) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1);
}

/** Bits that are set at these positions. */
export function bitsAt(positions: readonly number[]): Uint8Array {
  const bits = new Uint8Array((Math.max(0, ...positions) >> 3) + 1);
  for (const index of positions) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  return bits;
}
