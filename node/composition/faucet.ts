// The faucet of a development network: pays from its own account, a bounded number of payments at a time.
import { type DutyContext, ownTransaction } from "#node/duties/duty-context.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** What a faucet needs of the node. */
export interface FaucetOptions extends Pick<DutyContext, "chainId" | "key" | "isPending" | "clock" | "random" | "leastFeeUt"> {
  /** Submits like any client. @throws CodedError */
  readonly submit: (tx: Transaction) => Promise<Output<"requestFaucet">>;
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
    if (this.#isFull()) this.#forgetCommitted();
    if (this.#isFull()) throw new CodedError("UNAVAILABLE", "The faucet is busy: try again in a moment");
    const tx = ownTransaction(this.#options, { type: "TRANSFER", to, amount: amountUt, payload: {} });
    this.#submitting += 1;
    try {
      const accepted = await this.#options.submit(tx);
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
