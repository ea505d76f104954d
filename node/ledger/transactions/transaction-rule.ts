// The one interface of every transaction type: a new type is one file and one line in rules.ts.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { ReceiptLog } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import type { TransactionContext } from "../context.ts";
import type { StateReader, StateView } from "../state-view.ts";
import type { PayloadFields } from "./payload-fields.ts";

/** The signature of a transaction, or one inside its payload, in the form a verifier takes. */
export interface SignatureInput {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** What a rule did beside changing the state. */
export interface Effects {
  /** Why it failed after all: its changes are thrown away. */
  readonly failure?: FailureCode;
  readonly gasUsed?: number;
  readonly logs?: readonly ReceiptLog[];
  /** Keys in whose history the transaction belongs though their account did not change. */
  readonly concerns?: readonly PublicKeyHex[];
}

/** Rules of one transaction type. Balance, fee and gas are checked and paid outside. */
export interface TransactionRule<T extends TransactionType> {
  /** Whether `to` is used: by anyone, by anyone but the sender, or not at all (then it must be empty). */
  readonly recipient: "anyone" | "another" | "none";
  /** Smallest amount, µT, or "none" for a type whose amount must be 0. */
  readonly minimumAmountUt: number | "none";
  /** Version of the network from which on blocks hold the type; every version when not given. */
  readonly sinceVersion?: number;
  /** Payload fields; any other field is refused. */
  readonly fields: PayloadFields<PayloadOf<T>>;
  /** Versions of the network from which on a payload can name a field; no field has one that is absent here. */
  readonly fieldVersions?: Readonly<Partial<Record<keyof PayloadOf<T>, number>>>;
  /** Largest decoded payload, bytes; DEFAULT_PAYLOAD_BYTES when not given. */
  readonly maxPayloadBytes?: number;
  /**
   * True where the chain wants the transaction even from one that cannot pay: a fee of 0 is then taken. Such a transaction stands in
   * a block only while this holds and when it succeeds.
   */
  isFeeWaived?(state: StateReader, tx: Transaction, payload: PayloadOf<T>, context: Pick<TransactionContext, "timeMs">): boolean;
  /** Gas that the sender buys at most. */
  gasLimit?(payload: PayloadOf<T>): number;
  /** Ed25519 keys that the payload puts on chain: they must be usable. */
  keys?(payload: PayloadOf<T>): readonly PublicKeyHex[];
  /** Signatures inside the payload: the transaction is refused unless all verify. */
  signatures?(tx: Transaction, payload: PayloadOf<T>, chainId: string): readonly SignatureInput[];
  /**
   * True where {@link apply} changes no record but the accounts of `from` and `to`, so that what it changes need not be recorded, takes the
   * amount from `from`, needs no gas and cannot fail.
   */
  readonly isPayment?: true;
  /** Why the transaction fails on this state, or undefined when {@link apply} may be called. Left out where only the payment can fail. */
  failure?(state: StateReader, tx: Transaction, payload: PayloadOf<T>, context: TransactionContext): FailureCode | undefined;
  /** Changes the state, after {@link failure} found nothing; never fails where that is left out. Fee and gas are paid or reserved. */
  apply(view: StateView, tx: Transaction, payload: PayloadOf<T>, context: TransactionContext): Effects | undefined;
}

/** Unix seconds of the block that includes a transaction. */
export function blockSeconds(context: Pick<TransactionContext, "timeMs">): number {
  return Math.floor(context.timeMs / 1000);
}
