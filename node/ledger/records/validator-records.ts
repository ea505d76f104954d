// Records around the validator set: who was in it when, pending approvals, bonds on their way back, punished offences.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { array, list, optional, record } from "#shared/codec/composites.ts";
import { hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { VALIDATOR_ACTION_CODES, type ValidatorAction } from "#shared/protocol/transactions/authorisations.ts";
import { concatBytes, fromHex } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const termCodec = record({ from: integer(), to: optional(integer()) });
const validatorCodec = record({
  /** Unix seconds of the block that let it in or out last: approvals given before are void. */
  changedAt: integer(),
  /** Unix seconds before which it cannot return; 0 when it was never punished. */
  bannedUntil: integer(),
  terms: list(termCodec),
});
/** [approver, unix seconds] */
const approvalCodec = record({ approver: hex(32), at: integer() });
const approvalsCodec = list(approvalCodec);
/** [µT, unix seconds from which it can be fetched] */
const unbondingCodec = record({ amountUt: integer(), availableAt: integer() });
const reporterCodec = array(hex(32));
const offenceCodec = record({ validatorPub: hex(32), height: integer(), round: integer(), step: textUpTo() });

/** Heights at which a key voted, both ends included; `to` undefined while it is in the set. */
export type Term = TypeOf<typeof termCodec>;

/** What the chain remembers of a key that is or was a validator. */
export type ValidatorRecord = TypeOf<typeof validatorCodec>;

/** An approval of a pending change. */
export type PendingApproval = TypeOf<typeof approvalCodec>;

/** A bond on its way back. */
export type Unbonding = TypeOf<typeof unbondingCodec>;

/** Identifies an offence: a validator contradicts itself once a height, round and step. */
export type Offence = TypeOf<typeof offenceCodec>;

const NEVER: ValidatorRecord = { changedAt: 0, bannedUntil: 0, terms: [] };

/** The record of a key; one without terms when it never was a validator. */
export function readValidatorRecord(reader: StateReader, publicKey: PublicKeyHex): ValidatorRecord {
  const value = reader.get("validator", fromHex(publicKey));
  return value === undefined ? NEVER : decodeRecord(validatorCodec, value);
}

/** CBOR [changed at, banned until, [[from, to or null]…]] under the key. */
export function writeValidatorRecord(view: StateView, publicKey: PublicKeyHex, validator: ValidatorRecord): void {
  view.set("validator", fromHex(publicKey), encode(validatorCodec, validator));
}

/** Approvals of a change, in ascending order of the approvers. */
export function readApprovals(reader: StateReader, action: ValidatorAction, publicKey: PublicKeyHex): readonly PendingApproval[] {
  const value = reader.get("approval", approvalKey(action, publicKey));
  return value === undefined ? [] : decodeApprovals(value);
}

/** Approvals of a value of the namespace `approval`. */
export function decodeApprovals(value: Uint8Array): readonly PendingApproval[] {
  return decodeRecord(approvalsCodec, value);
}

/** CBOR [[approver, unix seconds]…] under the action's code and the key; no record without approvals. */
export function writeApprovals(
  view: StateView,
  action: ValidatorAction,
  publicKey: PublicKeyHex,
  approvals: readonly PendingApproval[],
): void {
  const key = approvalKey(action, publicKey);
  if (approvals.length === 0) view.delete("approval", key);
  else view.set("approval", key, encode(approvalsCodec, approvals));
}

/** The bond that a key gets back, or undefined. */
export function readUnbonding(reader: StateReader, publicKey: PublicKeyHex): Unbonding | undefined {
  const value = reader.get("unbonding", fromHex(publicKey));
  return value === undefined ? undefined : decodeRecord(unbondingCodec, value);
}

/** CBOR [µT, available at] under the key; undefined removes it. */
export function writeUnbonding(view: StateView, publicKey: PublicKeyHex, unbonding: Unbonding | undefined): void {
  if (unbonding === undefined) view.delete("unbonding", fromHex(publicKey));
  else view.set("unbonding", fromHex(publicKey), encode(unbondingCodec, unbonding));
}

/** True when the offence was punished. */
export function isPunished(reader: StateReader, offence: Offence): boolean {
  return reader.get("offence", offenceKey(offence)) !== undefined;
}

/** CBOR [reporter] under SHA-256 of the CBOR of [validator, height, round, step]. */
export function writePunished(view: StateView, offence: Offence, reporterPub: PublicKeyHex): void {
  view.set("offence", offenceKey(offence), encode(reporterCodec, reporterPub));
}

function approvalKey(action: ValidatorAction, publicKey: PublicKeyHex): Uint8Array {
  return concatBytes(Uint8Array.of(VALIDATOR_ACTION_CODES[action]), fromHex(publicKey));
}

function offenceKey(offence: Offence): Uint8Array {
  return sha256(encode(offenceCodec, offence));
}
