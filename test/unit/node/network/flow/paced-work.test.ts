// Pieces of work take turns, and leave most of the processor to others.
import { describe, expect, it } from "vitest";
import { PacedWork, REST_SHARE } from "#node/network/flow/paced-work.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const PIECE_MS = 10;

/** Work whose pieces take a time of their own, on a clock that they move. */
function createBench(): {
  readonly time: VirtualTime;
  readonly log: string[];
  ask(sender: string, takesMs?: number): Promise<string>;
  pass(ms: number): void;
} {
  const time = new VirtualTime();
  let workedMs = 0;
  const log: string[] = [];
  const clock = { monotonicMs: (): number => time.nowMs + workedMs };
  const work = new PacedWork({ clock, timers: time });
  return {
    time,
    log,
    ask: (sender, takesMs = PIECE_MS) =>
      work.run(sender, () => {
        workedMs += takesMs;
        log.push(sender);
        return `for ${sender}`;
      }),
    pass: (ms) => time.advance(ms),
  };
}

describe("paced work", () => {
  it("is done at once when nothing else is", async () => {
    const bench = createBench();
    expect(await bench.ask("a")).toBe("for a");
  });

  it("rests after each piece of any peer", () => {
    const bench = createBench();
    for (let n = 0; n < 40; n += 1) void bench.ask(`peer ${n}`);
    expect(bench.log).toHaveLength(1);
    bench.pass(REST_SHARE * PIECE_MS - 1);
    expect(bench.log).toHaveLength(1);
    bench.pass(1);
    expect(bench.log).toHaveLength(2);
    for (let n = 0; n < 10; n += 1) bench.pass(REST_SHARE * PIECE_MS);
    expect(bench.log).toHaveLength(12);
  });

  it("serves senders in turn, those with many requests too", () => {
    const bench = createBench();
    for (const sender of ["a", "a", "a", "a", "b", "c"]) void bench.ask(sender);
    for (let n = 0; n < 6; n += 1) bench.pass(REST_SHARE * PIECE_MS);
    expect(bench.log.join("")).toBe("abcaaa");
  });

  it("is shared by time: who has small pieces waits for one of the others", () => {
    const bench = createBench();
    for (let n = 0; n < 3; n += 1) for (const [at, sender] of ["x", "y", "z"].entries()) void bench.ask(sender, 40 + at);
    for (const tookMs of [40, 41, 42]) bench.pass(REST_SHARE * tookMs);
    void bench.ask("late", 0.5);
    bench.pass(REST_SHARE * 40);
    void bench.ask("late", 0.5);
    bench.pass(REST_SHARE * 0.5);
    expect(bench.log.join(" ")).toBe("x y z x late late");
  });

  it("is saved up by no one", () => {
    const bench = createBench();
    for (let n = 0; n < 6; n += 1) void bench.ask("busy");
    for (let n = 0; n < 3; n += 1) bench.pass(REST_SHARE * PIECE_MS);
    for (let n = 0; n < 3; n += 1) void bench.ask("fresh");
    for (let n = 0; n < 4; n += 1) bench.pass(REST_SHARE * PIECE_MS);
    expect(bench.log.slice(4).join(" ")).toBe("fresh busy fresh busy");
  });

  it("comes to who has used much, however many new senders there are", () => {
    const bench = createBench();
    for (const sender of ["first", "old", "old"]) void bench.ask(sender, 30);
    for (let n = 0; n < 60; n += 1) {
      void bench.ask(`new ${n}`);
      bench.pass(REST_SHARE * PIECE_MS);
    }
    expect(bench.log.filter((sender) => sender === "old")).toHaveLength(2);
  });

  it("continues after a piece that fails", async () => {
    const time = new VirtualTime();
    const work = new PacedWork({ clock: { monotonicMs: () => time.nowMs }, timers: time });
    const failing = work.run("a", () => {
      throw new Error("no");
    });
    const next = work.run("a", () => 7);
    await expect(failing).rejects.toThrow("no");
    time.advance(0);
    expect(await next).toBe(7);
  });
});
