// The one interface behind which every transaction type stands: a new type is one file and one line in rules.ts.
import type { FailureCode } from "#shared/protocol/failure-codes.ts";
import type { PayloadOf } from "#shared/protocol/payload.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transaction.ts";
import type { TransactionContext } from "../context.ts";
import type { StateReader, StateView } from "../state-view.ts";
import type { PayloadFields } from "./payload-fields.ts";

/** Rules of one transaction type. Balance and fee are checked outside. */
export interface TransactionRule<T extends TransactionType> {
  /** Whether `to` is used: by anyone, by anyone but the sender, or not at all (then it must be empty). */
  readonly recipient: "anyone" | "another" | "none";
  /** Smallest amount, µT, or "none" for a type whose amount must be 0. */
  readonly minimumAmountUt: number | "none";
  /** Payload fields; any other field is refused. */
  readonly fields: PayloadFields<PayloadOf<T>>;
  /** Why the transaction fails on this state, or undefined when {@link apply} will succeed. */
  failure(state: StateReader, tx: Transaction, payload: PayloadOf<T>): FailureCode | undefined;
  /** Changes the state. Called only after {@link failure} found nothing; the fee is paid already. */
  apply(view: StateView, tx: Transaction, payload: PayloadOf<T>, context: TransactionContext): void;
}
