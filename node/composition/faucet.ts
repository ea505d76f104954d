// The faucet of a development network: pays from its own account, a bounded number of payments at a time.

import type { StoredKey } from "#node/config/files/key-store.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";

/** What a faucet needs of the node. */
export interface FaucetOptions {
  readonly chainId: string;
  /** Key of the account that pays. */
  readonly key: StoredKey;
  /** Submits like any client. @throws CodedError */
  readonly submit: (tx: Transaction) => Promise<Output<"requestFaucet">>;
  /** True while a submitted payment waits for its block. */
  readonly isPending: (id: string) => boolean;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Payments that wait for a block at the same time: fewer than one sender may have pending. */
const MAX_PENDING = 256;

/** Gifts of tokens that are worth nothing. */
export class Faucet {
  readonly #options: FaucetOptions;
  readonly #pending = new Set<string>();
  #submitting = 0;

  constructor(options: FaucetOptions) {
    this.#options = options;
  }

  /** Submits a payment. @throws CodedError UNAVAILABLE when too many wait for a block, or the reason of the refusal. */
  async give(to: PublicKeyHex, amountUt: AmountUt): Promise<Output<"requestFaucet">> {
    const { chainId, key, submit, clock, random } = this.#options;
    if (this.#isFull()) this.#forgetCommitted();
    if (this.#isFull()) throw new CodedError("UNAVAILABLE", "The faucet is busy: try again in a moment");
    const draft = { type: "TRANSFER", from: key.publicKey, to, amount: amountUt, payload: {} } as const;
    const tx = signTransaction(buildTransaction(draft, { chainId, nowMs: clock.nowMs(), random }), key.secret);
    this.#submitting += 1;
    try {
      const accepted = await submit(tx);
      this.#pending.add(tx.id);
      return accepted;
    } finally {
      this.#submitting -= 1;
    }
  }

  #isFull(): boolean {
    return this.#pending.size + this.#submitting >= MAX_PENDING;
  }

  #forgetCommitted(): void {
    for (const id of this.#pending) if (!this.#options.isPending(id)) this.#pending.delete(id);
  }
}
