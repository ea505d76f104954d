// Requests that wait for the memory of their response.
import type { Connection, Stream, StreamHandler } from "@libp2p/interface";
import { multiaddr } from "@multiformats/multiaddr";
import { expect, it } from "vitest";
import { ResponseBudget } from "#node/network/flow/response-budget.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { serveRequests } from "#node/network/traffic/request-protocol.ts";

const clock = { nowMs: (): number => 0, monotonicMs: (): number => 0 };
const turn = (): Promise<void> => new Promise(setImmediate);

/** A stream that a peer opened, as far as a server uses it. */
class OpenStream extends EventTarget {
  status = "open";
  readonly readableEnded = false;
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
  await serveRequests(
    { names: ["light"], limits: NETWORK_LIMITS.light },
    { libp2p: { handle } as never, clock, report: () => undefined, budget },
    () => {
      made += 1;
      return new Promise(() => undefined);
    },
  );
  const connection = { remotePeer: "peer", remoteAddr: multiaddr("/ip4/8.8.8.8/tcp/1") } as unknown as Connection;
  const open = (): OpenStream => {
    const stream = new OpenStream();
    void serve?.(stream as unknown as Stream, connection);
    stream.ask(1_000);
    return stream;
  };
  // Two responses are being made, which is all that one peer may hold.
  const [first] = [open(), open()];
  await turn();
  expect([made, budget.waiting]).toEqual([2, 0]);
  for (let n = 0; n < 100; n += 1) {
    const streams = Array.from({ length: NETWORK_LIMITS.requestStreams - 2 }, open);
    expect(budget.waiting).toBeLessThanOrEqual(NETWORK_LIMITS.requestStreams);
    for (const stream of streams) stream.abort();
    await turn();
    expect(budget.waiting).toBe(0);
  }
  // What is being made stays counted: its work is under way.
  first?.abort();
  await turn();
  expect(budget.bytes).toBe(2 * NETWORK_LIMITS.light.heldBytes);
});
