// Kinds of transactions as the interface speaks of them. Types that this version does not know are shown as "other", never dropped.

import type { IntentKind } from "#shared/keyring/intents/intents.ts";
import type { ListedType } from "#shared/protocol/transactions/transaction.ts";
import type { PlainMessageKey, Translate } from "../messages/catalogue.ts";

export type TransactionKind =
  | "transfer"
  | "registerKey"
  | "linkDevice"
  | "unlinkDevice"
  | "contactRequest"
  | "acceptContact"
  | "blockContact"
  | "blockReward"
  | "registerRelay"
  | "relayProof"
  | "heartbeat"
  | "bindWallet"
  | "addValidator"
  | "removeValidator"
  | "slash"
  | "upgrade"
  | "rotateKey"
  | "suspendRelay"
  | "openChannel"
  | "closeChannel"
  | "deployContract"
  | "callContract"
  | "other";

const KINDS: Readonly<Partial<Record<ListedType, TransactionKind>>> = {
  TRANSFER: "transfer",
  REGISTER_KEY: "registerKey",
  LINK_DEVICE: "linkDevice",
  UNLINK_DEVICE: "unlinkDevice",
  CONTACT_REQUEST: "contactRequest",
  ACCEPT_CONTACT: "acceptContact",
  BLOCK_CONTACT: "blockContact",
  BLOCK_REWARD: "blockReward",
  REGISTER_RELAY: "registerRelay",
  RELAY_PROOF: "relayProof",
  HEARTBEAT: "heartbeat",
  BIND_WALLET: "bindWallet",
  ADD_VALIDATOR: "addValidator",
  REMOVE_VALIDATOR: "removeValidator",
  SLASH: "slash",
  UPGRADE: "upgrade",
  ROTATE_KEY: "rotateKey",
  SUSPEND_RELAY: "suspendRelay",
  OPEN_PAY_CHAN: "openChannel",
  CLOSE_PAY_CHAN: "closeChannel",
  DEPLOY_CONTRACT: "deployContract",
  CALL_CONTRACT: "callContract",
};

const KINDS_OF_INTENTS: Readonly<Record<IntentKind, TransactionKind>> = {
  pay: "transfer",
  registerKey: "registerKey",
  linkDevice: "linkDevice",
  unlinkDevice: "unlinkDevice",
  requestContact: "contactRequest",
  acceptContact: "acceptContact",
  blockContact: "blockContact",
  callContract: "callContract",
  deployContract: "deployContract",
  openChannel: "openChannel",
  closeChannel: "closeChannel",
  addValidator: "addValidator",
  removeValidator: "removeValidator",
};

const TYPES = Object.fromEntries(Object.entries(KINDS).map(([type, kind]) => [kind, type]));

/** Kind of a type that the node lists. */
export function kindOfType(type: string): TransactionKind {
  return (Object.hasOwn(KINDS, type) ? KINDS[type as ListedType] : undefined) ?? "other";
}

/** Kind of the transaction that an intent becomes. */
export function kindOfIntent(kind: IntentKind): TransactionKind {
  return KINDS_OF_INTENTS[kind];
}

/** Type of the transaction that an intent becomes. */
export function typeOfIntent(kind: IntentKind): string {
  return TYPES[KINDS_OF_INTENTS[kind]] ?? "";
}

/** Name of a kind. */
export function kindLabel(t: Translate, kind: TransactionKind): string {
  return t(`transactions.type.${kind}` satisfies PlainMessageKey);
}
