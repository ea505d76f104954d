// The table of transaction types.
import type { TransactionType } from "#shared/protocol/transaction.ts";
import { acceptContact } from "./accept-contact.ts";
import { addValidator } from "./add-validator.ts";
import { bindWallet } from "./bind-wallet.ts";
import { blockContact } from "./block-contact.ts";
import { callContract } from "./call-contract.ts";
import { closePayChan } from "./close-pay-chan.ts";
import { contactRequest } from "./contact-request.ts";
import { deployContract } from "./deploy-contract.ts";
import { heartbeat } from "./heartbeat.ts";
import { linkDevice } from "./link-device.ts";
import { openPayChan } from "./open-pay-chan.ts";
import { registerKey } from "./register-key.ts";
import { registerRelay } from "./register-relay.ts";
import { relayProof } from "./relay-proof.ts";
import { removeValidator } from "./remove-validator.ts";
import { slash } from "./slash.ts";
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
  REGISTER_RELAY: registerRelay,
  RELAY_PROOF: relayProof,
  HEARTBEAT: heartbeat,
  BIND_WALLET: bindWallet,
  ADD_VALIDATOR: addValidator,
  REMOVE_VALIDATOR: removeValidator,
  SLASH: slash,
  OPEN_PAY_CHAN: openPayChan,
  CLOSE_PAY_CHAN: closePayChan,
  DEPLOY_CONTRACT: deployContract,
  CALL_CONTRACT: callContract,
};

/** Rules of a type. */
export function ruleOf(type: TransactionType): TransactionRule<TransactionType> {
  return RULES[type];
}
