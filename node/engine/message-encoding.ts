// Votes and proposals as CBOR values, for the write-ahead log and the wire.

import type { CborValue } from "#shared/protocol/cbor.ts";
import type { HashHex } from "#shared/protocol/header.ts";
import type { Proposal, Vote } from "#shared/protocol/vote.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";

const VOTE_TYPES = ["prevote", "precommit"] as const;

/** CBOR value of a vote. */
export function voteToCbor(vote: Vote): CborValue {
  const hash = vote.blockHash === null ? null : fromHex(vote.blockHash);
  return [VOTE_TYPES.indexOf(vote.type), vote.height, vote.round, hash, vote.validatorIndex, vote.signature];
}

/** Vote of {@link voteToCbor}. @throws TypeError on another shape. */
export function voteFromCbor(value: CborValue | undefined): Vote {
  const [type, height, round, hash, validatorIndex, signature] = listOf(value, 6);
  return {
    type: VOTE_TYPES[countOf(type)] ?? fail("a vote type"),
    height: countOf(height),
    round: countOf(round),
    blockHash: hash === null ? null : hashOf(hash),
    validatorIndex: countOf(validatorIndex),
    signature: bytesOf(signature, 64),
  };
}

/** CBOR value of a proposal. */
export function proposalToCbor(proposal: Proposal): CborValue {
  const { height, round, validRound, blockHash, validatorIndex, signature } = proposal;
  return [height, round, validRound, fromHex(blockHash), validatorIndex, signature];
}

/** Proposal of {@link proposalToCbor}. @throws TypeError on another shape. */
export function proposalFromCbor(value: CborValue | undefined): Proposal {
  const [height, round, validRound, hash, validatorIndex, signature] = listOf(value, 6);
  return {
    height: countOf(height),
    round: countOf(round),
    validRound: validRound === -1 ? -1 : countOf(validRound),
    blockHash: hashOf(hash),
    validatorIndex: countOf(validatorIndex),
    signature: bytesOf(signature, 64),
  };
}

/** A list of exactly `length` values. @throws TypeError on anything else. */
export function listOf(value: CborValue | undefined, length: number): readonly CborValue[] {
  return Array.isArray(value) && value.length === length ? value : fail(`a list of ${length}`);
}

/** A non-negative integer. @throws TypeError on anything else. */
export function countOf(value: CborValue | undefined): number {
  return typeof value === "number" && value >= 0 ? value : fail("a non-negative integer");
}

/** A 32-byte hash, as hex. @throws TypeError on anything else. */
export function hashOf(value: CborValue | undefined): HashHex {
  return toHex(bytesOf(value, 32));
}

/** A byte string, of exactly `length` bytes when given. @throws TypeError on anything else. */
export function bytesOf(value: CborValue | undefined, length?: number): Uint8Array {
  return value instanceof Uint8Array && (length === undefined || value.length === length) ? value : fail("a byte string");
}

function fail(expected: string): never {
  throw new TypeError(`Expected ${expected}`);
}
