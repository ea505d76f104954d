// Records around the validator set: who stood in it when, pending approvals, bonds on their way back, punished offences.

import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import { VALIDATOR_ACTION_CODES, type ValidatorAction } from "#shared/protocol/authorisations.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { sha256 } from "#shared/protocol/hash.ts";
import type { Height } from "#shared/protocol/header.ts";
import { concatBytes, fromHex } from "#shared/util/bytes.ts";
import { hex32Of, integerOf, listOf, recordFields } from "./record-fields.ts";
import type { StateReader, StateView } from "./state-view.ts";

/** Heights at which a key voted, both ends included; `to` undefined while it is in the set. */
export interface Term {
  readonly from: Height;
  readonly to: Height | undefined;
}

/** What the chain remembers of a key that is or was a validator. */
export interface ValidatorRecord {
  /** Unix seconds of the block that let it in or out last: approvals given before are void. */
  readonly changedAt: number;
  /** Unix seconds before which it cannot return; 0 when it was never punished. */
  readonly bannedUntil: number;
  readonly terms: readonly Term[];
}

/** An approval of a pending change. */
export interface PendingApproval {
  readonly approver: PublicKeyHex;
  /** Unix seconds. */
  readonly at: number;
}

/** A bond on its way back. */
export interface Unbonding {
  readonly amountUt: AmountUt;
  /** Unix seconds from which it can be fetched. */
  readonly availableAt: number;
}

/** Identifies an offence: a validator contradicts itself once a height, round and step. */
export interface Offence {
  readonly validatorPub: PublicKeyHex;
  readonly height: Height;
  readonly round: number;
  readonly step: string;
}

const NEVER: ValidatorRecord = { changedAt: 0, bannedUntil: 0, terms: [] };

/** The record of a key; one without terms when it never was a validator. */
export function readValidatorRecord(reader: StateReader, publicKey: PublicKeyHex): ValidatorRecord {
  const value = reader.get("validator", fromHex(publicKey));
  if (value === undefined) return NEVER;
  const [changedAt, bannedUntil, terms] = recordFields(value, 3);
  return { changedAt: integerOf(changedAt), bannedUntil: integerOf(bannedUntil), terms: listOf(terms).map(termOf) };
}

/** CBOR [changed at, banned until, [[from, to or null]…]] under the key. */
export function writeValidatorRecord(view: StateView, publicKey: PublicKeyHex, record: ValidatorRecord): void {
  const terms = record.terms.map(({ from, to }) => [from, to ?? null]);
  view.set("validator", fromHex(publicKey), encodeCbor([record.changedAt, record.bannedUntil, terms]));
}

/** Approvals of a change, in ascending order of the approvers. */
export function readApprovals(reader: StateReader, action: ValidatorAction, publicKey: PublicKeyHex): readonly PendingApproval[] {
  const value = reader.get("approval", approvalKey(action, publicKey));
  return value === undefined ? [] : decodeApprovals(value);
}

/** Approvals of a value of the namespace `approval`. */
export function decodeApprovals(value: Uint8Array): readonly PendingApproval[] {
  return recordFields(value).map((item) => {
    const [approver, at] = listOf(item, 2);
    return { approver: hex32Of(approver), at: integerOf(at) };
  });
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
  else view.set("approval", key, encodeCbor(approvals.map(({ approver, at }) => [fromHex(approver), at])));
}

/** The bond that a key gets back, or undefined. */
export function readUnbonding(reader: StateReader, publicKey: PublicKeyHex): Unbonding | undefined {
  const value = reader.get("unbonding", fromHex(publicKey));
  if (value === undefined) return undefined;
  const [amount, availableAt] = recordFields(value, 2);
  return { amountUt: integerOf(amount), availableAt: integerOf(availableAt) };
}

/** CBOR [µT, available at] under the key; undefined removes it. */
export function writeUnbonding(view: StateView, publicKey: PublicKeyHex, unbonding: Unbonding | undefined): void {
  if (unbonding === undefined) view.delete("unbonding", fromHex(publicKey));
  else view.set("unbonding", fromHex(publicKey), encodeCbor([unbonding.amountUt, unbonding.availableAt]));
}

/** True when the offence was punished. */
export function isPunished(reader: StateReader, offence: Offence): boolean {
  return reader.get("offence", offenceKey(offence)) !== undefined;
}

/** CBOR [reporter] under SHA-256 of the CBOR of [validator, height, round, step]. */
export function writePunished(view: StateView, offence: Offence, reporterPub: PublicKeyHex): void {
  view.set("offence", offenceKey(offence), encodeCbor([fromHex(reporterPub)]));
}

function termOf(value: CborValue): Term {
  const [from, to] = listOf(value, 2);
  return { from: integerOf(from), to: to === null ? undefined : integerOf(to) };
}

function approvalKey(action: ValidatorAction, publicKey: PublicKeyHex): Uint8Array {
  return concatBytes(Uint8Array.of(VALIDATOR_ACTION_CODES[action]), fromHex(publicKey));
}

function offenceKey({ validatorPub, height, round, step }: Offence): Uint8Array {
  return sha256(encodeCbor([fromHex(validatorPub), height, round, step]));
}
