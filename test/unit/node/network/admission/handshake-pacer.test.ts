// Handshakes of strangers begin at a bounded rate, addresses in turn; those of addresses that the chain needs begin at once.
import { describe, expect, it } from "vitest";
import { HandshakePacer, type WaitingSocket } from "#node/network/admission/handshake-pacer.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const { perSecond, burst } = NETWORK_LIMITS.handshakes;

class Knocker implements WaitingSocket {
  readonly host: string;
  isPaused = false;
  result: boolean | undefined;
  readonly socket = {
    destroyed: false,
    once: (_event: "data", listener: () => void): void => {
      this.#speak = listener;
    },
    pause: (): void => {
      this.isPaused = true;
    },
    resume: (): void => {
      this.isPaused = false;
    },
  };
  #close: () => void = () => undefined;
  #speak: () => void = () => undefined;

  constructor(host: string) {
    this.host = host;
  }

  addEventListener(_event: "close", listener: () => void): void {
    this.#close = listener;
  }

  speak(): void {
    this.#speak();
  }

  end(): void {
    this.socket.destroyed = true;
    this.#close();
  }
}

function worldOf(): {
  readonly pacer: HandshakePacer;
  pass(ms: number): Promise<void>;
  knock(host: string, isSilent?: boolean): Promise<Knocker>;
} {
  const time = new VirtualTime();
  const pacer = new HandshakePacer({ clock: { monotonicMs: (): number => time.nowMs }, timers: time });
  return {
    pacer,
    async pass(ms): Promise<void> {
      time.advance(ms);
      await new Promise(setImmediate);
    },
    async knock(host, isSilent = false): Promise<Knocker> {
      const knocker = new Knocker(host);
      const denial = pacer.deny(knocker, host);
      if (typeof denial === "boolean") knocker.result = denial;
      else
        void denial.then((isDenied) => {
          knocker.result = isDenied;
        });
      if (!isSilent) knocker.speak();
      await Promise.resolve();
      return knocker;
    },
  };
}
const begun = (all: readonly Knocker[]): number => all.filter(({ result }) => result === false).length;

describe("the pace of handshakes", () => {
  it("is a burst, and then so many a second, of however many addresses; who waits is not read", async () => {
    const { knock, pass, pacer } = worldOf();
    const all = await Promise.all(Array.from({ length: 200 }, (_, n) => knock(`1.1.${n}.1`)));
    expect(begun(all)).toBe(burst);
    await pass(10_000);
    expect(begun(all)).toBe(burst + 10 * perSecond);
    for (const { result, isPaused } of all) expect(isPaused).toBe(result === undefined);
    expect(pacer.waiting).toBe(200 - burst - 10 * perSecond);
  });

  it("serves addresses in turn", async () => {
    const { knock, pass } = worldOf();
    for (let n = 0; n < burst; n += 1) await knock("1.1.1.1");
    const crowd = await Promise.all(Array.from({ length: 50 }, () => knock("1.1.1.1")));
    const other = await knock("2.2.2.2");
    await pass(2_000 / perSecond + 1);
    expect([begun(crowd), other.result]).toEqual([1, false]);
  });

  it("has the address that waited longest next, whenever the others knock", async () => {
    const { knock, pass } = worldOf();
    for (let n = 0; n < burst; n += 1) await knock("1.1.1.1");
    const crowd = await Promise.all(Array.from({ length: 50 }, () => knock("1.1.1.1")));
    for (let n = 0; n < 3; n += 1) {
      const before = begun(crowd);
      const other = await knock("2.2.2.2");
      await pass(1_000 / perSecond + 1);
      expect([begun(crowd) - before, other.result], `newcomer ${n}`).toEqual([0, false]);
      await pass(2_000 / perSecond);
    }
  });

  it("is not taken up by sockets that say nothing", async () => {
    const { knock, pass, pacer } = worldOf();
    const silent = await Promise.all(Array.from({ length: 64 }, (_, n) => knock(`1.1.${n}.1`, true)));
    const honest = await Promise.all(Array.from({ length: burst }, (_, n) => knock(`2.2.${n}.1`)));
    expect([begun(silent), begun(honest), pacer.waiting]).toEqual([0, burst, 0]);
    for (const each of silent) each.end();
    await pass(0);
    expect(silent.every(({ result }) => result === true)).toBe(true);
  });

  it("holds up no address of a validator", async () => {
    const { knock, pacer } = worldOf();
    pacer.know("3.3.3.3");
    for (let n = 0; n < 100; n += 1) await knock(`1.1.${n}.1`);
    expect((await knock("3.3.3.3")).result).toBe(false);
    expect((await knock("4.4.4.4")).result).toBe(undefined);
  });

  it("forgets sockets that end", async () => {
    const { knock, pass, pacer } = worldOf();
    const all = await Promise.all(Array.from({ length: burst + 20 }, () => knock("1.1.1.1")));
    for (const each of all.slice(burst)) each.end();
    await pass(0);
    expect(pacer.waiting).toBe(0);
    expect(all.slice(burst).every(({ result }) => result === true)).toBe(true);
    await pass(60_000);
    expect((await knock("1.1.1.1")).result).toBe(false);
  });
});
