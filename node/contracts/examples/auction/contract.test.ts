import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

describe("auction", () => {
  let chain: TestChain;
  let auction: TestContract;
  let [seller, bob, carol]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [seller, bob, carol] = ["seller", "bob", "carol"].map((name) => chain.account(name));
    auction = chain.deploy(chain.account("deployer"), import.meta.dirname);
    auction.call(seller, "open", ["vase", 1_000, 600]);
  });

  it("goes to the best bid, and gives the others their own back", () => {
    assert.equal(auction.call(bob, "bid", ["vase"], { amount: 1_000 }).isOk, true);
    assert.equal(auction.view("least", ["vase"]), 1_051);
    assert.equal(auction.call(carol, "bid", ["vase"], { amount: 1_050 }).reason, "the bid is too low");
    assert.equal(auction.call(carol, "bid", ["vase"], { amount: 2_000 }).isOk, true);
    assert.deepEqual([auction.balance, auction.view("owed", [bob.key])], [3_000, 1_000]);
    chain.advance(600);
    assert.deepEqual(auction.call(bob, "close", ["vase"]).logs, [`close vase ${carol.key} 2000`]);
    for (const [account, amount] of [
      [bob, 1_000],
      [seller, 2_000],
    ] as const)
      assert.deepEqual(auction.call(account, "withdraw").logs, [`withdraw ${account.key} ${amount}`]);
    assert.equal(auction.balance, 0);
    assert.equal(auction.call(bob, "withdraw").reason, "there is nothing to take");
  });

  it("has its time", () => {
    assert.equal(auction.call(bob, "close", ["vase"]).reason, "the auction is not over");
    chain.advance(600);
    assert.equal(auction.call(bob, "bid", ["vase"], { amount: 5_000 }).reason, "the auction is over");
    assert.deepEqual(auction.call(bob, "close", ["vase"]).logs, ["close vase unsold 0"]);
    assert.equal(auction.call(bob, "close", ["vase"]).reason, "the auction is closed");
    assert.equal(auction.call(seller, "withdraw").reason, "there is nothing to take");
  });

  it("is offered once, within bounds", () => {
    assert.equal(auction.call(bob, "open", ["vase", 1, 600]).reason, "the id is taken");
    assert.equal(auction.call(bob, "open", ["a:b", 1, 600]).reason, "an id has 1 to 64 characters without a colon");
    assert.equal(auction.call(bob, "open", ["cup", 1, 59]).reason, "an auction lasts a minute to thirty days");
    assert.equal(auction.call(bob, "bid", ["cup"], { amount: 5 }).reason, "there is no such auction");
  });

  it("keeps auctions apart", () => {
    auction.call(seller, "open", ["cup", 1, 900]);
    auction.call(bob, "bid", ["vase"], { amount: 1_000 });
    auction.call(bob, "bid", ["cup"], { amount: 7 });
    chain.advance(700);
    assert.equal(auction.call(carol, "close", ["vase"]).isOk, true);
    assert.equal(auction.call(carol, "close", ["cup"]).isOk, false);
    assert.deepEqual([auction.view("owed", [seller.key]), auction.balance], [1_000, 1_007]);
  });
});
