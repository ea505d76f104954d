// An engine before a height whose rules the program lacks: it stops, signs and applies nothing of it, and another engine continues.
import { expect, it } from "vitest";
import { EngineBench, HEARTBEAT_MS } from "./engine-bench.ts";

/** From this height on the rules are others. */
const CHANGE_AT = 4;
const missing = (bench: EngineBench): (() => number | undefined) => {
  return () => (bench.chain.tip().height + 1 >= CHANGE_AT ? 3 : undefined);
};

it("stops before it in words, also at a start, and continues with a program that has them", () => {
  const bench = new EngineBench();
  Object.assign(bench.chain, { missingVersion: missing(bench) });
  const engine = bench.start();
  for (const text of ["a", "b", "c"]) bench.commit(engine, text);
  expect(bench.chain.tip().height).toBe(CHANGE_AT - 1);
  expect(engine.status()).toMatchObject({ phase: "stopped", isVoting: false });
  expect(bench.warnings.join()).toContain(`From block ${CHANGE_AT} on the network has version 3 of its rules`);
  const sent = bench.sent.length;
  bench.chain.add("d");
  engine.notifyWork();
  bench.time.advance(10 * HEARTBEAT_MS);
  expect(bench.chain.tip().height).toBe(CHANGE_AT - 1);
  const again = bench.start();
  bench.time.advance(10 * HEARTBEAT_MS);
  expect(again.status()).toMatchObject({ phase: "stopped", isVoting: false });
  expect(bench.sent.filter((message) => message.type !== "commit").length).toBeLessThanOrEqual(sent);
  expect(bench.fatal).toEqual([]);
  Object.assign(bench.chain, { missingVersion: () => undefined });
  const updated = bench.start();
  updated.notifyWork();
  bench.time.advance(HEARTBEAT_MS);
  expect(bench.chain.tip().height).toBeGreaterThanOrEqual(CHANGE_AT);
  expect(bench.chain.texts).toEqual(["a", "b", "c", "d"]);
});

it("takes no block of it from others, and blames none for it", async () => {
  const bench = new EngineBench();
  Object.assign(bench.chain, { missingVersion: missing(bench) });
  const engine = bench.start();
  for (const text of ["a", "b", "c"]) bench.commit(engine, text);
  expect(await engine.applyBatch(bench.chain.blocks)).toBe("stopped");
  expect(bench.rejected).toEqual([]);
});
