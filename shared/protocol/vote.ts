// Votes, proposals and commits: what validators sign and what proves a block final.
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { type CborValue, encodeCbor } from "./cbor.ts";
import { domainBytes } from "./domains.ts";
import { type Sha256, sha256 } from "./hash.ts";
import type { HashHex, Height } from "./header.ts";
import type { VerifySignature } from "./signature.ts";
import { isQuorum, type ValidatorSet } from "./validators.ts";

/** The two voting steps of a round. */
export type VoteType = "prevote" | "precommit";

/** A vote for a block hash, or for nil. `validatorIndex` is the position in the height's sorted set. */
export interface Vote {
  readonly type: VoteType;
  readonly height: Height;
  readonly round: number;
  readonly blockHash: HashHex | null;
  readonly validatorIndex: number;
  readonly signature: Uint8Array;
}

/** A proposal of a block hash; `validRound` is −1 when the proposer knows no polka for it. */
export interface Proposal {
  readonly height: Height;
  readonly round: number;
  readonly validRound: number;
  readonly blockHash: HashHex;
  readonly validatorIndex: number;
  readonly signature: Uint8Array;
}

/** Precommits of more than two thirds for one block. Signatures stand in validator order, one per set bit. */
export interface Commit {
  readonly height: Height;
  readonly round: number;
  readonly blockHash: HashHex;
  /** Bit i (least significant first) is set when validator i signed. */
  readonly bitmap: Uint8Array;
  readonly signatures: readonly Uint8Array[];
}

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

/** CBOR value of a commit. */
export function commitToCbor(commit: Commit): CborValue {
  return [commit.height, commit.round, fromHex(commit.blockHash), commit.bitmap, commit.signatures];
}

/** Commit of {@link commitToCbor}. @throws TypeError on another shape. */
export function commitFromCbor(value: CborValue): Commit {
  if (!Array.isArray(value) || value.length !== 5) throw new TypeError("A commit is an array of 5 fields");
  const [height, round, blockHash, bitmap, signatures] = value as readonly CborValue[];
  if (typeof height !== "number" || typeof round !== "number" || !(blockHash instanceof Uint8Array) || blockHash.length !== 32)
    throw new TypeError("A commit names height, round and hash");
  if (!(bitmap instanceof Uint8Array) || !Array.isArray(signatures)) throw new TypeError("A commit has a bitmap and signatures");
  return { height, round, blockHash: toHex(blockHash), bitmap, signatures: signatures.map(signature64) };
}

/** SHA-256 of the commit's CBOR. */
export function commitHash(commit: Commit, hash: Sha256 = sha256): HashHex {
  return toHex(hash(encodeCbor(commitToCbor(commit))));
}

/** Indexes of the validators that signed, ascending. */
export function commitSigners(commit: Commit, size: number): readonly number[] {
  return Array.from({ length: size }, (_, index) => index).filter((index) => (((commit.bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1);
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

function signature64(value: CborValue): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== 64) throw new TypeError("A signature is 64 bytes");
  return value;
}

function popCount(byte: number): number {
  let count = 0;
  for (let bits = byte; bits > 0; bits >>= 1) count += bits & 1;
  return count;
}
