// CALL_CONTRACT: runs a method of a contract with µT attached. Gas is bought on top of the fee; what is not used comes back.

import { DEFAULT_GAS_LIMIT, LARGE_PAYLOAD_BYTES, MAX_ARGUMENTS_BYTES, MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { isContractId, isMethodName } from "#shared/protocol/transactions/contracts.ts";
import { parseArguments } from "../../contracts/contract-value.ts";
import { checkedField, type FieldRule, integerField, optional } from "../payload-fields.ts";
import type { TransactionRule } from "../transaction-rule.ts";
import { runTransactionCall } from "./run-transaction-call.ts";

const contractIdField: FieldRule<string> = {
  isRequired: true,
  words: "a contract id of 16 hex characters",
  read: (value) => (isContractId(value) ? value.toLowerCase() : undefined),
};

export const callContract: TransactionRule<"CALL_CONTRACT"> = {
  recipient: "none",
  minimumAmountUt: 0,
  fields: {
    contract_id: contractIdField,
    method: checkedField("the name of a method", isMethodName),
    args_json: optional(
      checkedField(
        `the JSON of a list of arguments without fractions, at most ${MAX_ARGUMENTS_BYTES} bytes`,
        (text) => parseArguments(text) !== undefined,
      ),
    ),
    gas_limit: optional(integerField(1, MAX_GAS_LIMIT)),
  },
  maxPayloadBytes: LARGE_PAYLOAD_BYTES,
  gasLimit: (payload) => payload.gas_limit ?? DEFAULT_GAS_LIMIT,
  failure: () => undefined,
  apply: (view, tx, payload, context) =>
    runTransactionCall(
      view,
      tx,
      {
        contractId: payload.contract_id,
        amountUt: tx.amount,
        method: payload.method,
        argsJson: payload.args_json ?? "",
        gasLimit: payload.gas_limit ?? DEFAULT_GAS_LIMIT,
      },
      context,
    ),
};
