// Window updates that no sender waits for are held back, and no stream ever stalls for want of one.
import { type MessageStream, type Stream, StreamMessageEvent, type StreamMuxer } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { createMuxerFactory } from "#node/network/libp2p/stream-muxer.ts";
import { withFewerWindowUpdates } from "#node/network/libp2p/window-updates.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";

const UPDATE = 1;

/** One end of a connection in memory: what is sent arrives at the other end in a later turn, in order. */
class MemoryConnection extends EventTarget {
  readonly direction: "inbound" | "outbound";
  readonly status = "open";
  readonly log = quietLog();
  readonly updates: number[] = [];
  other: MemoryConnection | undefined;

  constructor(direction: "inbound" | "outbound") {
    super();
    this.direction = direction;
  }

  send(data: Uint8Array | { subarray(): Uint8Array }): boolean {
    const bytes = data.subarray();
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (view.getUint8(1) === UPDATE && view.getUint16(2) === 0) this.updates.push(view.getUint32(8));
    setImmediate(() => this.other?.dispatchEvent(new StreamMessageEvent(bytes)));
    return true;
  }
}

function quietLog(): object {
  const log = (): void => undefined;
  return Object.assign(log, { trace: log, error: log, newScope: quietLog });
}

function connect(): { readonly client: StreamMuxer; readonly server: StreamMuxer; readonly serverEnd: MemoryConnection } {
  const [clientEnd, serverEnd] = [new MemoryConnection("outbound"), new MemoryConnection("inbound")];
  clientEnd.other = serverEnd;
  serverEnd.other = clientEnd;
  const muxerOver = (end: MemoryConnection): StreamMuxer => createMuxerFactory().createStreamMuxer(end as unknown as MessageStream);
  return { client: muxerOver(clientEnd), server: muxerOver(serverEnd), serverEnd };
}

/** Sends as much as the stream takes, again and again; gives what arrived. */
async function transfer(stream: Stream, server: StreamMuxer, total: number, chunk: number): Promise<() => number> {
  let arrived = 0;
  const take = (incoming: Stream): void => incoming.addEventListener("message", ({ data }) => (arrived += data.byteLength));
  for (const incoming of server.streams) take(incoming);
  server.addEventListener("stream", ({ detail }) => take(detail));
  for (let sent = 0; sent < total; sent += chunk) {
    if (!stream.send(new Uint8Array(Math.min(chunk, total - sent)))) await stream.onDrain();
  }
  return () => arrived;
}

describe("a muxer", () => {
  it.each([
    [700, 300_000],
    [65_536, 4_000_000],
    [1_000_000, 4_000_000],
  ])("brings everything in pieces of %i bytes with few updates", async (chunk, total) => {
    const { client, server, serverEnd } = connect();
    const arrived = await transfer(await client.createStream(), server, total, chunk);
    await pollUntil(() => arrived() === total, { what: "all bytes to arrive" });
    expect(serverEnd.updates.length).toBeGreaterThan(0);
    expect(Math.min(...serverEnd.updates)).toBeGreaterThanOrEqual(131_072);
  });
});

describe("updates that are held back", () => {
  const update = (stream: number, bytes: number, flags = 0): Uint8Array => {
    const view = new DataView(new ArrayBuffer(12));
    view.setUint8(1, UPDATE);
    view.setUint16(2, flags);
    view.setUint32(4, stream);
    view.setUint32(8, bytes);
    return new Uint8Array(view.buffer);
  };
  const sentOf = (frames: readonly Uint8Array[]): readonly string[] => {
    const sent: string[] = [];
    const connection = { send: (data: Uint8Array) => sent.push(Buffer.from(data).toString("hex")) > 0 };
    const { send } = withFewerWindowUpdates(connection as unknown as MessageStream);
    for (const frame of frames) send(frame);
    return sent;
  };
  const hex = (frame: Uint8Array): string => Buffer.from(frame).toString("hex");

  it("are announced together, stream by stream", () => {
    const frames = [update(1, 100_000), update(3, 131_071), update(1, 31_071), update(1, 1), update(3, 2)];
    expect(sentOf(frames)).toEqual([update(1, 131_072), update(3, 131_073)].map(hex));
  });

  it("are only those: frames with flags and data pass at once", () => {
    const data = new Uint8Array(12).fill(7);
    const frames = [update(1, 5, 2), data, update(1, 5), update(0x8000_0001, 0xffff_ffff)];
    expect(sentOf(frames)).toEqual([frames[0], data, frames[3]].map((frame) => hex(frame as Uint8Array)));
  });

  it("are not kept for more streams than live at once", () => {
    const frames = Array.from({ length: 130 }, (_, n) => update(n, 10));
    expect(sentOf(frames)).toEqual(frames.slice(0, 130).map(hex));
  });
});
