// CONTACT_REQUEST: asks the recipient for contact and pays the anti-spam amount to them. It is not refunded.
import { MAX_INTRO_CHARS, MIN_CONTACT_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import { move } from "../../records/balance.ts";
import { readContact, writeContact } from "../../records/records.ts";
import { charactersField, optional } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";

const REFUSALS = { pending: "CONTACT_PENDING", accepted: "CONTACT_ACCEPTED", blocked: "CONTACT_BLOCKED" } as const;

export const contactRequest: TransactionRule<"CONTACT_REQUEST"> = {
  recipient: "another",
  minimumAmountUt: MIN_CONTACT_FEE_UT,
  fields: { intro: optional(charactersField(MAX_INTRO_CHARS)) },
  failure: (state, tx) => {
    const contact = readContact(state, tx.to, tx.from);
    return contact === undefined ? undefined : REFUSALS[contact.status];
  },
  apply: (view, tx, payload, context) => {
    move(view, tx.from, tx.to, tx.amount);
    writeContact(view, {
      recipientPub: tx.to,
      requesterPub: tx.from,
      status: "pending",
      intro: payload.intro ?? "",
      feeUt: tx.amount,
      txId: tx.id,
      createdAt: blockSeconds(context),
    });
  },
};
