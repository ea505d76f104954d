import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

const ZERO = "0".repeat(64);

describe("token", () => {
  let chain: TestChain;
  let token: TestContract;
  let [alice, bob, carol]: TestAccount[] = [];

  beforeEach(() => {
    chain = new TestChain();
    [alice, bob, carol] = ["alice", "bob", "carol"].map((name) => chain.account(name));
    token = chain.deploy(alice, import.meta.dirname, ["Tea", "TEA", 6, "1000"]);
  });

  const held = (...accounts: readonly TestAccount[]): readonly unknown[] => accounts.map(({ key }) => token.view("balance_of", [key]));

  it("begins with its deployer", () => {
    assert.deepEqual(token.view("info"), { name: "Tea", symbol: "TEA", decimals: 6, supply: "1000", owner: alice.key });
    assert.deepEqual(held(alice, bob), ["1000", "0"]);
    assert.equal(token.call(bob, "init", ["x", "y", 0, "5"]).code, "CONTRACT_METHOD_UNKNOWN");
  });

  it("moves, to keys in either case, and never more than there is", () => {
    assert.deepEqual(token.call(alice, "transfer", [bob.key.toUpperCase(), "300"]).logs, [
      `{"event":"Transfer","index":{"from":"${alice.key}","to":"${bob.key}"},"data":{"amount":"300"}}`,
    ]);
    assert.equal(token.call(bob, "transfer", [carol.key, "301"]).reason, "the balance does not suffice");
    assert.equal(token.call(bob, "transfer", [carol.key, `${2n ** 128n}`]).isOk, false);
    assert.equal(token.call(bob, "transfer", [bob.key, "300"]).isOk, true);
    assert.deepEqual(held(alice, bob, carol), ["700", "300", "0"]);
  });

  it("goes to no key of zeros, to no contract that is not there, and not to itself", () => {
    for (const to of [ZERO, "0".repeat(16), `${"0".repeat(63)}1`])
      assert.equal(token.call(alice, "transfer", [to, "1"]).reason, "the recipient is no usable key and no contract", to);
    assert.equal(token.call(alice, "transfer", [token.id, "1"]).reason, "the contract itself cannot receive this");
    assert.equal(token.call(alice, "mint", [ZERO, "1"]).isOk, false);
    assert.deepEqual(held(alice), ["1000"]);
  });

  it("is taken by others up to what was approved", () => {
    token.call(alice, "approve", [bob.key, "50"]);
    assert.equal(token.call(bob, "transfer_from", [alice.key, carol.key, "51"]).reason, "the allowance does not suffice");
    assert.equal(token.call(bob, "transfer_from", [alice.key, carol.key, "30"]).isOk, true);
    assert.equal(token.call(bob, "transfer_from", [alice.key, carol.key, "21"]).isOk, false);
    assert.equal(token.call(alice, "increase_allowance", [bob.key, "5"]).isOk, true);
    assert.equal(token.call(alice, "decrease_allowance", [bob.key, "26"]).reason, "an integer overflows");
    assert.equal(token.call(alice, "decrease_allowance", [bob.key, "5"]).isOk, true);
    assert.equal(token.call(bob, "transfer_from", [alice.key, bob.key, "20"]).isOk, true);
    assert.deepEqual([...held(alice, bob, carol), token.view("allowance", [alice.key, bob.key])], ["950", "20", "30", "0"]);
  });

  it("is made by its owner alone, and destroyed by its holders", () => {
    assert.equal(token.call(bob, "mint", [bob.key, "1"]).reason, "only the owner does that");
    token.call(alice, "mint", [bob.key, "500"]);
    token.call(bob, "burn", ["100"]);
    assert.equal(token.call(bob, "burn", ["401"]).reason, "the balance does not suffice");
    assert.deepEqual(held(alice, bob), ["1000", "400"]);
    assert.equal(token.call(alice, "mint", [bob.key, `${2n ** 128n - 1_400n}`]).reason, "an integer overflows");
    assert.equal(token.call(alice, "mint", [bob.key, `${2n ** 128n - 1n - 1_400n}`]).isOk, true);
  });

  it("has an owner who hands it over in two steps, or gives minting up", () => {
    token.call(alice, "offer_ownership", [bob.key]);
    assert.equal(token.call(carol, "accept_ownership").reason, "the contract is not offered to the caller");
    assert.equal(token.call(bob, "mint", [bob.key, "1"]).isOk, false);
    assert.equal(token.call(bob, "accept_ownership").isOk, true);
    assert.equal(token.call(bob, "accept_ownership").isOk, false);
    assert.equal(token.call(alice, "mint", [alice.key, "1"]).isOk, false);
    assert.equal(token.call(bob, "renounce_ownership").isOk, true);
    assert.equal(token.call(bob, "mint", [bob.key, "1"]).reason, "only the owner does that");
  });
});

describe("a permit", () => {
  let chain: TestChain;
  let token: TestContract;
  let [alice, bob, carol]: TestAccount[] = [];
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

  beforeEach(() => {
    chain = new TestChain();
    [alice, bob, carol] = ["alice", "bob", "carol"].map((name) => chain.account(name));
    token = chain.deploy(alice, import.meta.dirname, ["Tea", "TEA", 6, "1000"]);
  });

  const signed = (
    by: TestAccount,
    of: TestContract,
    { purpose = "permit", amount = "40", nonce = 0, deadline = chain.time + 60 } = {},
  ): string => hex(by.sign(of.signBytes({ purpose, fields: [bob.key, amount], nonce, deadline })));
  const sent = (signature: string, { amount = "40", deadline = chain.time + 60, spender = bob.key, holder = alice.key } = {}): string =>
    token.call(carol, "permit", [holder, spender, amount, deadline, signature]).reason || "ok";
  const WRONG = "the signature is not the signer's, or its number is not the next";

  it("allows what was signed, by any sender", () => {
    assert.equal(sent(signed(alice, token)), "ok");
    assert.equal(token.view("allowance", [alice.key, bob.key]), "40");
    assert.equal(token.view("nonce_of", [alice.key]), 1);
    assert.equal(token.call(bob, "transfer_from", [alice.key, carol.key, "40"]).isOk, true);
  });

  it("is good once, and in order", () => {
    const first = signed(alice, token);
    assert.equal(sent(signed(alice, token, { nonce: 1 })), WRONG);
    assert.equal(sent(first), "ok");
    assert.equal(sent(first), WRONG);
    assert.equal(sent(signed(alice, token, { nonce: 1 })), "ok");
  });

  it("is good for nothing else", () => {
    const signature = signed(alice, token);
    assert.equal(sent(signature, { amount: "41" }), WRONG);
    assert.equal(sent(signature, { spender: carol.key }), WRONG);
    assert.equal(sent(signature, { holder: carol.key }), WRONG);
    assert.equal(sent(signature, { deadline: chain.time + 61 }), WRONG);
    assert.equal(sent(signed(alice, token, { purpose: "permission" })), WRONG);
    assert.equal(sent(signed(bob, token)), WRONG);
    assert.equal(sent("00".repeat(64)), WRONG);
    assert.equal(sent(signature.slice(2)), "a signature has 64 bytes");
  });

  it("is good for no other contract", () => {
    const other = chain.deploy(alice, import.meta.dirname, ["Tea", "TEA", 6, "1000"]);
    assert.equal(sent(signed(alice, other)), WRONG);
  });

  it("is good until its deadline, and not once it was cancelled", () => {
    const deadline = chain.time + 60;
    const signature = signed(alice, token);
    chain.advance(60);
    assert.equal(sent(signature, { deadline }), "ok");
    const late = signed(alice, token, { nonce: 1, deadline: chain.time + 10 });
    chain.advance(11);
    assert.equal(sent(late, { deadline: chain.time - 1 }), "the signature has expired");
    token.call(alice, "cancel_permits");
    assert.equal(sent(signed(alice, token, { nonce: 1 })), WRONG);
    assert.equal(sent(signed(alice, token, { nonce: 2 })), "ok");
  });

  it("is no good by a key that anyone can sign for", () => {
    // The neutral element: a signature of it that everybody can write fits every message.
    const neutral = `01${"00".repeat(31)}`;
    const anyones = `01${"00".repeat(63)}`;
    assert.equal(sent(anyones, { holder: neutral }), "only a key signs");
    assert.equal(sent(anyones, { holder: token.id }), "only a key signs");
  });
});
