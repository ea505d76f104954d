// The table of transaction types.
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { callContract } from "./contracts/call-contract.ts";
import { deployContract } from "./contracts/deploy-contract.ts";
import { closePayChan } from "./payments/close-pay-chan.ts";
import { openPayChan } from "./payments/open-pay-chan.ts";
import { transfer } from "./payments/transfer.ts";
import { acceptContact } from "./people/accept-contact.ts";
import { bindWallet } from "./people/bind-wallet.ts";
import { blockContact } from "./people/block-contact.ts";
import { contactRequest } from "./people/contact-request.ts";
import { linkDevice } from "./people/link-device.ts";
import { registerKey } from "./people/register-key.ts";
import { unlinkDevice } from "./people/unlink-device.ts";
import { heartbeat } from "./relays/heartbeat.ts";
import { registerRelay } from "./relays/register-relay.ts";
import { relayProof } from "./relays/relay-proof.ts";
import { suspendRelay } from "./relays/suspend-relay.ts";
import type { TransactionRule } from "./transaction-rule.ts";
import { addValidator } from "./validators/add-validator.ts";
import { removeValidator } from "./validators/remove-validator.ts";
import { rotateKey } from "./validators/rotate-key.ts";
import { slash } from "./validators/slash.ts";
import { upgrade } from "./validators/upgrade.ts";

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
  UPGRADE: upgrade,
  ROTATE_KEY: rotateKey,
  SUSPEND_RELAY: suspendRelay,
  OPEN_PAY_CHAN: openPayChan,
  CLOSE_PAY_CHAN: closePayChan,
  DEPLOY_CONTRACT: deployContract,
  CALL_CONTRACT: callContract,
};

export function ruleOf(type: TransactionType): TransactionRule<TransactionType> {
  return RULES[type];
}
