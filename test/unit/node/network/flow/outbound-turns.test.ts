// Requests to a peer take turns: so many at once, a bounded number behind them, each until it is given up.
import { expect, it } from "vitest";
import { OutboundTurns } from "#node/network/flow/outbound-turns.ts";

it("has two under way and two waiting, in their order; more are refused, and one that is given up leaves its place", async () => {
  const turns = new OutboundTurns({ underWay: 2, waiting: 2 });
  const order: number[] = [];
  const ends: (() => void)[] = [];
  const start = (n: number, signal = new AbortController().signal): Promise<number> =>
    turns.run("peer", signal, async () => {
      order.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      return n;
    });
  const stopping = new AbortController();
  const first = [start(1), start(2)];
  const third = start(3, stopping.signal);
  const fourth = start(4);
  await expect(start(5)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  stopping.abort();
  await expect(third).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  const sixth = start(6);
  for (let n = 0; n < 4; n += 1) {
    ends[n]?.();
    await new Promise(setImmediate);
  }
  expect([await Promise.all([...first, fourth, sixth]), order, turns.size]).toEqual([[1, 2, 4, 6], [1, 2, 4, 6], 0]);
});

it("goes on after a request that failed", async () => {
  const turns = new OutboundTurns({ underWay: 1, waiting: 1 });
  const { signal } = new AbortController();
  const failing = turns.run("peer", signal, () => Promise.reject(new Error("failed")));
  const next = turns.run("peer", signal, () => Promise.resolve("next"));
  await expect(failing).rejects.toThrow("failed");
  expect([await next, turns.size]).toEqual(["next", 0]);
});
