import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

const DAY_S = 86_400;

describe("multisig", () => {
  let chain: TestChain;
  let purse: TestContract;
  let [alice, bob, carol, dora]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [alice, bob, carol, dora] = ["alice", "bob", "carol", "dora"].map((name) => chain.account(name));
    purse = chain.deploy(alice, import.meta.dirname, [[alice.key, bob.key, carol.key], 2]);
    purse.call(dora, "deposit", [], { amount: 500 });
  });

  it("pays once enough members approve, and once only", () => {
    const before = dora.balance;
    assert.equal(purse.call(alice, "propose_payment", [dora.key, 300]).result, 1);
    assert.equal(purse.call(alice, "execute", [1]).reason, "there are not enough approvals");
    assert.equal(purse.call(bob, "approve", [1]).isOk, true);
    assert.deepEqual([purse.balance, purse.view("approvals_of", [1])], [500, 2]);
    assert.equal(purse.call(carol, "execute", [1]).isOk, true);
    assert.deepEqual([purse.balance, dora.balance - before], [200, 300]);
    assert.equal(purse.call(carol, "execute", [1]).reason, "there is no such open proposal");
    assert.equal(purse.call(carol, "approve", [1]).isOk, false);
  });

  it("listens to members only, each once", () => {
    purse.call(alice, "propose_payment", [dora.key, 300]);
    assert.equal(purse.call(alice, "approve", [1]).reason, "the member approved it already");
    assert.equal(purse.call(dora, "approve", [1]).reason, "only members do that");
    assert.equal(purse.call(dora, "execute", [1]).reason, "only members do that");
    assert.equal(purse.call(dora, "propose_payment", [dora.key, 1]).reason, "only members do that");
    assert.equal(purse.call(bob, "approve", [2]).reason, "there is no such open proposal");
  });

  it("counts no approval that was taken back, and none of who is no member any more", () => {
    purse.call(alice, "propose_payment", [dora.key, 300]);
    purse.call(bob, "approve", [1]);
    purse.call(bob, "revoke", [1]);
    assert.equal(purse.call(bob, "revoke", [1]).reason, "the caller has not approved it");
    assert.equal(purse.call(alice, "execute", [1]).reason, "there are not enough approvals");
    purse.call(bob, "approve", [1]);
    purse.call(alice, "propose_members", [[alice.key, carol.key, dora.key], 2]);
    purse.call(carol, "approve", [2]);
    assert.equal(purse.call(carol, "execute", [2]).isOk, true);
    assert.deepEqual(new Set(purse.view("members_now") as string[]), new Set([alice.key, carol.key, dora.key]));
    assert.equal(purse.call(alice, "execute", [1]).reason, "there are not enough approvals");
    assert.equal(purse.call(bob, "approve", [1]).reason, "only members do that");
    purse.call(dora, "approve", [1]);
    assert.equal(purse.call(dora, "execute", [1]).isOk, true);
  });

  it("forgets what lies too long, and tries again what it could not pay", () => {
    purse.call(alice, "propose_payment", [dora.key, 501]);
    purse.call(bob, "approve", [1]);
    assert.equal(purse.call(bob, "execute", [1]).reason, "the purse cannot pay");
    purse.call(dora, "deposit", [], { amount: 1 });
    chain.advance(30 * DAY_S + 1);
    assert.equal(purse.call(bob, "execute", [1]).reason, "the proposal has expired");
    purse.call(alice, "propose_payment", [dora.key, 501]);
    purse.call(bob, "approve", [2]);
    assert.equal(purse.call(bob, "execute", [2]).isOk, true);
  });

  it("calls other contracts with µT, and undoes all when they refuse", () => {
    const other = chain.deploy(bob, import.meta.dirname, [[purse.id, bob.key], 2]);
    purse.call(alice, "propose_call", [other.id, "deposit", [], 40]);
    purse.call(alice, "propose_call", [other.id, "propose_payment", [dora.key, 5], 0]);
    purse.call(alice, "propose_call", [other.id, "approve", [9], 0]);
    purse.call(alice, "propose_call", [purse.id, "deposit", [], 0]);
    for (const id of [1, 2, 3]) purse.call(bob, "approve", [id]);
    assert.equal(purse.call(bob, "execute", [1]).isOk, true);
    assert.equal(purse.call(bob, "execute", [2]).isOk, true);
    assert.deepEqual([purse.balance, other.balance, other.view("approvals_of", [1])], [460, 40, 1]);
    assert.equal(purse.call(bob, "execute", [3]).reason, "the other contract says there is no such open proposal");
    assert.equal(purse.view("approvals_of", [3]), 2);
    assert.throws(() => purse.view("proposal", [4]), /no such entry/, "it does not call itself");
  });

  it("has members that are keys or contracts, and no more approvals than members", () => {
    const folder = import.meta.dirname;
    assert.throws(() => chain.deploy(alice, folder, [["none"], 1]), /no key of 64 hex characters/);
    assert.throws(() => chain.deploy(alice, folder, [["0".repeat(64)], 1]), /no usable key/);
    assert.throws(() => chain.deploy(alice, folder, [[alice.key, alice.key], 1]), /named twice/);
    assert.throws(() => chain.deploy(alice, folder, [[alice.key], 2]), /1 to that of the members/);
    assert.throws(() => chain.deploy(alice, folder, [[alice.key], 0]), /1 to that of the members/);
  });
});
