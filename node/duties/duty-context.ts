// What a node needs to send transactions of its own: its duties on the chain are done under the node's key.
import type { StoredKey } from "#node/config/files/key-store.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { Log } from "#node/observability/log.ts";
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
  { chainId, key, clock, random }: Pick<DutyContext, "chainId" | "key" | "clock" | "random">,
  draft: Omit<TransactionDraft<T>, "from">,
): Transaction {
  const unsigned = buildTransaction({ ...draft, from: key.publicKey }, { chainId, nowMs: clock.nowMs(), random });
  return signTransaction(unsigned, key.secret);
}

/** True when the node's account can pay for a transaction of that fee, by default the smallest. */
export function canPayFee({ state, key }: Pick<DutyContext, "state" | "key">, feeUt = MIN_FEE_UT): boolean {
  return readAccount(state, key.publicKey).balanceUt >= feeUt;
}
