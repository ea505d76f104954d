// TRANSFER: pays an amount. A transfer to oneself is allowed and costs its fee; one of nothing is refused.
import { MAX_MEMO_BYTES } from "#shared/protocol/primitives/limits.ts";
import { move } from "../../records/balance.ts";
import { optional, textField } from "../payload-fields.ts";
import type { TransactionRule } from "../transaction-rule.ts";

export const transfer: TransactionRule<"TRANSFER"> = {
  recipient: "anyone",
  minimumAmountUt: 1,
  fields: { memo: optional(textField(MAX_MEMO_BYTES)) },
  isPayment: true,
  apply: (view, tx) => {
    move(view, tx.from, tx.to, tx.amount);
  },
};
