// Building and signing transactions on the client side.
import { toBase64 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import type { AmountUt } from "../primitives/amount.ts";
import { signEd25519 } from "../primitives/signature.ts";
import { formatTimestamp } from "../primitives/timestamp.ts";
import { minimumFeeUt } from "./minimum-fee.ts";
import { encodePayload, type PayloadOf } from "./payload.ts";
import type { Transaction, TransactionType, UnsignedTransaction } from "./transaction.ts";
import { signedBytes, TX_ID_SALT_BYTES, transactionId } from "./transaction-id.ts";

/** What a client decides about a transaction. */
export interface TransactionDraft<T extends TransactionType> {
  readonly type: T;
  readonly from: PublicKeyHex;
  readonly to?: PublicKeyHex;
  readonly amount?: AmountUt;
  /** µT; the minimum when not given. */
  readonly fee?: AmountUt | undefined;
  readonly payload: PayloadOf<T>;
}

/** What surrounds a transaction: chain, time and randomness. */
export interface DraftContext {
  readonly chainId: string;
  readonly nowMs: number;
  readonly random: RandomBytes;
  /** Smallest fee of the network; that of one that never changed by default. */
  readonly minFeeUt?: AmountUt | undefined;
}

/** Unsigned transaction with a self-certifying id of a fresh salt. */
export function buildTransaction<T extends TransactionType>(draft: TransactionDraft<T>, context: DraftContext): UnsignedTransaction {
  const payload = encodePayload<T>(draft.payload);
  const unsigned: UnsignedTransaction = {
    id: "",
    type: draft.type,
    from: draft.from,
    to: draft.to ?? "",
    amount: draft.amount ?? 0,
    fee: draft.fee ?? minimumFeeUt(payload, context.minFeeUt),
    payload,
    timestamp: formatTimestamp(context.nowMs),
  };
  return { ...unsigned, id: transactionId(context.chainId, context.random(TX_ID_SALT_BYTES), unsigned) };
}

/** The transaction signed with the sender's 32-byte seed. */
export function signTransaction(tx: UnsignedTransaction, seed: Uint8Array): Transaction {
  return { ...tx, signature: toBase64(signEd25519(signedBytes(tx), seed)) };
}
