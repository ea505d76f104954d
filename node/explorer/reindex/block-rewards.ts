// What proposers got, block by block, without executing the chain: fees are in receipts, the subsidy in the parameters that the header names,
// and the wallet follows from the transactions that bound it.
import type { BlockReward } from "#node/ledger/execute.ts";
import { readWallet, writeWallet } from "#node/ledger/records/node-records.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import { readSupply } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { moveWallet } from "#node/ledger/transactions/validators/rotate-key.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { firstParams, type NetworkParams } from "#shared/protocol/primitives/params.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** Follows the blocks in their order. */
export class BlockRewards {
  readonly #first: NetworkParams;
  readonly #state: StateReader;
  /** The state of genesis with the wallets of now. */
  readonly #wallets: OverlayStateView;
  /** What the supply is at most. */
  #mostUt: number;

  /** @param begun the state after genesis @param state the one after the newest block, which has all parameters that ever held */
  constructor({ params }: Genesis, begun: StateReader, state: StateReader) {
    this.#first = firstParams(params);
    this.#state = state;
    this.#wallets = new OverlayStateView(begun);
    this.#mostUt = readSupply(begun);
  }

  /** The reward of the next block. @throws CodedError CONFIG_INVALID where it may depend on what was burnt before */
  take({ header, transactions }: Block, receipts: readonly Receipt[]): BlockReward | undefined {
    if (transactions.length === 0) return undefined;
    for (const [position, tx] of transactions.entries()) if (receipts[position]?.isOk === true) this.#follow(tx);
    const { block_reward_ut: subsidyUt } = readParamsOf(this.#state, this.#first, header.paramsHash) ?? this.#first;
    this.#mostUt += subsidyUt;
    if (this.#mostUt > MAX_SUPPLY_UT)
      throw new CodedError(
        "CONFIG_INVALID",
        `The supply may have been at its limit at block ${header.height}: add --execute to make the index by executing the chain`,
      );
    return {
      to: readWallet(this.#wallets, header.proposer),
      subsidyUt,
      feesUt: receipts.reduce((sum, { feeUt }) => sum + feeUt, 0),
    };
  }

  #follow({ type, from, payload }: Transaction): void {
    if (type !== "BIND_WALLET" && type !== "ROTATE_KEY") return;
    const fields = decodePayload(payload);
    if (type === "ROTATE_KEY") moveWallet(this.#wallets, from, String(fields?.new_pub).toLowerCase());
    else writeWallet(this.#wallets, from, String(fields?.wallet_pub).toLowerCase());
  }
}
