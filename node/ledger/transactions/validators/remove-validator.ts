// REMOVE_VALIDATOR: approves that a validator leaves. More than two thirds of the set decide; a validator may leave alone.
// Sent again by one that has left, it fetches the bond once the waiting time is over.

import { LARGE_PAYLOAD_BYTES } from "#shared/protocol/primitives/limits.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { writeSetAside } from "../../records/absence-records.ts";
import { credit } from "../../records/balance.ts";
import { readValidators } from "../../records/records.ts";
import { readUnbonding, writeApprovals, writeUnbonding } from "../../records/validator-records.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";
import { cosignatureInputs, leaveSet, tallyApprovals, VALIDATOR_CHANGE_FIELDS } from "./validator-changes.ts";

export const removeValidator: TransactionRule<"REMOVE_VALIDATOR"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: VALIDATOR_CHANGE_FIELDS,
  maxPayloadBytes: LARGE_PAYLOAD_BYTES,
  signatures: (_tx, payload, chainId) => cosignatureInputs("remove", payload, chainId),
  failure: (state, { from }, payload, context): FailureCode | undefined => {
    const validators = readValidators(state);
    if (!validators.some(({ publicKey }) => publicKey === payload.pub_key)) {
      const unbonding = readUnbonding(state, payload.pub_key);
      if (unbonding === undefined || from !== payload.pub_key) return "NOT_A_VALIDATOR";
      return blockSeconds(context) < unbonding.availableAt ? "BOND_LOCKED" : undefined;
    }
    if (validators.length === 1) return "LAST_VALIDATOR";
    return tallyApprovals(state, "remove", { from, payload }, context).isEffective ? undefined : "NO_APPROVAL";
  },
  apply: (view, { from }, payload, context) => {
    const { pub_key: publicKey } = payload;
    const validator = readValidators(view).find((member) => member.publicKey === publicKey);
    if (validator === undefined) {
      credit(view, publicKey, readUnbonding(view, publicKey)?.amountUt ?? 0);
      writeUnbonding(view, publicKey, undefined);
      writeSetAside(view, publicKey, undefined);
      return undefined;
    }
    const { approvals, hasQuorum, hasConsent } = tallyApprovals(view, "remove", { from, payload }, context);
    if (hasQuorum || hasConsent) leaveSet(view, validator, approvals, context);
    else writeApprovals(view, "remove", publicKey, approvals);
    return { concerns: [publicKey] };
  },
};
