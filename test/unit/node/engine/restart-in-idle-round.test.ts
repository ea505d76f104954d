// A validator that restarts in a round without a propose timeout, because nothing asked for a decision, and then has work.
import { expect, it } from "vitest";
import { EngineBench } from "./engine-bench.ts";

it("waits for the proposer no longer than a timeout, whatever earlier idle rounds the log holds", () => {
  const bench = new EngineBench({ size: 4, ownIndex: 0 });
  const first = bench.start();
  // Two rounds end without a block, and the next one is idle: this node has no work.
  for (const round of [0, 1]) {
    bench.receive(...[1, 2, 3].map((index) => bench.vote("prevote", round, null, index)));
    bench.receive(...[1, 2, 3].map((index) => bench.vote("precommit", round, null, index)));
    bench.time.advance(10_000);
    expect(first.status()).toMatchObject({ round: round + 1, step: "propose" });
  }
  bench.chain.add("work");
  bench.disk.restart(1);
  bench.sent.length = 0;
  const second = bench.start();
  expect(second.status()).toMatchObject({ round: 2, step: "propose" });
  bench.time.advance(10_000);
  expect(bench.ownMessages).toContain("prevote 2 nil");
});
