// What a node needs to send transactions of its own: its duties on the chain are done under the node's key.
import type { StoredKey } from "#node/config/files/key-store.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { Log } from "#node/observability/log.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";

/** The node as a sender of transactions. */
export interface DutyContext {
  readonly chainId: string;
  /** Ed25519 key of the node. */
  readonly key: StoredKey;
  /** Committed state, always the latest. */
  readonly state: StateReader;
  /** Smallest fee of the next block; that of a network that never changed by default. */
  readonly leastFeeUt?: () => AmountUt;
  /** Submits like any client. @throws CodedError */
  readonly submit: (tx: Transaction) => Promise<unknown>;
  /** True while a submitted transaction waits for its block. */
  readonly isPending: (id: string) => boolean;
  /** Calls back after each block; returns the way to stop that. */
  readonly onCommit: (listener: () => void) => () => void;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** A signed transaction of the node. */
export function ownTransaction<T extends TransactionType>(
  { chainId, key, clock, random, leastFeeUt = firstLeastFeeUt }: Pick<DutyContext, "chainId" | "key" | "clock" | "random" | "leastFeeUt">,
  draft: Omit<TransactionDraft<T>, "from">,
): Transaction {
  const unsigned = buildTransaction({ ...draft, from: key.publicKey }, { chainId, nowMs: clock.nowMs(), random, minFeeUt: leastFeeUt() });
  return signTransaction(unsigned, key.secret);
}

/** True when the node's account can pay for a transaction of that fee, by default the smallest. */
export function canPayFee(context: Pick<DutyContext, "state" | "key" | "leastFeeUt">, feeUt = leastFeeOf(context)): boolean {
  const { state, key } = context;
  return readAccount(state, key.publicKey).balanceUt >= feeUt;
}

/** The smallest fee that the node's transactions cost now, µT. */
export function leastFeeOf({ leastFeeUt = firstLeastFeeUt }: Pick<DutyContext, "leastFeeUt">): AmountUt {
  return leastFeeUt();
}

function firstLeastFeeUt(): AmountUt {
  return MIN_FEE_UT;
}
