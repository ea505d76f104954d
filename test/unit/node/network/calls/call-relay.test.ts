// The relay of calls as a node runs it: its thread, real sockets over UDP and TCP on this machine, and its end.
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { type CallRelay, openRelayThread, startCallRelay } from "#node/network/calls/call-relay.ts";
import type { CallRelaySettings } from "#node/network/calls/serving/serve.ts";
import { createLog } from "#node/observability/log.ts";
import {
  attribute,
  channelData,
  OVER_UDP,
  REQUESTS,
  readAnswer,
  readXor,
  type TurnAnswer,
  toChannel,
  turnRequest,
} from "#test/support/calls/turn-client.ts";

const LOCAL = "127.0.0.1";
const settings = { host: LOCAL, port: 0, address: LOCAL, firstPort: 20_000, lastPort: 60_000, allowsPrivate: true, dailyBytes: 1e9 };
const dependencies = { clock: systemClock, timers: systemTimers, random: systemRandom, log: createLog("text", { write: () => undefined }) };

let relay: CallRelay;

afterEach(() => relay.stop());

const portOf = (url = ""): number => Number(/:(\d+)\?/.exec(url)?.[1]);

/** Sends requests over one transport, one after another. */
interface Line {
  ask(bytes: Buffer): Promise<Buffer>;
  close(): void;
}

async function datagrams(port: number): Promise<Line> {
  const socket = await udp();
  return {
    ask: async (bytes): Promise<Buffer> => {
      const answer = once(socket, "message");
      socket.send(bytes, port, LOCAL);
      return ((await answer) as [Buffer])[0];
    },
    close: (): void => void socket.close(),
  };
}

async function stream(port: number): Promise<Line> {
  const connection = connect(port, LOCAL);
  await once(connection, "connect");
  return {
    ask: async (bytes): Promise<Buffer> => {
      const answer = once(connection, "data");
      connection.write(Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]));
      return ((await answer) as [Buffer])[0];
    },
    close: (): void => void connection.destroy(),
  };
}

/** A timer that the test fires. */
class HeldTimer {
  readonly waits: number[] = [];
  #callback: (() => void) | undefined;

  setTimer(delayMs: number, callback: () => void): () => void {
    this.waits.push(delayMs);
    this.#callback = callback;
    return (): void => {
      this.#callback = undefined;
    };
  }

  fire(): void {
    this.#callback?.();
  }
}

function kept<T>(all: T[], one: T): T {
  all.push(one);
  return one;
}

/** Where it is reached; undefined while it has failed. */
function relayUrls(running: CallRelay): readonly string[] | undefined {
  try {
    return running.issue().urls;
  } catch {
    return undefined;
  }
}

async function udp(): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, LOCAL);
  await once(socket, "listening");
  return socket;
}

describe("a relay of calls", () => {
  it.each([
    ["UDP", datagrams],
    ["TCP", stream],
  ] as const)("passes packets on between a client over %s and another side", async (_, open) => {
    relay = await startCallRelay(settings, dependencies);
    const { urls, username, credential: password } = relay.issue();
    expect(urls).toEqual([expect.stringMatching(/^turn:127\.0\.0\.1:\d+\?transport=udp$/), expect.stringMatching(/\?transport=tcp$/)]);
    const line = await open(portOf(urls[0]));
    const other = await udp();
    let nonce = "";
    const ask = async (type: number, attributes: Parameters<typeof turnRequest>[0]["attributes"]): Promise<TurnAnswer> =>
      readAnswer(await line.ask(turnRequest({ type, attributes: attributes ?? [], credential: { username, password }, nonce })));
    nonce = (await ask(REQUESTS.allocate, OVER_UDP)).attributes.get(0x0015)?.toString() ?? "";
    const allocation = await ask(REQUESTS.allocate, OVER_UDP);
    const relayed = readXor(allocation.attributes.get(0x0016));
    expect(relayed).toMatch(/^127\.0\.0\.1:\d+$/);
    expect((await ask(REQUESTS.channel, toChannel(0x4000, LOCAL, other.address().port))).code).toBe(0);
    const echo = once(other, "message").then((arrived) => {
      const [bytes, { port }] = arrived as [Buffer, RemoteInfo];
      expect(`${LOCAL}:${port}`).toBe(relayed);
      other.send(Buffer.concat([bytes, Buffer.from("!")]), port, LOCAL);
    });
    const came = await line.ask(channelData(0x4000, Buffer.from("hello")));
    await echo;
    expect(came.subarray(0, 10)).toEqual(channelData(0x4000, Buffer.from("hello!")));
    other.close();
    line.close();
  });

  it("ends a connection that sends something else", async () => {
    relay = await startCallRelay(settings, dependencies);
    const connection = connect(portOf(relay.issue().urls[0]), LOCAL);
    await once(connection, "connect");
    connection.write(attribute(0xc000, Buffer.alloc(8)));
    await once(connection, "close");
  });

  it("starts its thread again after it failed, later each time: port and credentials stay, and the bytes of the day count on", async () => {
    const threads: Worker[] = [];
    const opened: CallRelaySettings[] = [];
    const held = new HeldTimer();
    relay = await startCallRelay(settings, {
      ...dependencies,
      timers: held,
      open: (given) => {
        opened.push(given);
        return kept(threads, openRelayThread(given));
      },
    });
    const { urls, username, credential: password } = relay.issue();
    const day = { bytes: 700, leftMs: 5_000 };
    const figures = { ...relay.figures(), allocations: 1, allocated: 2, bytes: 700 };
    for (const failures of [1, 2]) {
      const worker = threads.at(-1);
      worker?.emit("message", { type: "figures", figures, day });
      await worker?.terminate();
      await expect.poll(() => held.waits.length).toBe(failures);
      expect(() => relay.issue()).toThrow(/has failed/);
      expect(relay.figures()).toMatchObject({ allocations: 0, allocated: 2 * failures, bytes: 700 * failures });
      held.fire();
      await expect.poll(() => threads.length).toBe(failures + 1);
      await expect.poll(() => relayUrls(relay)).toEqual(urls);
      expect(opened.at(-1)).toMatchObject({ port: portOf(urls[0]), day });
    }
    expect(held.waits).toEqual([1_000, 2_000]);
    const line = await datagrams(portOf(urls[0]));
    const request = { type: REQUESTS.allocate, attributes: OVER_UDP, credential: { username, password } };
    const first = readAnswer(await line.ask(turnRequest({ ...request, nonce: "" })));
    const nonce = first.attributes.get(0x0015)?.toString() ?? "";
    expect(readAnswer(await line.ask(turnRequest({ ...request, nonce }))).code).toBe(0);
    line.close();
  });

  it("is tried again where its thread cannot be made, or its port is taken meanwhile", async () => {
    const held = new HeldTimer();
    const threads: Worker[] = [];
    let makes = (given: CallRelaySettings): Worker => openRelayThread(given);
    relay = await startCallRelay(settings, { ...dependencies, timers: held, open: (given) => kept(threads, makes(given)) });
    const { urls } = relay.issue();
    makes = (): Worker => {
      throw new Error("ERR_WORKER_INIT_FAILED");
    };
    await threads[0]?.terminate();
    await expect.poll(() => held.waits).toEqual([1_000]);
    held.fire();
    await expect.poll(() => held.waits).toEqual([1_000, 2_000]);
    makes = openRelayThread;
    const other = createSocket("udp4");
    other.bind(portOf(urls[0]), LOCAL);
    await once(other, "listening");
    held.fire();
    await expect.poll(() => held.waits).toEqual([1_000, 2_000, 4_000]);
    other.close();
    await once(other, "close");
    held.fire();
    await expect.poll(() => relayUrls(relay)).toEqual(urls);
  });

  it("ends though its thread is being started again", async () => {
    const held = new HeldTimer();
    const threads: Worker[] = [];
    relay = await startCallRelay(settings, { ...dependencies, timers: held, open: (given) => kept(threads, openRelayThread(given)) });
    await threads[0]?.terminate();
    await expect.poll(() => held.waits).toEqual([1_000]);
    held.fire();
    const exited = once(threads[1] as Worker, "exit");
    await relay.stop();
    await exited;
    expect(relayUrls(relay)).toBe(undefined);
    expect(held.waits).toEqual([1_000]);
  });

  it("is not started again once it was ended", async () => {
    const threads: Worker[] = [];
    const held = new HeldTimer();
    relay = await startCallRelay(settings, { ...dependencies, timers: held, open: (given) => kept(threads, openRelayThread(given)) });
    await threads[0]?.terminate();
    await relay.stop();
    held.fire();
    expect(threads).toHaveLength(1);
  });

  it("issues a bounded number of credentials", async () => {
    relay = await startCallRelay(settings, { ...dependencies, clock: { nowMs: () => 0, monotonicMs: () => 0 } });
    for (let count = 0; count < 20; count += 1) relay.issue();
    expect(() => relay.issue()).toThrow(/Too many/);
  });

  it("says where it cannot listen, and that it is gone once it has ended", async () => {
    relay = await startCallRelay(settings, dependencies);
    const port = portOf(relay.issue().urls[0]);
    await expect(startCallRelay({ ...settings, port }, dependencies)).rejects.toThrow(`cannot listen at 127.0.0.1:${port}`);
    await relay.stop();
    expect(() => relay.issue()).toThrow(/has failed/);
  });
});
