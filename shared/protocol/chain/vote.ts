// Votes, proposals and commits: what validators sign and what proves a block final.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { list, nullable, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, numbered } from "#shared/codec/scalars.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { domainBytes } from "../primitives/domains.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import { MAX_VALIDATORS } from "../primitives/limits.ts";
import type { VerifySignature } from "../primitives/signature.ts";
import type { HashHex } from "./header.ts";
import { isQuorum, type ValidatorSet } from "./validators.ts";

/** Any integer: what it says is checked with the signatures. */
const anyInteger = integer(Number.MIN_SAFE_INTEGER);

/** [0 for a prevote or 1, height, round, hash or null, validator index, signature] */
export const voteCodec = record({
  type: numbered(["prevote", "precommit"], "vote type"),
  height: integer(),
  round: integer(),
  blockHash: nullable(hex(32)),
  validatorIndex: integer(),
  signature: bytes(64),
});

/** A vote for a block hash, or for nil. `validatorIndex` is the position in the height's sorted set. */
export type Vote = TypeOf<typeof voteCodec>;

/** The two voting steps of a round. */
export type VoteType = Vote["type"];

/** [height, round, valid round, hash, validator index, signature] */
export const proposalCodec = record({
  height: integer(),
  round: integer(),
  validRound: integer(-1),
  blockHash: hex(32),
  validatorIndex: integer(),
  signature: bytes(64),
});

/** A proposal of a block hash; `validRound` is −1 when the proposer knows no polka for it. */
export type Proposal = TypeOf<typeof proposalCodec>;

/** [height, round, hash, bitmap, [signature…]] */
export const commitCodec = record({
  height: anyInteger,
  round: anyInteger,
  blockHash: hex(32),
  /** Bit i (least significant first) is set when validator i signed. */
  bitmap: bytesUpTo(Math.ceil(MAX_VALIDATORS / 8)),
  signatures: list(bytes(64), MAX_VALIDATORS),
});

/** Precommits of more than two thirds for one block. Signatures are in validator order, one per set bit. */
export type Commit = TypeOf<typeof commitCodec>;

const VOTE_CODES = { prevote: 1, precommit: 2 } as const;

/** Bytes a validator signs for a vote: domain `parley-vote` over [type, height, round, hash or null]. No time, no address. */
export function voteSignBytes(chainId: string, vote: Omit<Vote, "signature" | "validatorIndex">): Uint8Array {
  return domainBytes("vote", chainId, [
    VOTE_CODES[vote.type],
    vote.height,
    vote.round,
    vote.blockHash === null ? null : fromHex(vote.blockHash),
  ]);
}

/** Bytes a proposer signs: domain `parley-proposal` over [height, round, validRound, hash]. */
export function proposalSignBytes(chainId: string, proposal: Omit<Proposal, "signature" | "validatorIndex">): Uint8Array {
  return domainBytes("proposal", chainId, [proposal.height, proposal.round, proposal.validRound, fromHex(proposal.blockHash)]);
}

/** SHA-256 of the commit's CBOR. */
export function commitHash(commit: Commit, hash: Sha256 = sha256): HashHex {
  return toHex(hash(encode(commitCodec, commit)));
}

/** Indexes of the validators that signed, ascending. */
export function commitSigners(commit: Commit, size: number): readonly number[] {
  return Array.from({ length: size }, (_, index) => index).filter((index) => (((commit.bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1);
}

/** As many signatures of a commit as prove it, those of the lowest indexes: all that who has the set needs. */
export function leastCommit(commit: Commit, size: number): Commit {
  const signers = commitSigners(commit, size);
  const count = signers.findIndex((_, position) => isQuorum(position + 1, size)) + 1;
  if (count === 0 || count === signers.length) return commit;
  const bitmap = new Uint8Array(commit.bitmap.length);
  for (const index of signers.slice(0, count)) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  return { ...commit, bitmap, signatures: commit.signatures.slice(0, count) };
}

/** True when the commit holds valid precommits of more than two thirds of the set, in canonical form. */
export function verifyCommit(chainId: string, validators: ValidatorSet, commit: Commit, verify: VerifySignature): boolean {
  const size = validators.length;
  if (commit.bitmap.length !== Math.ceil(size / 8)) return false;
  const signers = commitSigners(commit, size);
  const bits = commit.bitmap.reduce((count, byte) => count + popCount(byte), 0);
  if (bits !== signers.length || signers.length !== commit.signatures.length || !isQuorum(signers.length, size)) return false;
  const message = voteSignBytes(chainId, { type: "precommit", height: commit.height, round: commit.round, blockHash: commit.blockHash });
  return signers.every((index, position) => {
    const validator = validators[index];
    const signature = commit.signatures[position];
    return validator !== undefined && signature !== undefined && verify(signature, message, fromHex(validator.publicKey));
  });
}

function popCount(byte: number): number {
  let count = 0;
  for (let bits = byte; bits > 0; bits >>= 1) count += bits & 1;
  return count;
}
