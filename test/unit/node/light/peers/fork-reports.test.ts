import { describe, expect, it } from "vitest";
import type { LightPeer } from "#node/light/light-peers.ts";
import { FORK_REPORT_MS, ForkReports } from "#node/light/peers/fork-reports.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { blockOf, constantSets, lightChain, untrusted } from "#test/support/worlds/light-world.ts";

const CHAIN = lightChain(constantSets([1, 2, 3], 2));
const OTHER = lightChain(constantSets([1, 2, 3], 2), { at: 2, base: CHAIN });
const FORK = { first: blockOf(CHAIN, 2), second: blockOf(OTHER, 2) };

/** A node with peers that answer as the test says. */
class Bench {
  readonly time = new VirtualTime();
  readonly sent: string[] = [];
  readonly requests: unknown[] = [];
  readonly answers = new Map<string, "accepted" | "unknown" | "none">();
  readonly reports = new ForkReports({
    peers: {
      peers: (): readonly LightPeer[] => [...this.answers.keys()].map((name) => ({ name, height: 2, isProven: false })),
      ask: ((peer: string, request: unknown): Promise<unknown> => {
        this.sent.push(peer);
        this.requests.push(request);
        const answer = this.answers.get(peer);
        if (answer === "none") return Promise.reject(new Error("no answer"));
        return Promise.resolve(answer === "accepted" ? { kind: "accepted", warning: null } : { kind: "unknown" });
      }) as LightRequester["ask"],
    },
    timers: this.time,
    log: { info: (): void => undefined, warn: (): void => undefined },
  });

  async pass(durationMs: number): Promise<readonly string[]> {
    await new Promise((resolve) => setImmediate(resolve));
    this.time.advance(durationMs);
    await new Promise((resolve) => setImmediate(resolve));
    return this.sent.splice(0);
  }
}

describe("reports of a fork", () => {
  it("go to every peer until it accepts, also to those that connect later", async () => {
    const bench = new Bench();
    bench.answers.set("a", "accepted").set("b", "unknown").set("c", "none");
    bench.reports.report(FORK);
    expect(await bench.pass(0)).toEqual(["a", "b", "c"]);
    expect(bench.requests[0]).toEqual({ kind: "fork", first: untrusted(FORK.first), second: untrusted(FORK.second) });
    bench.answers.set("d", "accepted").set("b", "accepted");
    expect(await bench.pass(FORK_REPORT_MS)).toEqual(["b", "c", "d"]);
    expect(await bench.pass(FORK_REPORT_MS)).toEqual(["c"]);
    bench.reports.stop();
    expect(await bench.pass(10 * FORK_REPORT_MS)).toEqual([]);
  });

  it("are of the first fork, and end after a while", async () => {
    const bench = new Bench();
    bench.answers.set("a", "unknown");
    bench.reports.report(FORK);
    bench.reports.report({ first: FORK.second, second: FORK.first });
    const sent = await bench.pass(1_000 * FORK_REPORT_MS);
    expect(sent.length).toBeGreaterThan(100);
    expect(sent.length).toBeLessThan(500);
    expect(bench.time.pending).toBe(0);
    expect(new Set(bench.requests.map((request) => JSON.stringify(request))).size).toBe(1);
  });
});
