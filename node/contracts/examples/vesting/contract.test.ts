import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract, type TestOutcome } from "parley/testing";

const DAY_S = 86_400;

describe("vesting", () => {
  let chain: TestChain;
  let vesting: TestContract;
  let [giver, worker, stranger]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [giver, worker, stranger] = ["giver", "worker", "stranger"].map((name) => chain.account(name));
    vesting = chain.deploy(stranger, import.meta.dirname);
  });

  const grant = ({ total = 1_000, cliff = 10, days = 100, revocable = true } = {}): TestOutcome =>
    vesting.call(giver, "grant", [worker.key, chain.time, cliff * DAY_S, days * DAY_S, revocable], { amount: total });
  const claimable = (id = 1): unknown => vesting.view("claimable", [id]);

  it("releases nothing before the cliff, then evenly, at the end everything", () => {
    assert.equal(grant().result, 1);
    chain.advance(10 * DAY_S - 1);
    assert.equal(claimable(), 0);
    assert.equal(vesting.call(worker, "claim", [1]).reason, "nothing more is released yet");
    chain.advance(1);
    assert.equal(vesting.call(stranger, "claim", [1]).result, 100);
    assert.equal(claimable(), 0);
    chain.advance(40 * DAY_S);
    assert.equal(claimable(), 400);
    chain.advance(1_000 * DAY_S);
    const before = worker.balance;
    assert.equal(vesting.call(stranger, "claim", [1]).result, 900);
    assert.deepEqual([worker.balance - before, vesting.balance], [900, 0]);
    assert.equal(vesting.call(worker, "claim", [1]).reason, "there is no such grant");
  });

  it("loses nothing by rounding, however often it is claimed, and is never ahead", () => {
    const total = 1_009;
    grant({ total, cliff: 0, days: 7 });
    let taken = 0;
    for (let hour = 5; hour < 7 * 24; hour += 5) {
      chain.advance(5 * 3_600);
      taken += Number(vesting.call(worker, "claim", [1]).result);
      assert.equal(taken, Math.floor((total * hour) / (7 * 24)));
    }
    chain.advance(DAY_S);
    taken += Number(vesting.call(worker, "claim", [1]).result);
    assert.deepEqual([taken, vesting.balance], [total, 0]);
  });

  it("can be revoked where that was said, and leaves what was released", () => {
    grant();
    grant({ revocable: false });
    chain.advance(50 * DAY_S);
    assert.equal(vesting.call(worker, "claim", [1]).result, 500);
    chain.advance(10 * DAY_S);
    assert.match(vesting.call(stranger, "revoke", [1]).reason, /only whom/);
    assert.match(vesting.call(giver, "revoke", [2]).reason, /only whom/);
    assert.equal(vesting.call(giver, "revoke", [1]).isOk, true);
    assert.equal(vesting.call(giver, "revoke", [1]).reason, "there is no such grant");
    assert.deepEqual([vesting.view("owed", [worker.key]), vesting.view("owed", [giver.key])], [100, 400]);
    assert.deepEqual([vesting.call(worker, "withdraw").result, vesting.call(giver, "withdraw").result], [100, 400]);
    assert.equal(vesting.balance, 1_000);
    chain.advance(100 * DAY_S);
    assert.equal(vesting.call(worker, "claim", [2]).result, 1_000);
  });

  it("may begin later, and takes no senseless times", () => {
    vesting.call(giver, "grant", [worker.key, chain.time + DAY_S, 0, DAY_S, false], { amount: 10 });
    assert.equal(claimable(), 0);
    chain.advance(DAY_S + DAY_S / 2);
    assert.equal(claimable(), 5);
    assert.equal(grant({ cliff: 101 }).isOk, false);
    assert.equal(grant({ days: 0, cliff: 0 }).isOk, false);
    assert.equal(grant({ days: 20 * 365 + 1 }).isOk, false);
    assert.equal(grant({ total: 0 }).reason, "a grant is more than nothing");
    const never = vesting.call(giver, "grant", [worker.key, 2n ** 64n - 1n, 0, 1, false], { amount: 1 });
    assert.equal(never.isOk, false);
  });
});
