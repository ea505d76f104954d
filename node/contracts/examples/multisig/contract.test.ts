import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

describe("multisig", () => {
  let chain: TestChain;
  let purse: TestContract;
  let [alice, bob, carol, dora]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [alice, bob, carol, dora] = ["alice", "bob", "carol", "dora"].map((name) => chain.account(name));
    const members = [alice, bob, carol].map(({ key }) => key).join(" ");
    purse = chain.deploy(alice, import.meta.dirname, [members, 2]);
    purse.call(dora, "deposit", [], { amount: 500 });
  });

  it("pays once enough members approve, and once only", () => {
    const before = dora.balance;
    const proposed = purse.call(alice, "propose", [dora.key, 300]);
    assert.deepEqual([proposed.isOk, proposed.result, purse.balance], [true, 1, 500]);
    assert.deepEqual(purse.call(bob, "approve", [1]).logs.at(-1), `pay 1 ${dora.key}`);
    assert.deepEqual([purse.balance, dora.balance - before, purse.view("approvals", [1])], [200, 300, 2]);
    assert.equal(purse.call(carol, "approve", [1]).reason, "the payment is done");
  });

  it("listens to members only, each once", () => {
    purse.call(alice, "propose", [dora.key, 300]);
    assert.equal(purse.call(alice, "approve", [1]).reason, "the member approved it already");
    assert.equal(purse.call(dora, "approve", [1]).reason, "only members do that");
    assert.equal(purse.call(dora, "propose", [dora.key, 1]).reason, "only members do that");
    assert.equal(purse.call(bob, "approve", [2]).reason, "there is no such payment");
    assert.equal(purse.balance, 500);
  });

  it("does not count an approval for what it cannot pay", () => {
    purse.call(alice, "propose", [dora.key, 501]);
    assert.equal(purse.call(bob, "approve", [1]).reason, "the purse cannot pay");
    assert.equal(purse.view("approvals", [1]), 1);
    purse.call(dora, "deposit", [], { amount: 1 });
    assert.equal(purse.call(bob, "approve", [1]).isOk, true);
  });

  it("is made of members that are keys, and of no more approvals than members", () => {
    const folder = import.meta.dirname;
    assert.throws(() => chain.deploy(alice, folder, ["none", 1]), /a member is a public key/);
    assert.throws(() => chain.deploy(alice, folder, [`${alice.key} ${alice.key}`, 1]), /named twice/);
    assert.throws(() => chain.deploy(alice, folder, [alice.key, 2]), /as many approvals at most/);
  });

  it("asks other contracts, and says why they do not answer", () => {
    const other = chain.deploy(bob, import.meta.dirname, [bob.key, 1]);
    assert.equal(purse.call(alice, "ask", [other.id, "deposit"]).isOk, true);
    assert.equal(purse.call(alice, "ask", [other.id, "approve"]).reason, "the other contract says CONTRACT_ARGUMENTS");
    assert.equal(purse.call(alice, "ask", [purse.id, "deposit"]).isOk, false);
  });
});
