import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract, type TestOutcome } from "parley/testing";

const DAY_S = 86_400;

describe("escrow", () => {
  let chain: TestChain;
  let escrow: TestContract;
  let [buyer, seller, arbiter, stranger]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [buyer, seller, arbiter, stranger] = ["buyer", "seller", "arbiter", "stranger"].map((name) => chain.account(name));
    escrow = chain.deploy(stranger, import.meta.dirname);
  });

  const open = (id = "d1", by: string | null = arbiter.key, amount = 500): TestOutcome =>
    escrow.call(buyer, "open", [id, seller.key, by, chain.time + DAY_S], { amount });
  const said = (from: TestAccount, method: string, ...args: readonly (string | boolean)[]): string =>
    escrow.call(from, method, args).reason || "ok";
  const owed = ({ key }: TestAccount): unknown => escrow.view("owed", [key]);

  it("gives the amount to the seller when the buyer releases it, once", () => {
    open();
    assert.equal(said(seller, "release", "d1"), "only the buyer releases");
    assert.equal(said(buyer, "release", "d1"), "ok");
    assert.equal(said(buyer, "release", "d1"), "the deal is settled");
    assert.equal(said(seller, "refund", "d1"), "the deal is settled");
    assert.deepEqual([owed(seller), escrow.balance], [500, 500]);
    assert.equal(escrow.call(seller, "withdraw").result, 500);
    assert.equal(said(seller, "withdraw"), "nothing is owed to this address");
    assert.equal(escrow.balance, 0);
  });

  it("gives it back when the seller refunds, and after the deadline by any caller", () => {
    open();
    open("d2");
    assert.equal(said(buyer, "refund", "d1"), "only the seller refunds");
    assert.equal(said(seller, "refund", "d1"), "ok");
    chain.advance(DAY_S - 1);
    assert.equal(said(stranger, "timeout", "d2"), "the deadline has not passed");
    chain.advance(1);
    assert.equal(said(buyer, "dispute", "d2"), "the deadline has passed");
    assert.equal(said(stranger, "timeout", "d2"), "ok");
    assert.deepEqual([owed(buyer), owed(seller)], [1_000, 0]);
  });

  it("lets the arbiter decide a dispute alone", () => {
    open();
    assert.equal(said(arbiter, "resolve", "d1", true), "only the arbiter resolves, and only a disputed deal");
    assert.equal(said(stranger, "dispute", "d1"), "only buyer and seller dispute");
    assert.equal(said(seller, "dispute", "d1"), "ok");
    assert.equal(said(seller, "resolve", "d1", true), "only the arbiter resolves, and only a disputed deal");
    assert.equal(said(arbiter, "resolve", "d1", true), "ok");
    assert.deepEqual([owed(buyer), owed(seller)], [0, 500]);
  });

  it("does not wait for ever for an arbiter", () => {
    open();
    said(seller, "dispute", "d1");
    chain.advance(DAY_S);
    assert.equal(said(buyer, "timeout", "d1"), "the deadline has not passed");
    chain.advance(29 * DAY_S);
    assert.equal(said(buyer, "timeout", "d1"), "ok");
    open("d2", null);
    assert.equal(said(buyer, "dispute", "d2"), "the deal is disputed already, or has no arbiter");
  });

  it("is between three, about an amount, under an id of its own", () => {
    open();
    assert.equal(open().reason, "the deal id is taken");
    assert.equal(open("d2", null, 0).reason, "a deal is about an attached amount");
    assert.equal(open("d2", buyer.key).reason, "buyer, seller and arbiter are three");
    assert.equal(open("d2", seller.key).reason, "buyer, seller and arbiter are three");
    assert.equal(
      escrow.call(buyer, "open", ["d2", "0".repeat(64), null, chain.time + 1], { amount: 1 }).reason,
      "the recipient is no usable key and no contract",
    );
    for (const deadline of [chain.time, chain.time + 366 * DAY_S, 2n ** 64n - 1n])
      assert.match(escrow.call(buyer, "open", ["d2", seller.key, null, deadline], { amount: 1 }).reason, /within a year/);
  });

  it("keeps deals apart that owe to the same person", () => {
    open("d1");
    open("d2", null, 70);
    said(seller, "refund", "d1");
    assert.equal(escrow.call(buyer, "withdraw").result, 500);
    assert.equal(escrow.balance, 70);
    assert.equal(said(buyer, "release", "d2"), "ok");
    assert.equal(escrow.call(seller, "withdraw").result, 70);
  });
});
