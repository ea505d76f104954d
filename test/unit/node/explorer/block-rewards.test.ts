// Rewards that are computed from what blocks hold, beside what executing them gives.
import { describe, expect, it } from "vitest";
import { BlockRewards } from "#node/explorer/reindex/block-rewards.ts";
import { credit } from "#node/ledger/records/balance.ts";
import { readWallet } from "#node/ledger/records/node-records.ts";
import { writeSupply } from "#node/ledger/records/records.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { bindingOf, LedgerWorld, rotatingGenesis, rotationOf } from "#test/support/chain/ledger-payloads.ts";
import { alice, bob, carol, genesisState, signed, validator } from "#test/support/worlds/ledger-world.ts";

const GENESIS = rotatingGenesis([validator]);
const REWARD_UT = GENESIS.params.block_reward_ut;

const blockOf = (proposer: string, transactions: readonly Transaction[]): Block =>
  ({ header: { height: 1, proposer, paramsHash: "" }, transactions }) as unknown as Block;
const outcome = (isOk: boolean, feeUt = 3): Receipt => ({ isOk, feeUt }) as Receipt;

const bind = signed(validator, { type: "BIND_WALLET", payload: bindingOf(validator, carol) });
const other = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} });

describe("rewards of blocks", () => {
  it("go to the wallet that was bound last, at once, and to none for a block without transactions", () => {
    const rewards = new BlockRewards(GENESIS, genesisState(GENESIS), genesisState(GENESIS));
    const reward = { subsidyUt: REWARD_UT, feesUt: 3 };
    expect(rewards.take(blockOf(validator.pub, []), [])).toBeUndefined();
    expect(rewards.take(blockOf(validator.pub, [other]), [outcome(true)])).toEqual({ to: validator.pub, ...reward });
    expect(rewards.take(blockOf(validator.pub, [bind]), [outcome(false)])).toEqual({ to: validator.pub, ...reward });
    expect(rewards.take(blockOf(validator.pub, [bind]), [outcome(true)])).toEqual({ to: carol.pub, ...reward });
    expect(rewards.take(blockOf(bob.pub, [other]), [outcome(true)])).toEqual({ to: bob.pub, ...reward });
  });

  it("go on to it under a new key, as the ledger does it", () => {
    const world = new LedgerWorld(GENESIS);
    credit(world.state, validator.pub, 1_000_000);
    const rewards = new BlockRewards(GENESIS, genesisState(GENESIS), genesisState(GENESIS));
    const drafts = [
      { type: "BIND_WALLET", payload: bindingOf(validator, carol) },
      { type: "ROTATE_KEY", payload: rotationOf(validator, bob) },
    ] as const;
    for (const draft of drafts) {
      const receipt = world.run(validator, draft);
      expect(receipt.code).toBe("");
      rewards.take(blockOf(validator.pub, [world.signed(validator, draft)]), [receipt]);
    }
    expect(rewards.take(blockOf(bob.pub, [other]), [outcome(true)])?.to).toBe(readWallet(world.state, bob.pub));
    expect(readWallet(world.state, bob.pub)).toBe(carol.pub);
  });

  it("are refused where the supply may have been at its limit", () => {
    const begun = genesisState(GENESIS);
    writeSupply(begun, MAX_SUPPLY_UT - REWARD_UT);
    const rewards = new BlockRewards(GENESIS, begun, begun);
    expect(rewards.take(blockOf(validator.pub, [other]), [outcome(true)])?.subsidyUt).toBe(REWARD_UT);
    expect(() => rewards.take(blockOf(validator.pub, [other]), [outcome(true)])).toThrow("add --execute");
  });
});
