import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestAccount, TestChain, type TestContract } from "parley/testing";

describe("nft", () => {
  let nft: TestContract;
  let [alice, bob, carol, dora]: TestAccount[] = [];

  beforeEach(() => {
    const chain = new TestChain();
    [alice, bob, carol, dora] = ["alice", "bob", "carol", "dora"].map((name) => chain.account(name));
    nft = chain.deploy(alice, import.meta.dirname, []);
    nft.call(alice, "mint", [bob.key, "https://example.org/1"]);
  });

  const ownerOf = (id: number): unknown => nft.view("owner_of", [id]);

  it("is made by the owner alone, each with a number of its own", () => {
    assert.equal(nft.call(bob, "mint", [bob.key, "x"]).reason, "only the owner does that");
    assert.equal(nft.call(alice, "mint", [bob.key, "https://example.org/2"]).result, 2);
    assert.equal(nft.call(alice, "mint", ["0".repeat(64), "x"]).reason, "the recipient is no usable key and no contract");
    assert.equal(nft.call(alice, "mint", [bob.key, "x".repeat(257)]).reason, "a URI has at most 256 bytes");
    assert.deepEqual([ownerOf(1), ownerOf(2), nft.view("balance_of", [bob.key])], [bob.key, bob.key, 2]);
    assert.equal(nft.view("uri_of", [2]), "https://example.org/2");
  });

  it("is moved by its owner alone, and to whom can have it", () => {
    assert.equal(nft.call(alice, "transfer", [alice.key, 1]).reason, "the caller may not move this token");
    assert.equal(nft.call(bob, "transfer", ["0".repeat(64), 1]).reason, "the recipient is no usable key and no contract");
    assert.equal(nft.call(bob, "transfer", [bob.key, 1]).reason, "the recipient has it already");
    assert.equal(nft.call(bob, "transfer", [carol.key, 9]).reason, "there is no such token");
    assert.deepEqual(nft.call(bob, "transfer", [carol.key, 1]).logs, [
      `{"event":"Transfer","index":{"id":"1","from":"${bob.key}","to":"${carol.key}"},"data":{}}`,
    ]);
    assert.deepEqual([ownerOf(1), nft.view("balance_of", [bob.key]), nft.view("balance_of", [carol.key])], [carol.key, 0, 1]);
    assert.equal(nft.call(bob, "transfer", [bob.key, 1]).isOk, false);
  });

  it("is moved by whom the owner approved, once", () => {
    assert.equal(nft.call(carol, "approve", [carol.key, 1]).reason, "only the owner and its operators approve");
    nft.call(bob, "approve", [carol.key, 1]);
    assert.equal(nft.view("approved_for", [1]), carol.key);
    assert.equal(nft.call(carol, "approve", [dora.key, 1]).isOk, false);
    assert.equal(nft.call(carol, "transfer", [dora.key, 1]).isOk, true);
    assert.equal(nft.call(carol, "transfer", [carol.key, 1]).reason, "the caller may not move this token");
    nft.call(dora, "approve", [carol.key, 1]);
    nft.call(dora, "approve", [null, 1]);
    assert.equal(nft.call(carol, "transfer", [carol.key, 1]).isOk, false);
  });

  it("is moved by operators until they are none", () => {
    nft.call(bob, "set_operator", [carol.key, true]);
    assert.equal(nft.call(carol, "approve", [dora.key, 1]).isOk, true);
    nft.call(bob, "set_operator", [carol.key, false]);
    assert.equal(nft.view("is_operator", [bob.key, carol.key]), false);
    assert.equal(nft.call(carol, "transfer", [carol.key, 1]).isOk, false);
    nft.call(bob, "set_operator", [carol.key, true]);
    assert.equal(nft.call(carol, "transfer", [alice.key, 1]).isOk, true);
    assert.equal(nft.call(carol, "transfer", [carol.key, 1]).isOk, false, "operators are the holder's, not the token's");
  });

  it("is destroyed for good", () => {
    assert.equal(nft.call(alice, "burn", [1]).isOk, false);
    nft.call(bob, "approve", [carol.key, 1]);
    assert.equal(nft.call(bob, "burn", [1]).isOk, true);
    assert.throws(() => ownerOf(1), /there is no such token/);
    assert.deepEqual([nft.view("approved_for", [1]), nft.view("balance_of", [bob.key])], ["", 0]);
    assert.equal(nft.call(alice, "mint", [carol.key, "x"]).result, 2);
  });
});
