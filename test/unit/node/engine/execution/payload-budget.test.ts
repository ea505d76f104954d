import { describe, expect, it } from "vitest";
import {
  LARGE_BYTES_BURST,
  LARGE_BYTES_DEBT,
  LARGE_BYTES_PER_S,
  largeBytes,
  ORDINARY_TRANSACTION_BYTES,
  PayloadBudget,
} from "#node/engine/execution/selection/payload-budget.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { deployPadded } from "#test/support/chain/contract-calls.ts";
import { doubleVote } from "#test/support/chain/ledger-payloads.ts";
import { actor, alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

const LARGEST = deployPadded(alice, MAX_WASM_BYTES);
const PROPOSERS = [actor(31), actor(32), actor(33), actor(34)].map(({ pub }) => pub);
const [OWN = "", HOSTILE = ""] = PROPOSERS;

const blockOf = (proposer: PublicKeyHex, timeMs: number, transactions: readonly Transaction[]): Pick<Block, "header" | "transactions"> => ({
  header: { proposer, timeMs } as Block["header"],
  transactions,
});

describe("what counts as large", () => {
  it("is what a transaction has beyond an ordinary one", () => {
    expect(largeBytes(signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: { memo: "x".repeat(256) } }))).toBe(0);
    expect(largeBytes(LARGEST)).toBe(encodeTransaction(LARGEST).length - ORDINARY_TRANSACTION_BYTES);
    expect(LARGE_BYTES_DEBT).toBeGreaterThanOrEqual(largeBytes(LARGEST));
  });

  it("is no report of a validator, which must not wait", () => {
    const report = signed(alice, { type: "SLASH", payload: { evidence: doubleVote(bob, 1, 0) } });
    const long = { ...report, payload: LARGEST.payload };
    expect([largeBytes({ ...long, type: "DEPLOY_CONTRACT" }) > 0, largeBytes(long)]).toEqual([true, 0]);
  });
});

describe("the budget", () => {
  it("has room at once where nothing large came, and none gathered at the start", () => {
    const budget = new PayloadBudget(1_000, 4);
    expect(budget.roomAt(1_001)).toBeGreaterThan(0);
    expect(budget.roomAt(2_000)).toBe(LARGE_BYTES_PER_S);
    expect(budget.roomAt(1_000_000)).toBe(LARGE_BYTES_BURST);
    expect([budget.waitMs(1_000), budget.waitMs(1_001)]).toEqual([1, 0]);
  });

  it("says when there is room again, no matter who used it", () => {
    for (const proposer of [OWN, HOSTILE]) {
      const budget = new PayloadBudget(0, 4);
      budget.committed(blockOf(proposer, 1_000, [LARGEST]), OWN, 4);
      const waitMs = budget.waitMs(1_000);
      expect(waitMs).toBe(Math.floor(((largeBytes(LARGEST) - LARGE_BYTES_PER_S) * 1_000) / LARGE_BYTES_PER_S) + 1);
      expect([budget.roomAt(1_000), budget.roomAt(999 + waitMs), budget.waitMs(1_000 + waitMs)]).toEqual([0, 0, 0]);
      expect(budget.roomAt(1_000 + waitMs)).toBeGreaterThan(0);
    }
  });

  it("does not go back when the time of a block does", () => {
    const budget = new PayloadBudget(5_000, 4);
    budget.committed(blockOf(OWN, 6_000, [LARGEST]), OWN, 4);
    const waitMs = budget.waitMs(6_000);
    budget.committed(blockOf(OWN, 4_000, []), OWN, 4);
    expect(budget.waitMs(6_000)).toBe(waitMs);
  });

  it("lets no proposer keep the others waiting longer than for one module, however much it takes", () => {
    const budget = new PayloadBudget(0, 4);
    const many = Array.from({ length: 5 }, () => LARGEST);
    budget.committed(blockOf(HOSTILE, 10, many), OWN, 4);
    budget.committed(blockOf(HOSTILE, 20, many), OWN, 4);
    expect(budget.waitMs(20)).toBeLessThanOrEqual((LARGE_BYTES_DEBT * 1_000) / LARGE_BYTES_PER_S + 1);
    // A debt beyond that which is left of an own block is not forgiven by a small block.
    const own = new PayloadBudget(0, 4);
    own.committed(blockOf(HOSTILE, 10, [LARGEST]), OWN, 4);
    const before = own.waitMs(10);
    own.committed(blockOf(HOSTILE, 10, []), OWN, 4);
    expect(own.waitMs(10)).toBe(before);
  });

  it.each([
    ["all are honest", [], 1.1],
    ["one of four takes whatever it can", [HOSTILE], Number.POSITIVE_INFINITY],
  ])("gives an honest proposer its share, and all of them no more than the rate, when %s", (_, hostile: readonly PublicKeyHex[], most) => {
    const seconds = 600;
    const used = usedIn(seconds, hostile);
    const allowed = LARGE_BYTES_PER_S * seconds;
    expect([...used.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(allowed * most);
    const honest = [...used].filter(([proposer]) => !hostile.includes(proposer)).map(([, bytes]) => bytes);
    // Nine tenths of what the shares of the honest come to: the first of each takes its time.
    expect(honest.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan((allowed * honest.length * 0.9) / PROPOSERS.length);
  });
});

/** Large bytes by proposer: blocks of 70 ms in turn, the largest module in each one that the budget or its hostile proposer allows. */
function usedIn(seconds: number, hostile: readonly PublicKeyHex[]): ReadonlyMap<PublicKeyHex, number> {
  const budgets = new Map(PROPOSERS.map((key) => [key, new PayloadBudget(0, PROPOSERS.length)]));
  const used = new Map(PROPOSERS.map((key) => [key, 0]));
  for (let turn = 1; turn * 70 <= seconds * 1_000; turn += 1) {
    const proposer = PROPOSERS[turn % PROPOSERS.length] ?? "";
    const room = budgets.get(proposer)?.roomAt(turn * 70) ?? 0;
    const transactions = hostile.includes(proposer) || room > 0 ? [LARGEST] : [];
    used.set(proposer, (used.get(proposer) ?? 0) + transactions.length * largeBytes(LARGEST));
    for (const [own, budget] of budgets) budget.committed(blockOf(proposer, turn * 70, transactions), own, PROPOSERS.length);
  }
  return used;
}
