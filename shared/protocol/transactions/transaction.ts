// The transaction as it travels in JSON, and its types. Field names and order are those of the public interface.
import type { PublicKeyHex } from "../primitives/address.ts";
import type { AmountUt } from "../primitives/amount.ts";

/** Types that clients submit. */
export const TRANSACTION_TYPES = [
  "TRANSFER",
  "REGISTER_KEY",
  "LINK_DEVICE",
  "UNLINK_DEVICE",
  "CONTACT_REQUEST",
  "ACCEPT_CONTACT",
  "BLOCK_CONTACT",
  "REGISTER_RELAY",
  "RELAY_PROOF",
  "HEARTBEAT",
  "BIND_WALLET",
  "ADD_VALIDATOR",
  "REMOVE_VALIDATOR",
  "SLASH",
  "UPGRADE",
  "ROTATE_KEY",
  "SUSPEND_RELAY",
  "OPEN_PAY_CHAN",
  "CLOSE_PAY_CHAN",
  "DEPLOY_CONTRACT",
  "CALL_CONTRACT",
] as const;

/** A type that clients submit. */
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Type of the system entry of each block that moved something; never submitted. */
export const BLOCK_REWARD = "BLOCK_REWARD";

/** Types that listings show. */
export type ListedType = TransactionType | typeof BLOCK_REWARD;

/**
 * A normalised transaction: all fields present, hex in lower case, payload canonical base64 (or "").
 * `memo` outside the payload is not part of it: it is not signed and never stored.
 */
export interface Transaction {
  readonly id: string;
  readonly type: TransactionType;
  readonly from: PublicKeyHex;
  /** Recipient key, or "" when the type has none. */
  readonly to: PublicKeyHex | "";
  readonly amount: AmountUt;
  readonly fee: AmountUt;
  /** Base64 of a JSON object, or "". */
  readonly payload: string;
  /** `YYYY-MM-DDThh:mm:ssZ`. */
  readonly timestamp: string;
  /** Base64 of the 64-byte Ed25519 signature. */
  readonly signature: string;
}

/** A transaction before it is signed. */
export type UnsignedTransaction = Omit<Transaction, "signature">;
