// ADD_VALIDATOR: approves a candidate, or asks to become one. With more than two thirds of the set and the candidate's own consent
// the bond is locked and the candidate votes from the next height on.

import { LARGE_PAYLOAD_BYTES, MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { ValidatorChange } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { TransactionContext } from "../../context.ts";
import { readSetAside } from "../../records/absence-records.ts";
import { readAccount, readValidators } from "../../records/records.ts";
import { isReplaced } from "../../records/rotation-records.ts";
import { readValidatorRecord, writeApprovals } from "../../records/validator-records.ts";
import type { StateReader } from "../../state-view.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";
import { cosignatureInputs, enterSet, missingBondUt, type Tally, tallyApprovals, VALIDATOR_CHANGE_FIELDS } from "./validator-changes.ts";

export const addValidator: TransactionRule<"ADD_VALIDATOR"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: VALIDATOR_CHANGE_FIELDS,
  maxPayloadBytes: LARGE_PAYLOAD_BYTES,
  keys: (payload) => [payload.pub_key],
  signatures: (_tx, payload, chainId) => cosignatureInputs("add", payload, chainId),
  failure: (state, { from }, payload, context): FailureCode | undefined => {
    const { pub_key: candidate } = payload;
    const validators = readValidators(state);
    if (validators.some(({ publicKey }) => publicKey === candidate)) return "ALREADY_VALIDATOR";
    if (isReplaced(state, candidate)) return "VALIDATOR_KEY_REPLACED";
    if (blockSeconds(context) < readValidatorRecord(state, candidate).bannedUntil) return "VALIDATOR_BANNED";
    if (validators.length >= MAX_VALIDATORS) return "VALIDATOR_LIMIT";
    const { isEffective, isDecided } = decision(state, { from, payload }, context);
    if (!isEffective) return "NO_APPROVAL";
    const isUnaffordable = readAccount(state, candidate).balanceUt < missingBondUt(state, candidate, context);
    return isDecided && isUnaffordable ? "BOND_UNAFFORDABLE" : undefined;
  },
  apply: (view, { from }, payload, context) => {
    const { approvals, isDecided } = decision(view, { from, payload }, context);
    if (isDecided) enterSet(view, payload.pub_key, approvals, context);
    else writeApprovals(view, "add", payload.pub_key, approvals);
    return { concerns: [payload.pub_key] };
  },
};

/** A validator that was set aside needs no approval but its own. */
function decision(
  state: StateReader,
  request: Pick<Transaction, "from"> & { readonly payload: ValidatorChange },
  context: TransactionContext,
): Pick<Tally, "approvals" | "isEffective"> & { readonly isDecided: boolean } {
  const { approvals, isEffective, hasQuorum, hasConsent } = tallyApprovals(state, "add", request, context);
  const isWelcome = hasQuorum || readSetAside(state, request.payload.pub_key) !== undefined;
  return { approvals, isEffective, isDecided: isWelcome && hasConsent };
}
