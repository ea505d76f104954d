// BLOCK_CONTACT: the recipient blocks `to`, from any state: one who never asked can be blocked beforehand.
import { readContact, writeContact } from "../../records/records.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";

export const blockContact: TransactionRule<"BLOCK_CONTACT"> = {
  recipient: "another",
  minimumAmountUt: "none",
  fields: {},
  apply: (view, tx, _payload, context) => {
    writeContact(view, {
      recipientPub: tx.from,
      requesterPub: tx.to,
      intro: "",
      feeUt: 0,
      txId: tx.id,
      createdAt: blockSeconds(context),
      ...readContact(view, tx.from, tx.to),
      status: "blocked",
    });
  },
};
