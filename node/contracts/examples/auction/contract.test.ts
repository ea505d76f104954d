import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract, type TestOutcome } from "parley/testing";

const HOUR_S = 3_600;

describe("auction", () => {
  let chain: TestChain;
  let auction: TestContract;
  let [seller, alice, bob]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [seller, alice, bob] = ["seller", "alice", "bob"].map((name) => chain.account(name));
    auction = chain.deploy(seller, import.meta.dirname, ["a lamp", chain.time + HOUR_S, 100]);
  });

  const bid = (from: TestAccount, amount: number): TestOutcome => auction.call(from, "bid", [], { amount });
  const status = (): { end: number; bid: number; bidder: string } => auction.view("status") as { end: number; bid: number; bidder: string };
  const owed = ({ key }: TestAccount): unknown => auction.view("owed", [key]);

  it("goes to the highest bid; the others take theirs back", () => {
    bid(alice, 100);
    bid(bob, 200);
    bid(alice, 300);
    assert.deepEqual([owed(alice), owed(bob), auction.balance], [100, 200, 600]);
    assert.equal(auction.call(alice, "withdraw").result, 100);
    chain.advance(HOUR_S);
    assert.deepEqual(auction.call(bob, "finish").logs, [`{"event":"Finished","index":{"winner":"${alice.key}"},"data":{"amount":300}}`]);
    assert.equal(auction.call(seller, "withdraw").result, 300);
    assert.equal(auction.call(seller, "withdraw").isOk, false);
    assert.equal(auction.call(bob, "withdraw").result, 200);
    assert.equal(auction.balance, 0);
  });

  it("takes no bid below the least, of the seller, or late", () => {
    assert.equal(bid(alice, 99).reason, "the bid is too low");
    bid(alice, 100);
    assert.equal(auction.view("least_bid"), 106);
    assert.equal(bid(bob, 105).reason, "the bid is too low");
    assert.equal(bid(seller, 200).reason, "the seller does not bid");
    chain.advance(HOUR_S);
    assert.equal(bid(bob, 200).reason, "the auction is over");
    assert.deepEqual([auction.balance, status().bidder], [100, alice.key]);
  });

  it("is longer after a late bid, by far less than for ever", () => {
    const { end } = status();
    bid(alice, 100);
    assert.equal(status().end, end);
    chain.advance(HOUR_S - 10);
    bid(bob, 200);
    assert.equal(status().end, chain.time + 300);
    chain.advance(300);
    assert.equal(bid(alice, 400).reason, "the auction is over");
    assert.equal(auction.call(alice, "finish").isOk, true);
  });

  it("is finished once, after its end, also without a bid", () => {
    assert.match(auction.call(alice, "finish").reason, /is not over/);
    chain.advance(HOUR_S);
    assert.equal(auction.call(alice, "finish").isOk, true);
    assert.match(auction.call(alice, "finish").reason, /was finished/);
    assert.equal(owed(seller), 0);
  });

  it("owes no more than it has, whatever is sent to it and taken from it", () => {
    let amount = 100;
    for (const bidder of [alice, bob, alice, alice, bob]) {
      assert.equal(bid(bidder, amount).isOk, true);
      assert.equal(Number(owed(alice)) + Number(owed(bob)) + status().bid, auction.balance);
      amount = Number(auction.view("least_bid"));
      if (bidder === bob) auction.call(alice, "withdraw");
    }
  });
});
