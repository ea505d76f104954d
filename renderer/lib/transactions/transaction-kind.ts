// Kinds of transactions as the interface speaks of them. Types that this version does not know are shown as "other", never dropped.

import type { IntentKind } from "#shared/keyring/intents.ts";
import type { ListedType } from "#shared/protocol/transaction.ts";
import type { PlainMessageKey, Translate } from "../messages/catalogue.ts";

/** Kind of a transaction. */
export type TransactionKind =
  | "transfer"
  | "registerKey"
  | "linkDevice"
  | "unlinkDevice"
  | "contactRequest"
  | "acceptContact"
  | "blockContact"
  | "blockReward"
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
};

const KINDS_OF_INTENTS: Readonly<Record<IntentKind, TransactionKind>> = {
  pay: "transfer",
  registerKey: "registerKey",
  linkDevice: "linkDevice",
  unlinkDevice: "unlinkDevice",
  requestContact: "contactRequest",
  acceptContact: "acceptContact",
  blockContact: "blockContact",
};

/** Kind of a type that the node lists. */
export function kindOfType(type: string): TransactionKind {
  return (Object.hasOwn(KINDS, type) ? KINDS[type as ListedType] : undefined) ?? "other";
}

/** Kind of the transaction that an intent becomes. */
export function kindOfIntent(kind: IntentKind): TransactionKind {
  return KINDS_OF_INTENTS[kind];
}

/** Name of a kind. */
export function kindLabel(t: Translate, kind: TransactionKind): string {
  return t(`transactions.type.${kind}` satisfies PlainMessageKey);
}
