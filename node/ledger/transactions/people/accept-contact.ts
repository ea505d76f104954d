// ACCEPT_CONTACT: the recipient accepts a pending request, or lifts its own block. `to` is the requester.
import { assertInvariant } from "#shared/util/assert.ts";
import { readContact, writeContact } from "../../records/records.ts";
import type { TransactionRule } from "../transaction-rule.ts";

export const acceptContact: TransactionRule<"ACCEPT_CONTACT"> = {
  recipient: "another",
  minimumAmountUt: "none",
  fields: {},
  failure: (state, tx) => {
    const contact = readContact(state, tx.from, tx.to);
    if (contact === undefined) return "CONTACT_NOT_FOUND";
    return contact.status === "accepted" ? "CONTACT_ACCEPTED" : undefined;
  },
  apply: (view, tx) => {
    const contact = readContact(view, tx.from, tx.to);
    assertInvariant(contact !== undefined, "A contact disappeared between check and change");
    writeContact(view, { ...contact, status: "accepted" });
  },
};
