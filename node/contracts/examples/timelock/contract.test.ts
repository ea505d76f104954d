import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

const HOUR_S = 3_600;
const GRACE_S = 14 * 86_400;

describe("timelock", () => {
  let chain: TestChain;
  let lock: TestContract;
  /** Another one, whose owner the first becomes. */
  let owned: TestContract;
  let [alice, bob]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [alice, bob] = ["alice", "bob"].map((name) => chain.account(name));
    lock = chain.deploy(alice, import.meta.dirname, [HOUR_S]);
    owned = chain.deploy(alice, import.meta.dirname, [HOUR_S]);
    owned.call(alice, "offer_ownership", [lock.id]);
  });

  it("calls after its delay, once", () => {
    assert.equal(lock.call(alice, "schedule", [owned.id, "accept_ownership", [], 0]).result, 1);
    chain.advance(HOUR_S - 1);
    assert.equal(lock.call(alice, "execute", [1]).reason, "the delay has not passed");
    chain.advance(1);
    assert.equal(lock.call(alice, "execute", [1]).isOk, true);
    assert.equal(owned.call(alice, "schedule_delay", [HOUR_S]).reason, "only the owner does that");
    assert.equal(lock.call(alice, "execute", [1]).reason, "there is no such announced call");
  });

  it("obeys its owner alone", () => {
    assert.equal(lock.call(bob, "schedule", [owned.id, "accept_ownership", [], 0]).reason, "only the owner does that");
    lock.call(alice, "schedule", [owned.id, "accept_ownership", [], 0]);
    chain.advance(HOUR_S);
    assert.equal(lock.call(bob, "execute", [1]).reason, "only the owner does that");
    assert.equal(lock.call(bob, "cancel", [1]).reason, "only the owner does that");
    assert.equal(lock.call(alice, "cancel", [1]).isOk, true);
    assert.equal(lock.call(alice, "execute", [1]).reason, "there is no such announced call");
  });

  it("forgets what is not executed, and undoes what the other contract refuses", () => {
    lock.call(alice, "schedule", [owned.id, "cancel", [7], 0]);
    lock.call(alice, "schedule", [owned.id, "accept_ownership", [], 0]);
    chain.advance(HOUR_S);
    assert.equal(lock.call(alice, "execute", [1]).reason, "the other contract says only the owner does that");
    assert.deepEqual((lock.view("announced", [1]) as { method: string }).method, "cancel");
    chain.advance(GRACE_S + 1);
    assert.equal(lock.call(alice, "execute", [2]).reason, "the announced call has expired");
  });

  it("changes its own delay by the delay of before", () => {
    assert.equal(lock.call(alice, "schedule_delay", [59]).reason, "the delay is a minute to a year");
    lock.call(alice, "schedule_delay", [60]);
    assert.equal(lock.call(alice, "execute", [1]).reason, "the delay has not passed");
    lock.call(alice, "schedule", [owned.id, "accept_ownership", [], 0]);
    chain.advance(HOUR_S);
    assert.equal(lock.call(alice, "execute", [1]).isOk, true);
    assert.equal(lock.view("delay_s"), 60);
    lock.call(alice, "schedule", [owned.id, "accept_ownership", [], 0]);
    chain.advance(60);
    assert.equal(lock.call(alice, "execute", [3]).isOk, true);
  });

  it("attaches µT that it has", () => {
    lock.call(bob, "deposit", [], { amount: 30 });
    lock.call(alice, "schedule", [owned.id, "deposit", [], 20]);
    lock.call(alice, "schedule", [owned.id, "deposit", [], 20]);
    chain.advance(HOUR_S);
    assert.equal(lock.call(alice, "execute", [1]).isOk, true);
    assert.equal(lock.call(alice, "execute", [2]).isOk, false);
    assert.deepEqual([lock.balance, owned.balance], [10, 20]);
  });
});
