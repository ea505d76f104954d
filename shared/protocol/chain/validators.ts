// The validator set: sorted by key, one vote each.
import { type Codec, encode, type TypeOf } from "#shared/codec/codec.ts";
import { list, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import { compareBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import { MAX_VALIDATORS } from "../primitives/limits.ts";
import { merkleRoot } from "../primitives/merkle.ts";
import type { HashHex } from "./header.ts";

const validatorCodec = record({ publicKey: hex(32), bondUt: integer() });

/** One validator of a set. */
export type Validator = TypeOf<typeof validatorCodec>;

/** Validators in ascending byte order of their keys. */
export type ValidatorSet = readonly Validator[];

/** [[key, bond]…] in the order of the set, MAX_VALIDATORS at most. */
export const validatorSetCodec: Codec<ValidatorSet> = list(validatorCodec, MAX_VALIDATORS);

/** The set in canonical order. */
export function sortValidators(validators: readonly Validator[]): ValidatorSet {
  return [...validators].sort((a, b) => compareBytes(fromHex(a.publicKey), fromHex(b.publicKey)));
}

/** Sets are never changed, and the same one is hashed for every block that it signs. */
const hashes = new WeakMap<ValidatorSet, HashHex>();

/** RFC 6962 root over CBOR [key, bond] of each validator in order. */
export function validatorsHash(validators: ValidatorSet, hash: Sha256 = sha256): HashHex {
  const known = hashes.get(validators);
  if (known !== undefined) return known;
  const leaves = validators.map((validator) => encode(validatorCodec, validator));
  const root = toHex(merkleRoot(leaves, hash));
  hashes.set(validators, root);
  return root;
}

/** True when `count` of `size` validators are more than two thirds. */
export function isQuorum(count: number, size: number): boolean {
  return 3 * count > 2 * size;
}

/** Fewest votes that are a quorum. */
export function quorumOf(size: number): number {
  let count = 0;
  while (!isQuorum(count, size)) count += 1;
  return count;
}

/** True when `count` of `size` validators are more than one third: at least one of them is honest. */
export function isMoreThanThird(count: number, size: number): boolean {
  return 3 * count > size;
}
