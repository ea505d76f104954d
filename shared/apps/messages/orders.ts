// What a program orders and what comes of it, as gateway and keyring say it to each other.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** What every order has. */
export interface OrderBase {
  readonly token: string;
  /** 16–64 printable ASCII characters, chosen by the program: the same order under the same key happens once. */
  readonly idempotencyKey: string;
  /** The program gives up at this time of the chain, unix ms; at most 24 h ahead. */
  readonly notAfterMs: number;
  /** What the account can spend, as the gateway has just read it. */
  readonly spendableUt: AmountUt;
  /** Smallest fee of the network, µT, as the gateway has just read it. */
  readonly leastFeeUt?: AmountUt;
}

/** A payment. */
export interface PaymentOrder extends OrderBase {
  /** As the program wrote it: a key, an address or a name. It belongs to the body of the order. */
  readonly recipient: string;
  /** The key that it stands for now; null for a name that no account has any more: then a known order alone is answered. */
  readonly to: PublicKeyHex | null;
  readonly amountUt: AmountUt;
  /** Public; at most 256 bytes. */
  readonly memo?: string;
}

/** A call of a contract. */
export interface CallOrder extends OrderBase {
  readonly contract: ContractId;
  readonly method: string;
  /** Text of a JSON list, or "". */
  readonly argsJson: string;
  /** Attached to the call. */
  readonly amountUt: AmountUt;
  readonly gasLimit: number;
}

/**
 * - `pending`: reserved and signed; it may still enter a block. Submitting it again does no harm.
 * - `committed`: in a block. `failed`: in a block, where the call failed; fee and gas are spent.
 * - `expired`: it did not enter a block in time and no longer can; nothing was spent.
 */
export const ORDER_STATES = ["pending", "committed", "failed", "expired"] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/**
 * What came of an order. A refusal is an error instead: `details.replayed` is true where it was refused before under this key.
 * - `transaction`: signed, to be submitted by the gateway; absent when this is only looked up, or no longer pending.
 */
export type OrderResult =
  | {
      readonly kind: "transaction";
      readonly id: string;
      readonly state: OrderState;
      readonly isReplayed: boolean;
      readonly transaction?: Transaction;
    }
  | { readonly kind: "approval"; readonly approval: string; readonly expiresAtMs: number; readonly isReplayed: boolean };

/** A signed order that may still enter a block: the gateway asks the chain for it. */
export interface PendingOrder {
  readonly id: string;
  /** Its timestamp, unix ms. */
  readonly timestampMs: number;
}

/** A payment of a program that is in a block, as the journal has it. */
export interface PaidOrder {
  /** Number of its line in the journal. */
  readonly n: number;
  /** Id of the connection. */
  readonly connection: string;
  /** Id of the transaction. */
  readonly id: string;
}

/** What the chain says about a pending order. */
export type OrderOutcome =
  | { readonly id: string; readonly state: "committed" | "failed"; readonly height: number }
  /** Not in any block up to the one of this height and time. */
  | { readonly id: string; readonly state: "absent"; readonly height: number; readonly blockTimeMs: number };
