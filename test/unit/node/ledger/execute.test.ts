// Blocks: what may stand in one, who is paid, and what must hold after any sequence of them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BlockContext } from "#node/ledger/context.ts";
import { applyTransaction, executeBlock, finishBlock, foreseeTransaction, type IncludedTransaction } from "#node/ledger/execute.ts";
import { historyHashAfter } from "#node/ledger/records/history.ts";
import { readAccount, readSupply, readValidators } from "#node/ledger/records/records.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { blocksArbitrary, transactionOf } from "#test/support/chain/chain-traffic.ts";
import {
  type Actor,
  actor,
  alice,
  blockContext,
  bob,
  carol,
  deviceKey,
  dump,
  GENESIS,
  genesisState,
  receiptOf,
  START_MS,
  signed,
  validator,
} from "#test/support/worlds/ledger-world.ts";

const pay = (from: Actor, to: Actor, amount: number, fee = 1_000): Transaction =>
  signed(from, { type: "TRANSFER", to: to.pub, amount, fee, payload: {} });

/** What was foreseen of a transaction, after a look at what its execution then did. */
function checkForesight(state: OverlayStateView, tx: Transaction): "open" | "unpaid" | "success" | "refused" {
  const before = dump(state);
  const foreseen = foreseeTransaction(state, tx, blockContext());
  expect(dump(state)).toEqual(before);
  const outcome = applyTransaction(state, tx, blockContext());
  if (foreseen === undefined) return "open";
  if (typeof foreseen !== "string") {
    expect(outcome).toEqual(foreseen);
    return "refused";
  }
  expect(outcome).toMatchObject({ isIncluded: true, receipt: { code: foreseen, isOk: foreseen === "" } });
  return foreseen === "" ? "success" : "unpaid";
}

describe("foreseeTransaction", () => {
  it("says what execution does, wherever it says anything, and changes nothing", () => {
    const said = { refused: 0, unpaid: 0, success: 0, open: 0 };
    fc.assert(
      fc.property(blocksArbitrary, (blocks) => {
        const state = genesisState();
        for (const step of blocks.flat()) said[checkForesight(state, transactionOf(step))] += 1;
      }),
      { seed: 8_114, numRuns: 60 },
    );
    expect(Math.min(...Object.values(said))).toBeGreaterThan(5);
  });
});

describe("applyGenesis", () => {
  it("writes balances, the validator set and the supply", () => {
    const state = genesisState();
    expect(readAccount(state, alice.pub)).toEqual({ balanceUt: 10_000_000, historyCount: 0, historyHash: ZERO_HASH });
    expect(readAccount(state, carol.pub).balanceUt).toBe(0);
    expect(readValidators(state)).toEqual([{ publicKey: validator.pub, bondUt: 1_000_000 }]);
    expect(readSupply(state)).toBe(21_000_000);
  });
});

describe("executeBlock", () => {
  it("gives receipts in order and pays fees and subsidy to the proposer", () => {
    const state = genesisState();
    const txs = [pay(alice, carol, 100, 1_000), pay(carol, bob, 50, 2_000), pay(bob, alice, 5, 3_000)];
    const result = executeBlock(state, [pay(alice, carol, 5_000, 1_000), ...txs], blockContext());
    expect(result).toMatchObject({ isValid: true, reward: { to: validator.pub, subsidyUt: 50_000, feesUt: 7_000 } });
    expect(result.isValid && result.receipts.map((receipt) => receipt.isOk)).toEqual([true, true, true, true]);
    expect(readAccount(state, validator.pub).balanceUt).toBe(57_000);
    expect(readSupply(state)).toBe(21_050_000);
  });

  it("of no transactions changes nothing and pays no one", () => {
    const state = genesisState();
    const before = dump(state);
    expect(executeBlock(state, [], blockContext())).toEqual({ isValid: true, receipts: [], reward: undefined });
    expect(dump(state)).toEqual(before);
  });

  const duplicate = pay(alice, bob, 1);
  const old = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {}, nowMs: START_MS - 3_600_000 });
  it.each<[string, readonly Transaction[], string]>([
    ["the same transaction twice", [duplicate, duplicate], "TX_DUPLICATE"],
    ["an unaffordable fee", [pay(carol, bob, 1)], "TX_INSUFFICIENT_BALANCE"],
    ["a fee below the minimum", [pay(alice, bob, 1, 999)], "TX_FEE_TOO_LOW"],
    ["an old timestamp", [old], "TX_TIMESTAMP"],
    ["a wrong shape", [pay(alice, bob, 0)], "TX_MALFORMED"],
  ])("refuses a block with %s", (_name, txs, code) => {
    expect(executeBlock(genesisState(), [pay(alice, bob, 7), ...txs], blockContext())).toMatchObject({
      isValid: false,
      code,
      txId: txs[0]?.id,
    });
  });

  it("refuses an id that was seen in the window", () => {
    const tx = pay(alice, bob, 1);
    const result = executeBlock(genesisState(), [tx], blockContext({ hasSeenId: (id) => id === tx.id }));
    expect(result).toMatchObject({ isValid: false, code: "TX_DUPLICATE" });
    expect(!result.isValid && result.message).toContain(tx.id);
  });

  it("stops making new µT at the largest supply and still pays the fees", () => {
    const rich = actor(40);
    const accounts = [{ pub_key: rich.pub, balance_ut: MAX_SUPPLY_UT - 1_000_000 - 30 }];
    const state = genesisState({ ...GENESIS, accounts });
    const first = executeBlock(state, [pay(rich, bob, 1)], blockContext());
    expect(first).toMatchObject({ reward: { subsidyUt: 30, feesUt: 1_000 } });
    const second = executeBlock(state, [pay(rich, bob, 1)], blockContext({ height: 2 }));
    expect(second).toMatchObject({ reward: { subsidyUt: 0, feesUt: 1_000 } });
    expect(readSupply(state)).toBe(MAX_SUPPLY_UT);
  });
});

describe("applyTransaction", () => {
  it("leaves the view untouched when the transaction may not be in the block", () => {
    const state = genesisState();
    const before = dump(state);
    for (const tx of [pay(carol, bob, 1), pay(alice, bob, 0), pay(alice, bob, 1, 10)])
      expect(applyTransaction(state, tx, blockContext()).isIncluded).toBe(false);
    expect(dump(state)).toEqual(before);
  });
});

describe("history", () => {
  it("counts and hashes the entries of every touched account in block order, the reward last", () => {
    const state = genesisState();
    const [first, failed, own] = [pay(alice, bob, 10), pay(bob, alice, 999_000_000), pay(alice, alice, 1)] as const;
    const included = [first, failed, own].map((tx) => ({ tx, receipt: receiptOf(state, tx) }));
    finishBlock(state, included, blockContext({ height: 7 }));
    const hashOf = (...ids: readonly string[]): Uint8Array => historyHashAfter(ZERO_HASH, ids);
    expect(readAccount(state, alice.pub)).toMatchObject({ historyCount: 2, historyHash: hashOf(first.id, own.id) });
    expect(readAccount(state, bob.pub)).toMatchObject({ historyCount: 2, historyHash: hashOf(first.id, failed.id) });
    expect(readAccount(state, validator.pub)).toMatchObject({ historyCount: 1, historyHash: hashOf("reward-7") });
  });

  it("continues from block to block", () => {
    const state = genesisState();
    const txs = [pay(alice, bob, 1), pay(alice, bob, 2)];
    for (const [index, tx] of txs.entries()) executeBlock(state, [tx], blockContext({ height: index + 1 }));
    expect(readAccount(state, bob.pub).historyHash).toEqual(
      historyHashAfter(
        ZERO_HASH,
        txs.map((tx) => tx.id),
      ),
    );
    expect(readAccount(state, validator.pub).historyCount).toBe(2);
  });
});

describe("any sequence of blocks", () => {
  const people = [alice, bob, carol, actor(4), validator];
  const person = fc.constantFrom(...people);
  const step = fc.oneof(
    fc.record({ kind: fc.constant("pay" as const), from: person, to: person, amount: fc.integer({ min: 0, max: 12_000_000 }) }),
    fc.record({ kind: fc.constant("request" as const), from: person, to: person, amount: fc.integer({ min: 4_000, max: 9_000 }) }),
    fc.record({ kind: fc.constantFrom("accept" as const, "block" as const), from: person, to: person, amount: fc.constant(0) }),
    fc.record({
      kind: fc.constantFrom("link" as const, "unlink" as const, "register" as const),
      from: person,
      to: person,
      amount: fc.integer({ min: 50, max: 53 }),
    }),
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
  const transactionOf = ({ kind, from, to, amount }: Step): Transaction => {
    const x25519_pub_key = deviceKey(amount);
    switch (kind) {
      case "pay":
        return pay(from, to, amount, 1_000 + (amount % 3) * 500_000);
      case "request":
        return signed(from, { type: "CONTACT_REQUEST", to: to.pub, amount, payload: {} });
      case "accept":
        return signed(from, { type: "ACCEPT_CONTACT", to: to.pub, payload: {} });
      case "block":
        return signed(from, { type: "BLOCK_CONTACT", to: to.pub, payload: {} });
      case "link":
        return signed(from, { type: "LINK_DEVICE", payload: { x25519_pub_key, device_name: "d" } });
      case "unlink":
        return signed(from, { type: "UNLINK_DEVICE", payload: { x25519_pub_key } });
      case "register":
        return signed(from, { type: "REGISTER_KEY", payload: { x25519_pub_key } });
    }
  };
  const total = (state: OverlayStateView): number => people.reduce((sum, { pub }) => sum + readAccount(state, pub).balanceUt, 1_000_000);

  /** Applies a transaction and checks what it may have changed. */
  function applied(state: OverlayStateView, tx: Transaction, context: BlockContext): readonly IncludedTransaction[] {
    const before = dump(state);
    const account = readAccount(state, tx.from);
    const outcome = applyTransaction(state, tx, context);
    if (!outcome.isIncluded) {
      expect(dump(state)).toEqual(before);
      return [];
    }
    if (!outcome.receipt.isOk) {
      const isOther = (line: string): boolean => !line.startsWith(`account ${tx.from}`);
      expect(dump(state).filter(isOther)).toEqual(before.filter(isOther));
      expect(readAccount(state, tx.from)).toEqual({ ...account, balanceUt: account.balanceUt - tx.fee });
    }
    return [{ tx, receipt: outcome.receipt }];
  }

  it("conserves the supply, makes no balance negative, and lets a failure change nothing but the fee", () => {
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), (blocks) => {
        const state = genesisState();
        for (const [index, steps] of blocks.entries()) {
          const context = blockContext({ height: index + 1 });
          const included: IncludedTransaction[] = [];
          for (const tx of steps.map(transactionOf)) included.push(...applied(state, tx, context));
          const reward = finishBlock(state, included, context);
          expect(reward === undefined).toBe(included.length === 0);
          expect(total(state)).toBe(readSupply(state));
          for (const { pub } of people) expect(readAccount(state, pub).balanceUt).toBeGreaterThanOrEqual(0);
        }
      }),
      { seed: 20260101, numRuns: 60 },
    );
  }, 60_000);
});
