// Who is dialled again and when, who asks a relay for a place, and who is alive.
import type { Connection, PeerId } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import type { CircuitTransport } from "#node/network/libp2p/circuit-transport.ts";
import { RelayWatchdog } from "#node/network/libp2p/relay-watchdog.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { peerIdOf } from "#node/network/peer-name.ts";
import { LatencyMeter } from "#node/network/peers/latency-meter.ts";
import { LivenessWatch } from "#node/network/peers/liveness-watch.ts";
import { Redialer } from "#node/network/peers/redialer.ts";
import { createLog } from "#node/observability/log.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const peer = (n: number): PeerId => peerIdOf(actor(n).pub);

function connection(n: number, direction: "inbound" | "outbound", direct = true): Connection {
  return { remotePeer: peer(n), direction, direct, timeline: { open: n } } as unknown as Connection;
}

describe("the redialer", () => {
  it("dials again with growing pauses, one dial at a time, and again after a connection", async () => {
    const clock = { ms: 0, nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms };
    let isConnected = false;
    let fail: (error: Error) => void = () => undefined;
    const dials: number[] = [];
    const redialer = new Redialer(clock, () => [
      {
        name: "a",
        isConnected: (): boolean => isConnected,
        dial: (): Promise<unknown> => {
          dials.push(clock.ms);
          return new Promise((_, reject) => {
            fail = reject;
          });
        },
      },
    ]);
    const maintainFor = async (durationMs: number): Promise<void> => {
      for (const endMs = clock.ms + durationMs; clock.ms < endMs; clock.ms += 500) {
        redialer.maintain();
        fail(new Error("no peer there"));
        await new Promise(setImmediate);
      }
    };
    redialer.maintain();
    redialer.maintain();
    expect(dials).toEqual([0]);
    await maintainFor(200_000);
    expect(dials).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000, 123_000, 183_000]);
    isConnected = true;
    await maintainFor(1_000);
    isConnected = false;
    await maintainFor(2_500);
    expect(dials.slice(9)).toEqual([201_000, 202_000]);
  });
});

describe("the watch over relays", () => {
  const HOP = "/libp2p/circuit/relay/0.2.0/hop";
  const watch = (
    connections: readonly Connection[],
    circuit: CircuitTransport["reservationStore"],
    protocols: (id: PeerId) => readonly string[] = () => [HOP],
  ): RelayWatchdog => {
    const libp2p = {
      getConnections: (): readonly Connection[] => connections,
      peerStore: { get: (id: PeerId) => Promise.resolve({ protocols: protocols(id) }) },
    };
    const log = createLog("json", { write: () => undefined });
    return new RelayWatchdog({ libp2p: libp2p as never, circuit: { reservationStore: circuit }, log });
  };

  it("asks one relay after another until one has a slot", async () => {
    const asked: string[] = [];
    const connections = [
      connection(1, "outbound"),
      connection(2, "outbound", false),
      connection(3, "inbound"),
      connection(4, "outbound"),
      connection(5, "outbound"),
    ];
    const store = {
      reservationCount: (): number => 0,
      addRelay: (id: unknown): Promise<unknown> => {
        asked.push(String(id));
        return asked.length === 2 ? Promise.resolve({}) : Promise.reject(new Error("full"));
      },
    };
    await watch(connections, store, (id) => (id.equals(peer(1)) ? ["/other"] : [HOP])).check();
    expect(asked).toEqual([peer(3).toString(), peer(4).toString()]);
  });

  it("asks no relay while there is a reservation", async () => {
    let count = 0;
    const store = {
      reservationCount: (): number => 1,
      addRelay(): Promise<unknown> {
        count += 1;
        return Promise.resolve();
      },
    };
    await watch([connection(1, "outbound")], store).check();
    expect(count).toBe(0);
  });
});

describe("the watch over silent peers", () => {
  const { pingIntervalMs, silenceMs } = NETWORK_LIMITS;

  function watchOf(answers: () => boolean): {
    readonly clock: { ms: number };
    readonly pinged: number[];
    readonly dead: string[];
    readonly watch: LivenessWatch;
    run(durationMs: number): Promise<void>;
  } {
    const clock = { ms: 0, nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms };
    const pinged: number[] = [];
    const dead: string[] = [];
    const watch = new LivenessWatch({
      clock,
      ping: (): Promise<unknown> => {
        pinged.push(clock.ms);
        return answers() ? Promise.resolve() : Promise.reject(new Error("silence"));
      },
      onDead: (peer): void => void dead.push(peer),
    });
    const run = async (durationMs: number): Promise<void> => {
      for (const endMs = clock.ms + durationMs; clock.ms < endMs && dead.length === 0; clock.ms += 1_000) {
        watch.poll(["a"]);
        await new Promise(setImmediate);
      }
    };
    return { clock, pinged, dead, watch, run };
  }

  it("pings a silent one now and then, and none that sends", async () => {
    const silent = watchOf(() => true);
    await silent.run(10 * silenceMs);
    expect(silent.dead).toEqual([]);
    expect(silent.pinged.length).toBeGreaterThan((10 * silenceMs) / pingIntervalMs - 5);
    const talking = watchOf(() => false);
    for (let n = 0; n < 100; n += 1) {
      await talking.run(pingIntervalMs - 1_000);
      talking.watch.noteReceived("a");
    }
    expect([talking.pinged, talking.dead]).toEqual([[], []]);
  });

  it("gives one up that answers nothing for long", async () => {
    const world = watchOf(() => false);
    await world.run(10 * silenceMs);
    expect(world.dead).toEqual(["a"]);
    expect(world.clock.ms).toBeGreaterThan(silenceMs);
    expect(world.clock.ms).toBeLessThan(silenceMs + 5_000);
  });

  it("blames no peer for the time in which this node was suspended", async () => {
    const world = watchOf(() => false);
    await world.run(5_000);
    world.clock.ms += 20 * silenceMs;
    await world.run(5_000);
    expect(world.dead).toEqual([]);
  });
});

describe("the meter of latency", () => {
  const { latencyIntervalMs } = NETWORK_LIMITS;

  it("gives the quickest of the latest four responses, measured at its pace, and forgets who left", async () => {
    const clock = { ms: 0, nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms };
    const answers = [50, 20, 90, 80, 70, 60];
    const asked: string[] = [];
    const meter = new LatencyMeter({
      clock,
      ping: (peer): Promise<number> => {
        asked.push(peer);
        return peer === "b"
          ? Promise.reject(new Error("silence"))
          : Promise.resolve(answers[asked.filter((name) => name === "a").length - 1] ?? 0);
      },
    });
    expect(meter.of("a")).toBeNull();
    const found: (number | null)[] = [];
    for (let round = 0; round < answers.length; round += 1, clock.ms += latencyIntervalMs) {
      for (const peers of [
        ["a", "b"],
        ["a", "b"],
      ])
        meter.poll(peers);
      await new Promise(setImmediate);
      found.push(meter.of("a"));
    }
    expect(found).toEqual([50, 20, 20, 20, 20, 60]);
    expect(asked).toEqual(answers.flatMap(() => ["a", "b"]));
    expect(meter.of("b"), "one that never answers").toBeNull();
    meter.poll([]);
    expect(meter.of("a")).toBeNull();
  });
});
