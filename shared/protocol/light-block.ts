// Bytes of a block as light nodes keep it and peers hand it out: CBOR [header, commit or null, [[key, bond] …]].

import { fromHex, toHex } from "#shared/util/bytes.ts";
import { isAmount } from "./amount.ts";
import { type CborValue, decodeCbor, encodeCbor } from "./cbor.ts";
import { type BlockHeader, type HashHex, headerFromCbor, headerToCbor } from "./header.ts";
import type { Validator, ValidatorSet } from "./validators.ts";
import { type Commit, commitFromCbor, commitToCbor } from "./vote.ts";

/** A header with what proves it final, as it travels: nothing of it is checked yet. */
export interface LightBlock {
  readonly header: BlockHeader;
  /** Null for genesis, which nobody signs. */
  readonly commit: Commit | null;
  /** The set that signed; the header holds its hash. */
  readonly validators: ValidatorSet;
}

/** A {@link LightBlock} that this node has verified from what it trusts. */
export interface TrustedBlock extends LightBlock {
  readonly hash: HashHex;
}

/** CBOR value of a block, to stand inside a larger value. */
export function lightBlockToCbor({ header, commit, validators }: LightBlock): CborValue {
  return [headerToCbor(header), commit === null ? null : commitToCbor(commit), validatorsToCbor(validators)];
}

/** Block of {@link lightBlockToCbor}. @throws TypeError on another shape. What it says is not checked. */
export function lightBlockFromCbor(value: CborValue | undefined): LightBlock {
  if (!Array.isArray(value) || value.length !== 3) throw new TypeError("A block is an array of header, commit and validators");
  const [header, commit, validators] = value as readonly CborValue[];
  if (header === undefined || commit === undefined) throw new TypeError("A block has a header");
  return {
    header: headerFromCbor(header),
    commit: commit === null ? null : commitFromCbor(commit),
    validators: validatorsFromCbor(validators),
  };
}

/** Bytes of a block. */
export function encodeLightBlock(block: LightBlock): Uint8Array {
  return encodeCbor(lightBlockToCbor(block));
}

/** Block of {@link encodeLightBlock}. @throws Error on any other bytes. What it says is not checked. */
export function decodeLightBlock(bytes: Uint8Array): LightBlock {
  return lightBlockFromCbor(decodeCbor(bytes));
}

function validatorsToCbor(validators: ValidatorSet): CborValue {
  return validators.map(({ publicKey, bondUt }) => [fromHex(publicKey), bondUt]);
}

function validatorsFromCbor(value: CborValue | undefined): ValidatorSet {
  if (!Array.isArray(value)) throw new TypeError("Validators are an array");
  return (value as readonly CborValue[]).map(validatorFromCbor);
}

function validatorFromCbor(value: CborValue): Validator {
  if (!Array.isArray(value) || value.length !== 2) throw new TypeError("A validator is an array of key and bond");
  const [key, bondUt] = value as readonly CborValue[];
  if (!(key instanceof Uint8Array) || key.length !== 32 || !isAmount(bondUt)) throw new TypeError("A validator has a key and a bond");
  return { publicKey: toHex(key), bondUt };
}
