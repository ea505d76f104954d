// What comes in is read at a bounded rate: of an address, of strangers together, and of useful peers together. Validators are not slowed.
import { describe, expect, it } from "vitest";
import { InboundMeter, type MeteredConnection } from "#node/network/flow/inbound-meter.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const { address, strangers, useful } = NETWORK_LIMITS.inboundBytes;
const CHUNK = NETWORK_LIMITS.inboundTurnBytes;
/** Frames so small that a chunk of them takes this long, ms. */
const SMALL_FRAMES_MS = 50;
const ZEROS = new Uint8Array(CHUNK);
const SECONDS = 20;

/** A sender that fills its socket whenever it is read. */
class Flood implements MeteredConnection {
  readonly socket: MeteredConnection["socket"] & object;
  bytes = 0;
  isPaused = false;
  #isDestroyed = false;
  #take: (chunk: Uint8Array) => void = () => undefined;
  #before: () => void = () => undefined;
  readonly #work: () => void;
  #close: () => void = () => undefined;

  /** `work` is done for each chunk. */
  constructor(work: () => void) {
    this.#work = work;
    const flood = this;
    this.socket = {
      get destroyed(): boolean {
        return flood.#isDestroyed;
      },
      on: (_event, listener): void => {
        this.#take = listener;
      },
      prependListener: (_event, listener): void => {
        this.#before = listener;
      },
      pause: (): void => {
        this.isPaused = true;
      },
      resume: (): void => {
        this.isPaused = false;
      },
    };
  }

  addEventListener(_event: "close", listener: () => void): void {
    this.#close = listener;
  }

  /** Sends a chunk, when it is read. */
  send(bytes = CHUNK): void {
    if (this.isPaused || this.#isDestroyed) return;
    this.bytes += bytes;
    this.#before();
    this.#work();
    this.#take(ZEROS.subarray(0, bytes));
  }

  end(): void {
    this.#isDestroyed = true;
    this.#close();
  }
}

function worldOf(over: { readonly isExempt?: (peer: string) => boolean; readonly isUseful?: (peer: string) => boolean } = {}): {
  readonly meter: InboundMeter;
  readonly time: VirtualTime;
  connect(host: string, peer?: string, chunkMs?: number): Flood;
  /** Lets all send as much as is read. */
  flood(all: readonly Flood[], seconds: number): void;
} {
  const time = new VirtualTime();
  const clock = { monotonicMs: (): number => time.nowMs };
  let workedMs = 0;
  const meter = new InboundMeter({
    clock,
    timers: time,
    workedMs: (): number => workedMs,
    isExempt: (): boolean => false,
    isUseful: (): boolean => false,
    ...over,
  });
  return {
    meter,
    time,
    connect(host, peer, chunkMs = 0): Flood {
      const flood = new Flood(() => {
        workedMs += chunkMs;
      });
      meter.add(flood, host);
      if (peer !== undefined) meter.identify(flood, peer);
      return flood;
    },
    flood(all, seconds): void {
      for (let step = 0; step < seconds * 100; step += 1) {
        for (const each of all) for (let n = 0; n < 8; n += 1) each.send();
        time.advance(10);
      }
    },
  };
}

/** Most that a rate lets through in a time, with a chunk that is read before it is counted for each connection. */
const most = ({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }, seconds: number, connections: number): number =>
  burst + perSecond * seconds + 2 * connections * CHUNK;
const sum = (all: readonly Flood[]): number => all.reduce((total, { bytes }) => total + bytes, 0);

describe("the meter of inbound bytes", () => {
  it("bounds an address, under however many peers", () => {
    const { connect, flood } = worldOf({ isUseful: () => true });
    const all = Array.from({ length: 4 }, (_, n) => connect("1.1.1.1", `peer ${n}`));
    flood(all, SECONDS);
    expect(sum(all)).toBeLessThanOrEqual(most(address, SECONDS, all.length));
    expect(sum(all)).toBeGreaterThan(0.9 * (address.burst + address.perSecond * SECONDS));
  });

  it("bounds the time that small frames take", () => {
    const { connect, flood } = worldOf();
    const all = Array.from({ length: 10 }, (_, n) => connect(`1.1.1.${n}`, `peer ${n}`, SMALL_FRAMES_MS));
    flood(all, SECONDS);
    const workMs = (sum(all) / CHUNK) * SMALL_FRAMES_MS;
    const { burst, perSecond } = strangers;
    expect(workMs * NETWORK_LIMITS.inboundBytesPerMs).toBeLessThanOrEqual(
      burst + perSecond * SECONDS + 2 * all.length * SMALL_FRAMES_MS * NETWORK_LIMITS.inboundBytesPerMs,
    );
    expect(workMs).toBeGreaterThan(0);
  });

  it("bounds strangers in all, and divides what there is between addresses, not connections", () => {
    const { connect, flood } = worldOf();
    const many = Array.from({ length: 30 }, (_, n) => connect("1.1.1.1", `many ${n}`));
    const others = Array.from({ length: 9 }, (_, n) => connect(`2.2.2.${n}`, `other ${n}`));
    const all = [...many, ...others];
    flood(all, 4);
    const before = { many: sum(many), others: others.map(({ bytes }) => bytes) };
    flood(all, SECONDS);
    expect(sum(all)).toBeLessThanOrEqual(most(strangers, SECONDS + 4, all.length));
    expect(sum(all)).toBeGreaterThan(0.9 * (strangers.burst + strangers.perSecond * SECONDS));
    const fair = (strangers.perSecond * SECONDS) / 10;
    for (const [n, { bytes }] of others.entries()) expect(bytes - (before.others[n] ?? 0)).toBeGreaterThan(0.8 * fair);
    expect(sum(many) - before.many).toBeLessThan(1.5 * fair);
  });

  it("lets no stranger take from a useful peer, and slows no validator", () => {
    const { connect, flood } = worldOf({ isUseful: (peer) => peer === "useful", isExempt: (peer) => peer === "validator" });
    const attackers = Array.from({ length: 30 }, (_, n) => connect(`1.1.1.${n}`, `attacker ${n}`));
    const [helper, validator] = [connect("3.3.3.3", "useful"), connect("1.1.1.1", "validator")];
    flood([...attackers, helper, validator], SECONDS);
    expect(helper.bytes).toBeGreaterThan(0.9 * Math.min(address.burst + address.perSecond * SECONDS, useful.burst));
    expect(validator.bytes).toBe(SECONDS * 100 * 8 * CHUNK);
  });

  it("reads a small message of a stranger soon, however many flood", () => {
    const { connect, flood, time } = worldOf();
    const attackers = Array.from({ length: 39 }, (_, n) => connect(`1.1.1.${n}`, `attacker ${n}`));
    flood(attackers, SECONDS);
    const newcomer = connect("4.4.4.4");
    for (let message = 0; message < 10; message += 1) {
      newcomer.send(200);
      const pausedAtMs = time.nowMs;
      for (let n = 0; newcomer.isPaused && n < 200; n += 1) {
        for (const each of attackers) each.send();
        time.advance(10);
      }
      expect(time.nowMs - pausedAtMs).toBeLessThanOrEqual(((attackers.length + 1) * CHUNK * 1_000) / strangers.perSecond + 100);
    }
    expect(newcomer.bytes).toBe(2_000);
  });

  it("counts nothing that was requested or of use", () => {
    const { meter, connect, time } = worldOf();
    const server = connect("5.5.5.5", "server");
    for (let n = 0; n < 10_000; n += 1) {
      server.send();
      meter.credit(server, CHUNK);
      if (n % 100 === 0) time.advance(1);
    }
    expect(server.isPaused).toBe(false);
    expect(server.bytes).toBe(10_000 * CHUNK);
  });

  it("gives a peer that turns out to be a validator its way at once, and forgets who is gone", () => {
    const { meter, time, connect } = worldOf({ isExempt: (peer) => peer === "validator" });
    const [late, gone] = [connect("6.6.6.6"), connect("7.7.7.7")];
    for (const each of [late, gone]) while (!each.isPaused) each.send();
    expect(meter.waiting).toBe(2);
    meter.identify(late, "validator");
    gone.end();
    expect([late.isPaused, gone.isPaused, meter.waiting]).toEqual([false, true, 0]);
    time.advance(1_000);
    expect(time.pending).toBe(0);
    expect(gone.isPaused).toBe(true);
  });
});
