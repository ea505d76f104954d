// What ADD_VALIDATOR, REMOVE_VALIDATOR and SLASH share: approvals that add up, and entering and leaving the set.
// A changed set votes from the next height on.

import { isQuorum, sortValidators, type Validator } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { APPROVAL_LIFETIME_S, MAX_VALIDATORS, TX_WINDOW_MS, UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import { approvalSignBytes, type ValidatorAction } from "#shared/protocol/transactions/authorisations.ts";
import type { Cosignature, ValidatorChange } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import type { TransactionContext } from "../../context.ts";
import { writeSetAside } from "../../records/absence-records.ts";
import { debit } from "../../records/balance.ts";
import { readValidators, writeValidators } from "../../records/records.ts";
import {
  type PendingApproval,
  readApprovals,
  readUnbonding,
  readValidatorRecord,
  type Term,
  type ValidatorRecord,
  writeApprovals,
  writeUnbonding,
  writeValidatorRecord,
} from "../../records/validator-records.ts";
import type { StateReader, StateView } from "../../state-view.ts";
import {
  type FieldRule,
  hexField,
  integerField,
  listField,
  objectField,
  optional,
  type PayloadFields,
  signatureField,
} from "../payload-fields.ts";
import { blockSeconds, type SignatureInput } from "../transaction-rule.ts";

/** The approvals of a change once a transaction is counted. */
export interface Tally {
  /** In ascending order of the approvers. */
  readonly approvals: readonly PendingApproval[];
  /** True when the transaction brings at least one approval that counts. */
  readonly isEffective: boolean;
  /** True when more than two thirds of the set approve. */
  readonly hasQuorum: boolean;
  /** True when the key itself approves. */
  readonly hasConsent: boolean;
}

/** Latest time of a cosignature after the block's. */
const CLOCK_SKEW_S = TX_WINDOW_MS / 1000;

/** Approvals that were given outside the transaction. */
export const COSIGNATURES_FIELD: FieldRule<readonly Cosignature[]> = optional(
  listField(
    objectField<Cosignature>({
      validator_pub: hexField(32, "an Ed25519 key"),
      signed_at: integerField(0, Number.MAX_SAFE_INTEGER),
      signature: signatureField(),
    }),
    0,
    MAX_VALIDATORS,
  ),
);

/** Payload fields of both types. */
export const VALIDATOR_CHANGE_FIELDS: PayloadFields<ValidatorChange> = {
  pub_key: hexField(32, "an Ed25519 key"),
  cosigs: COSIGNATURES_FIELD,
};

/** Signatures of a payload's cosigners. */
export function cosignatureInputs(action: ValidatorAction, payload: ValidatorChange, chainId: string): readonly SignatureInput[] {
  return (payload.cosigs ?? []).map((cosig) => ({
    signature: fromBase64(cosig.signature),
    message: approvalSignBytes(chainId, { action, publicKey: payload.pub_key, signedAt: cosig.signed_at }),
    publicKey: fromHex(cosig.validator_pub),
  }));
}

/** Counts a transaction's approvals together with those on chain. Only validators and the key itself can approve. */
export function tallyApprovals(
  state: StateReader,
  action: ValidatorAction,
  { from, payload }: Pick<Transaction, "from"> & { readonly payload: ValidatorChange },
  context: TransactionContext,
): Tally {
  const now = blockSeconds(context);
  const members = new Set(readValidators(state).map(({ publicKey }) => publicKey));
  const { changedAt } = readValidatorRecord(state, payload.pub_key);
  const isCounted = ({ approver, at }: PendingApproval): boolean =>
    (members.has(approver) || approver === payload.pub_key) && at > now - APPROVAL_LIFETIME_S;
  const cosigned = (payload.cosigs ?? [])
    .map((cosig) => ({ approver: cosig.validator_pub, at: cosig.signed_at }))
    .filter(({ at }) => at > changedAt && at <= now + CLOCK_SKEW_S);
  const brought = [{ approver: from, at: now }, ...cosigned].filter(isCounted);
  const latest = new Map<PublicKeyHex, number>();
  for (const { approver, at } of [...readApprovals(state, action, payload.pub_key).filter(isCounted), ...brought])
    latest.set(approver, Math.max(at, latest.get(approver) ?? 0));
  const approvals = [...latest].map(([approver, at]) => ({ approver, at })).sort((a, b) => (a.approver < b.approver ? -1 : 1));
  return {
    approvals,
    isEffective: brought.length > 0,
    hasQuorum: isQuorum(approvals.filter(({ approver }) => members.has(approver)).length, members.size),
    hasConsent: latest.has(payload.pub_key),
  };
}

/** µT that the candidate's balance must cover: the bond, less what is on its way back to it. */
export function missingBondUt(state: StateReader, publicKey: PublicKeyHex, context: TransactionContext): AmountUt {
  return Math.max(0, context.params.validator_bond_ut - (readUnbonding(state, publicKey)?.amountUt ?? 0));
}

/** Locks the bond and puts the key into the set of the next height, as these approvals have decided. */
export function enterSet(
  view: StateView,
  publicKey: PublicKeyHex,
  approvals: readonly PendingApproval[],
  context: TransactionContext,
): void {
  const missingUt = missingBondUt(view, publicKey, context);
  const bondUt = missingUt + (readUnbonding(view, publicKey)?.amountUt ?? 0);
  debit(view, publicKey, missingUt);
  writeUnbonding(view, publicKey, undefined);
  writeSetAside(view, publicKey, undefined);
  writeValidators(view, sortValidators([...readValidators(view), { publicKey, bondUt }]));
  const record = readValidatorRecord(view, publicKey);
  const terms: readonly Term[] = [...record.terms, { from: context.height + 1, to: undefined }];
  writeValidatorRecord(view, publicKey, { ...record, changedAt: changeTime(record, approvals, context), terms });
  clearApprovals(view, publicKey);
}

/** Takes a validator out of the set of the next height, as these approvals have decided; its bond waits to be fetched. */
export function leaveSet(
  view: StateView,
  { publicKey, bondUt }: Validator,
  approvals: readonly PendingApproval[],
  context: Pick<TransactionContext, "height" | "timeMs">,
): void {
  const now = blockSeconds(context);
  writeValidators(
    view,
    readValidators(view).filter((validator) => validator.publicKey !== publicKey),
  );
  if (bondUt > 0) writeUnbonding(view, publicKey, { amountUt: bondUt, availableAt: now + UNBONDING_S });
  const record = readValidatorRecord(view, publicKey);
  writeValidatorRecord(view, publicKey, {
    ...record,
    changedAt: changeTime(record, approvals, context),
    terms: record.terms.flatMap((term) => endTerm(term, context.height)),
  });
  clearApprovals(view, publicKey);
}

/** Clocks of those who cosign may be ahead: what they signed for this change must not count again after the next one. */
function changeTime(
  { changedAt }: ValidatorRecord,
  approvals: readonly PendingApproval[],
  context: Pick<TransactionContext, "timeMs">,
): number {
  return approvals.reduce((latest, { at }) => Math.max(latest, at), Math.max(changedAt, blockSeconds(context)));
}

/** A term as it is once its key left in a block: one that began after this height was never served. */
export function endTerm(term: Term, height: number): readonly Term[] {
  if (term.to !== undefined) return [term];
  return term.from > height ? [] : [{ from: term.from, to: height }];
}

/** Forgets the approvals of both changes of a key. */
export function clearApprovals(view: StateView, publicKey: PublicKeyHex): void {
  writeApprovals(view, "add", publicKey, []);
  writeApprovals(view, "remove", publicKey, []);
}
