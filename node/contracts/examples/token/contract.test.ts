import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

describe("token", () => {
  let token: TestContract;
  let [alice, bob, carol]: TestAccount[] = [];

  beforeEach(() => {
    const chain = new TestChain();
    [alice, bob, carol] = ["alice", "bob", "carol"].map((name) => chain.account(name));
    token = chain.deploy(alice, import.meta.dirname, ["Tea", "TEA", 1_000]);
  });

  const held = (...accounts: readonly TestAccount[]): readonly unknown[] => accounts.map(({ key }) => token.view("balance_of", [key]));

  it("begins with its deployer", () => {
    assert.deepEqual([token.view("supply"), token.view("symbol"), ...held(alice, bob)], [1_000, "TEA", 1_000, 0]);
    assert.equal(token.call(bob, "init", ["x", "y", 5]).code, "CONTRACT_METHOD_UNKNOWN");
  });

  it("moves, to keys in either case, and never more than there is", () => {
    assert.equal(token.call(alice, "transfer", [bob.key.toUpperCase(), 300]).isOk, true);
    assert.equal(token.call(bob, "transfer", [carol.key, 301]).reason, "the balance does not suffice");
    assert.equal(token.call(bob, "transfer", ["bob", 1]).reason, "to is no public key of 64 hex characters");
    assert.equal(token.call(bob, "transfer", [bob.key, 300]).isOk, true);
    assert.deepEqual(held(alice, bob, carol), [700, 300, 0]);
  });

  it("is taken by others up to what was approved", () => {
    token.call(alice, "approve", [bob.key, 50]);
    assert.equal(token.call(bob, "transfer_from", [alice.key, carol.key, 51]).reason, "the caller is not allowed that much");
    assert.equal(token.call(bob, "transfer_from", [alice.key, carol.key, 30]).isOk, true);
    assert.equal(token.call(bob, "transfer_from", [alice.key, carol.key, 21]).isOk, false);
    assert.equal(token.call(bob, "transfer_from", [alice.key, bob.key, 20]).isOk, true);
    assert.deepEqual(held(alice, bob, carol), [950, 20, 30]);
  });

  it("is made by its deployer alone, and destroyed by its holders", () => {
    assert.equal(token.call(bob, "mint", [bob.key, 1]).reason, "only the owner mints");
    token.call(alice, "mint", [bob.key, 500]);
    token.call(bob, "burn", [100]);
    assert.deepEqual([token.view("supply"), ...held(alice, bob)], [1_400, 1_000, 400]);
    assert.equal(token.call(alice, "mint", [bob.key, 2n ** 64n - 1n]).reason, "the supply would overflow");
  });
});
