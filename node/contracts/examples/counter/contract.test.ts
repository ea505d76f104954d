import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { TestChain, type TestContract } from "parley/testing";

describe("counter", () => {
  let chain: TestChain;
  let counter: TestContract;

  beforeEach(() => {
    chain = new TestChain();
    counter = chain.deploy(chain.account("alice"), import.meta.dirname);
  });

  it("counts for everybody", () => {
    assert.equal(counter.view("get"), 0);
    assert.equal(counter.call(chain.account("alice"), "add", [5]).isOk, true);
    assert.deepEqual(counter.call(chain.account("bob"), "add", [7]).logs, ["count 12"]);
    assert.equal(counter.view("get"), 12);
    assert.equal(counter.u64("count"), 12n);
  });

  it("holds 64 bits and no more", () => {
    const most = 2n ** 64n - 1n;
    counter.call(chain.account("alice"), "add", [most]);
    assert.equal(counter.view("get"), most.toString());
    assert.match(counter.call(chain.account("bob"), "add", [1]).reason, /^the count would overflow/);
    assert.equal(counter.u64("count"), most);
  });

  it("is reset by its owner alone", () => {
    counter.call(chain.account("bob"), "add", [3]);
    assert.equal(counter.call(chain.account("bob"), "reset").reason, "only the owner resets");
    assert.equal(counter.call(chain.account("alice"), "reset").isOk, true);
    assert.equal(counter.view("get"), 0);
  });

  it("takes numbers only", () => {
    assert.equal(counter.call(chain.account("bob"), "add", ["three"]).code, "CONTRACT_ARGUMENTS");
    assert.equal(counter.call(chain.account("bob"), "add", [1], { amount: 5 }).code, "CONTRACT_NOT_PAYABLE");
  });
});
