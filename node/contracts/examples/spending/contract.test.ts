import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

const DAY_S = 86_400;

describe("spending", () => {
  let chain: TestChain;
  let account: TestContract;
  let [owner, till, shop, bar, thief]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [owner, till, shop, bar, thief] = ["owner", "till", "shop", "bar", "thief"].map((name) => chain.account(name));
    account = chain.deploy(owner, import.meta.dirname, []);
    account.call(owner, "deposit", [], { amount: 1_000 });
  });

  const budget = ({ each = 20, total = 50, period = DAY_S, days = 30, any = true } = {}): string =>
    account.call(owner, "set_budget", [till.key, each, total, period, chain.time + days * DAY_S, any]).reason || "ok";
  const pay = (amount: number, to = shop, from = till): string => account.call(from, "pay", [to.key, amount, "tea"]).reason || "ok";
  const NOT_LEFT = "the budget of the period does not suffice";

  it("pays within what is allowed at a time and in a period", () => {
    budget();
    const before = shop.balance;
    assert.equal(pay(21), "more than the budget allows at a time");
    assert.equal(pay(0), "more than the budget allows at a time");
    assert.deepEqual([pay(20), pay(20), pay(11), pay(10), pay(1)], ["ok", "ok", NOT_LEFT, "ok", NOT_LEFT]);
    assert.deepEqual([shop.balance - before, account.balance, account.view("left", [till.key])], [50, 950, 0]);
  });

  it("never pays more than the total within any period, wherever it begins", () => {
    budget({ each: 50 });
    const payments: { readonly time: number; readonly amount: number }[] = [];
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 120; round += 1) {
      chain.advance(random(DAY_S / 6));
      const amount = 1 + random(50);
      if (pay(amount) === "ok") payments.push({ time: chain.time, amount });
      const within = payments.filter(({ time }) => time > chain.time - DAY_S).reduce((sum, paid) => sum + paid.amount, 0);
      assert.ok(within <= 50, `seed 7, round ${round}: ${within}`);
    }
    assert.ok(payments.length > 20);
  });

  it("has everything again a period and a part of it later", () => {
    budget({ each: 50 });
    assert.equal(pay(50), "ok");
    chain.advance(DAY_S - 1);
    assert.equal(pay(1), NOT_LEFT);
    chain.advance(1 + DAY_S / 24);
    assert.equal(pay(50), "ok");
  });

  it("ends at once when the owner says so, or by its day", () => {
    budget({ days: 1 });
    assert.equal(pay(1), "ok");
    assert.equal(account.call(thief, "revoke", [till.key]).reason, "only the owner does that");
    account.call(owner, "revoke", [till.key]);
    assert.equal(pay(1), "the caller has no budget");
    assert.equal(account.call(owner, "revoke", [till.key]).reason, "the spender has no budget");
    budget({ days: 1 });
    chain.advance(DAY_S);
    assert.equal(pay(1), "the budget has expired");
  });

  it("pays only payees that are allowed, each within its own limit", () => {
    budget({ any: false });
    assert.equal(pay(1), "the budget does not allow this payee");
    account.call(owner, "set_payee", [till.key, shop.key, 15, DAY_S]);
    assert.deepEqual([pay(15), pay(1), pay(1, bar)], ["ok", NOT_LEFT, "the budget does not allow this payee"]);
    account.call(owner, "set_payee", [till.key, shop.key, 0, DAY_S]);
    chain.advance(2 * DAY_S);
    assert.equal(pay(1), NOT_LEFT);
    account.call(owner, "revoke", [till.key]);
    account.call(owner, "set_payee", [till.key, bar.key, 15, DAY_S]);
    budget({ any: false });
    assert.equal(pay(1), "the budget does not allow this payee", "limits of a budget that was ended are none of the next");
    assert.equal(pay(1, bar), "the budget does not allow this payee");
  });

  it("limits single payees where all are allowed", () => {
    budget();
    account.call(owner, "set_payee", [till.key, shop.key, 5, DAY_S]);
    assert.deepEqual([pay(5), pay(1), pay(20, bar)], ["ok", NOT_LEFT, "ok"]);
    assert.equal(account.view("left", [till.key]), 25);
  });

  it("does not refill a budget by setting it again, and survives another period", () => {
    budget({ each: 50 });
    assert.equal(pay(50), "ok");
    budget({ each: 50 });
    assert.equal(pay(1), NOT_LEFT);
    budget({ each: 50, total: 60 });
    assert.deepEqual([pay(10), pay(1)], ["ok", NOT_LEFT]);
    account.call(owner, "revoke", [till.key]);
    budget({ each: 50 });
    assert.equal(pay(1), NOT_LEFT, "also after it was ended");
    budget({ each: 50, period: 3_600 });
    assert.deepEqual([pay(50), pay(1)], ["ok", NOT_LEFT]);
  });

  it("obeys its owner alone, and gives its budgets to no other key", () => {
    budget();
    assert.equal(pay(1, shop, thief), "the caller has no budget");
    assert.equal(account.call(thief, "withdraw", [thief.key, 1]).reason, "only the owner does that");
    assert.equal(account.call(till, "withdraw", [till.key, 1]).reason, "only the owner does that");
    assert.equal(account.call(till, "set_payee", [till.key, till.key, 1, DAY_S]).reason, "only the owner does that");
    assert.equal(account.call(thief, "set_budget", [thief.key, 1, 1, DAY_S, chain.time + 1, true]).reason, "only the owner does that");
    assert.equal(account.call(owner, "withdraw", [shop.key, 1_000]).isOk, true);
    assert.equal(pay(1), "the account cannot pay");
    assert.equal(account.view("left", [till.key]), 50);
  });

  it("takes no senseless budget", () => {
    assert.match(budget({ each: 51 }), /no more than the total/);
    assert.match(budget({ each: 0 }), /more than nothing/);
    assert.equal(budget({ period: 59 }), "a period has 60 seconds to 365 days");
    assert.equal(budget({ period: 366 * DAY_S }), "a period has 60 seconds to 365 days");
    assert.equal(budget({ days: 0 }), "the budget expires in the past");
    const most = 2n ** 64n - 1n;
    assert.equal(account.call(owner, "set_budget", [till.key, most, most, 60, most, true]).isOk, true);
    assert.deepEqual([pay(900), pay(100), pay(1)], ["ok", "ok", "the account cannot pay"]);
  });
});
