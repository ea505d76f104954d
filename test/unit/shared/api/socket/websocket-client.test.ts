// The live connection over a socket and timers that the test owns.
import { beforeEach, describe, expect, it } from "vitest";
import type { PushFrame } from "#shared/api/socket/frames.ts";
import { LiveConnection, type LiveOptions, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly sent: Record<string, unknown>[] = [];
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.isClosed = true;
  }
  receive(frame: object | string): void {
    this.onmessage?.({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }
}

const HELLO = { type: "hello", nonce: "00", chain_id: "c", auth_required: false };

let time: VirtualTime;
let sockets: FakeSocket[];

beforeEach(() => {
  time = new VirtualTime();
  sockets = [];
});

function connect(over: Partial<LiveOptions> = {}): LiveConnection {
  return new LiveConnection({
    url: "ws://node/api/ws",
    createSocket: (): SocketLike => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    timers: time,
    jitter: () => 0.5,
    ...over,
  });
}

function socket(index = 0): FakeSocket {
  const found = sockets[index];
  if (found === undefined) throw new Error(`There is no socket ${index}`);
  return found;
}

/** Lets promises that are settled already run their continuations. */
async function flushPromises(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
}

async function opened(live: LiveConnection, index = 0): Promise<void> {
  socket(index).receive(HELLO);
  await flushPromises();
  expect(live.state).toBe("open");
}

describe("opening", () => {
  it("is open after the greeting and sends the subscriptions made before it", async () => {
    const live = connect();
    live.subscribe("blocks", () => undefined);
    expect([live.state, socket().sent]).toEqual(["connecting", []]);
    await opened(live);
    expect(socket().sent).toEqual([{ type: "subscribe", topic: "blocks" }]);
  });

  it.each([
    ["accepted", { type: "auth_ok", pub: "p", req: "auth" }],
    ["refused", { type: "error", error: "no", req: "auth" }],
  ])("with a key that is %s", async (_name, answer) => {
    const live = connect({ authenticate: () => Promise.resolve({ pub: "p", sig: "s" }) });
    socket().receive(HELLO);
    await flushPromises();
    expect([live.state, socket().sent]).toEqual(["connecting", [{ type: "auth", pub: "p", sig: "s", req: "auth" }]]);
    socket().receive(answer);
    expect(live.state).toBe("open");
  });

  it("continues without a key that could not be used", async () => {
    const live = connect({ authenticate: () => Promise.reject(new Error("locked")) });
    await opened(live);
  });

  it("tries again when no greeting comes", () => {
    const live = connect();
    time.advance(15_000);
    expect([socket().isClosed, live.state]).toEqual([true, "connecting"]);
    time.advance(500);
    expect(sockets).toHaveLength(2);
  });
});

describe("topics", () => {
  it("reach their listeners, once subscribed however many listen", async () => {
    const live = connect();
    await opened(live);
    const received: string[] = [];
    const stopOne = live.subscribe("blocks", (frame: PushFrame) => received.push(`one ${frame.type}`));
    const stopTwo = live.subscribe("blocks", () => received.push("two"));
    socket().receive({ type: "block", topic: "blocks" });
    socket().receive({ type: "block", topic: "other" });
    for (const type of ["subscribed", "something"]) socket().receive({ type, topic: "blocks" });
    socket().receive("no json");
    stopOne();
    socket().receive({ type: "block", topic: "blocks" });
    expect(received).toEqual(["one block", "two", "two"]);
    stopTwo();
    stopTwo();
    expect(socket().sent.map(({ type }) => type)).toEqual(["subscribe", "unsubscribe"]);
  });

  it("are subscribed again after a reconnection", async () => {
    const live = connect();
    live.subscribe("blocks", () => undefined);
    await opened(live);
    socket().onclose?.();
    expect(live.state).toBe("connecting");
    time.advance(500);
    await opened(live, 1);
    expect(socket(1).sent).toEqual([{ type: "subscribe", topic: "blocks" }]);
  });
});

describe("reconnecting", () => {
  it("waits longer each time, up to a bound, and starts over once open", async () => {
    const live = connect();
    const waits: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      const before = time.nowMs;
      sockets.at(-1)?.onclose?.();
      const count = sockets.length;
      while (sockets.length === count) time.step(before + 60_000);
      waits.push(time.nowMs - before);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    await opened(live, 7);
    const before = time.nowMs;
    socket(7).onclose?.();
    time.advance(500);
    expect([sockets.length, time.nowMs - before]).toEqual([9, 500]);
  });

  it("notices a peer that went silent", async () => {
    const live = connect();
    await opened(live);
    time.advance(20_000);
    expect(socket().sent.at(-1)).toEqual({ type: "ping" });
    socket().receive({ type: "pong" });
    time.advance(15_000);
    expect(live.state).toBe("open");
    time.advance(15_000);
    expect([live.state, socket().isClosed]).toEqual(["connecting", true]);
  });

  it("reconnects at once when the connection may be dead", async () => {
    const live = connect();
    live.subscribe("blocks", () => undefined);
    await opened(live);
    live.reconnect();
    expect([live.state, sockets.length, socket().isClosed]).toEqual(["connecting", 2, true]);
    await opened(live, 1);
    expect(socket(1).sent).toEqual([{ type: "subscribe", topic: "blocks" }]);
    socket(1).onclose?.();
    live.reconnect();
    time.advance(1_000);
    expect(sockets).toHaveLength(3);
    live.close();
    live.reconnect();
    expect(sockets).toHaveLength(3);
  });

  it("ends for good with close", async () => {
    const live = connect();
    await opened(live);
    live.close();
    socket().onclose?.();
    time.advance(600_000);
    expect([live.state, sockets.length, socket().isClosed, time.pending]).toEqual(["closed", 1, true, 0]);
  });
});

describe("submitting", () => {
  it("gives the acknowledgement of its own request", async () => {
    const live = connect();
    await opened(live);
    const [one, two] = [live.submit({ id: "a" }), live.submit({ id: "b" })];
    const [first, second] = socket().sent;
    socket().receive({ type: "error", id: "b", error: "no", req: second?.req });
    socket().receive({ type: "submit_ack", id: "a", status: "accepted", req: first?.req });
    expect(await one).toMatchObject({ id: "a", status: "accepted" });
    await expect(two).rejects.toMatchObject({ code: "TX_REJECTED", message: "no" });
  });

  it("fails without a connection, without a response, and when the connection is lost", async () => {
    const live = connect();
    await expect(live.submit({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await opened(live);
    const lost = live.submit({});
    socket().onclose?.();
    await expect(lost).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("lost") });
    time.advance(500);
    await opened(live, 1);
    const silent = live.submit({});
    time.advance(15_000);
    await expect(silent).rejects.toMatchObject({ message: expect.stringContaining("in time") });
  });
});
