// The table of transaction types.
import type { TransactionType } from "#shared/protocol/transaction.ts";
import { acceptContact } from "./accept-contact.ts";
import { blockContact } from "./block-contact.ts";
import { contactRequest } from "./contact-request.ts";
import { linkDevice } from "./link-device.ts";
import { registerKey } from "./register-key.ts";
import type { TransactionRule } from "./transaction-rule.ts";
import { transfer } from "./transfer.ts";
import { unlinkDevice } from "./unlink-device.ts";

const RULES: { readonly [T in TransactionType]: TransactionRule<T> } = {
  TRANSFER: transfer,
  REGISTER_KEY: registerKey,
  LINK_DEVICE: linkDevice,
  UNLINK_DEVICE: unlinkDevice,
  CONTACT_REQUEST: contactRequest,
  ACCEPT_CONTACT: acceptContact,
  BLOCK_CONTACT: blockContact,
};

/** Rules of a type. */
export function ruleOf(type: TransactionType): TransactionRule<TransactionType> {
  return RULES[type];
}
