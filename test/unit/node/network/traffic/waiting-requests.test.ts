// Requests that wait for the memory of their response.
import type { Connection, Stream, StreamHandler } from "@libp2p/interface";
import { multiaddr } from "@multiformats/multiaddr";
import { expect, it } from "vitest";
import { ResponseBudget } from "#node/network/flow/response-budget.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { serveRequests } from "#node/network/traffic/request-protocol.ts";

const clock = { nowMs: (): number => 0, monotonicMs: (): number => 0 };
const LIMITS = { ...NETWORK_LIMITS.light, firstResponses: 1 };
const turn = (): Promise<void> => new Promise(setImmediate);

/** A stream that a peer opened, as far as a server uses it. */
class OpenStream extends EventTarget {
  status = "open";
  readonly readableEnded = false;
  writeBufferLength = 0;
  send({ length }: Uint8Array): boolean {
    this.writeBufferLength += length;
    return false;
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
  /** The peer takes all that waits. */
  drain(): void {
    this.writeBufferLength = 0;
    this.dispatchEvent(new Event("drain"));
  }
  ask(bytes: number): void {
    const frame = new Uint8Array(4 + bytes);
    new DataView(frame.buffer).setUint32(0, bytes);
    this.dispatchEvent(Object.assign(new Event("message"), { data: frame }));
  }
  abort(): void {
    this.status = "aborted";
    this.dispatchEvent(new Event("close"));
  }
}

it("end with their streams, however many of them a peer opens and ends", async () => {
  const budget = new ResponseBudget({ limits: NETWORK_LIMITS.served, clock });
  let serve: StreamHandler | undefined;
  const handle = (_names: readonly string[], handler: StreamHandler): Promise<void> => {
    serve = handler;
    return Promise.resolve();
  };
  let made = 0;
  await serveRequests({ names: ["light"], limits: LIMITS }, { libp2p: { handle } as never, clock, report: () => undefined, budget }, () => {
    made += 1;
    return new Promise(() => undefined);
  });
  const connection = { remotePeer: "peer", remoteAddr: multiaddr("/ip4/8.8.8.8/tcp/1") } as unknown as Connection;
  const open = (): OpenStream => {
    const stream = new OpenStream();
    void serve?.(stream as unknown as Stream, connection);
    stream.ask(1_000);
    return stream;
  };
  // One response is being made, which is all that a peer may hold that has taken none.
  const first = open();
  await turn();
  expect([made, budget.waiting]).toEqual([1, 0]);
  for (let n = 0; n < 100; n += 1) {
    const streams = Array.from({ length: NETWORK_LIMITS.requestStreams - 1 }, open);
    expect(budget.waiting).toBeLessThanOrEqual(NETWORK_LIMITS.requestStreams);
    for (const stream of streams) stream.abort();
    await turn();
    expect(budget.waiting).toBe(0);
  }
  // What is being made stays counted: its work is under way.
  first.abort();
  await turn();
  expect(budget.bytes).toBe(NETWORK_LIMITS.light.heldBytes);
});

it("wait for the one before until a peer has taken one, and again when it has left a long one", async () => {
  const budget = new ResponseBudget({ limits: NETWORK_LIMITS.served, clock });
  let serve: StreamHandler | undefined;
  let made = 0;
  await serveRequests(
    { names: ["light"], limits: LIMITS },
    {
      libp2p: {
        handle: (_names: readonly string[], handler: StreamHandler): Promise<void> => {
          serve = handler;
          return Promise.resolve();
        },
      } as never,
      ...{ clock, report: (): void => undefined, budget },
    },
    () => {
      made += 1;
      const frame = new Uint8Array(NETWORK_LIMITS.served.readBytes);
      return { frames: [frame], bytes: frame.length };
    },
  );
  const connection = { remotePeer: "peer", remoteAddr: multiaddr("/ip4/8.8.8.8/tcp/1") } as unknown as Connection;
  const open = (): OpenStream => {
    const stream = new OpenStream();
    void serve?.(stream as unknown as Stream, connection);
    stream.ask(1_000);
    return stream;
  };
  const [first, second, third] = [open(), open(), open()];
  await turn();
  expect(made).toBe(1);
  first.drain();
  await turn();
  expect(made, "who takes gets several").toBe(3);
  second.abort();
  third.abort();
  await turn();
  open();
  open();
  await turn();
  expect(made, "who ends what it asked for gets one").toBe(4);
});
