import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

// The node's own tests hold this contract to everything that the native escrow does; these show how it is used.
describe("escrow", () => {
  let chain: TestChain;
  let escrow: TestContract;
  let [buyer, seller, arbiter]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [buyer, seller, arbiter] = ["buyer", "seller", "arbiter"].map((name) => chain.account(name));
    escrow = chain.deploy(chain.account("deployer"), import.meta.dirname);
    escrow.call(buyer, "open", ["deal", seller.key, arbiter.key, chain.time + 3_600], { amount: 5_000 });
  });

  it("pays the seller when the buyer is content", () => {
    assert.equal(escrow.call(seller, "release", ["deal"]).reason, "only the buyer releases");
    const before = seller.balance;
    assert.equal(escrow.call(buyer, "release", ["deal"]).isOk, true);
    assert.deepEqual([seller.balance - before, escrow.text("e:deal:x"), escrow.balance], [5_000, "r", 0]);
  });

  it("lets the arbiter decide what is disputed", () => {
    escrow.call(seller, "dispute", ["deal"]);
    assert.equal(escrow.call(arbiter, "resolve", ["deal", false]).isOk, true);
    assert.equal(escrow.text("e:deal:x"), "f");
  });

  it("pays the buyer back after the deadline", () => {
    chain.advance(3_600);
    assert.equal(escrow.call(seller, "timeout", ["deal"]).isOk, true);
    assert.equal(escrow.balance, 0);
  });
});
