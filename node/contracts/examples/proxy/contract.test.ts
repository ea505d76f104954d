import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

// Upgrades themselves need two versions; Parley's own tests have some.
describe("proxy", () => {
  let chain: TestChain;
  let proxy: TestContract;
  let [alice, bob]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [alice, bob] = ["alice", "bob"].map((name) => chain.account(name));
    proxy = chain.deploy(alice, import.meta.dirname, [86_400]);
  });

  it("begins without a version", () => {
    assert.deepEqual(proxy.view("status"), { version: "", proposed: "", proposedFrom: 0, owner: alice.key });
    assert.equal(proxy.call(bob, "call", ["add", [1]]).reason, "there is no version yet");
    assert.equal(proxy.call(bob, "step").reason, "no version is proposed");
    assert.equal(proxy.call(alice, "cancel").reason, "no version is proposed");
  });

  it("takes proposals of its owner alone, and only contracts that are versions of it", () => {
    const other = chain.deploy(alice, import.meta.dirname, [86_400]);
    assert.equal(proxy.call(bob, "propose", [other.id]).reason, "only the owner does that");
    assert.equal(proxy.call(alice, "propose", [other.id]).reason, "the contract is no version of this proxy");
    assert.equal(proxy.call(alice, "propose", [alice.key]).reason, "the contract is no version of this proxy");
    assert.equal(proxy.call(alice, "propose", [proxy.id]).reason, "the contract is no version of this proxy");
  });

  it("waits an hour to a year", () => {
    assert.throws(() => chain.deploy(alice, import.meta.dirname, [3_599]), /an hour to a year/);
    assert.throws(() => chain.deploy(alice, import.meta.dirname, [2n ** 64n - 1n]), /an hour to a year/);
  });
});
