// A connection that ends while a stream is opened over it must not end the process.
import { once } from "node:events";
import { type MessageStream, StreamStateError } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { createMuxerFactory } from "#node/network/libp2p/stream-muxer.ts";

/** As much of a connection as a muxer uses: what is sent after the end is refused with an error, as the library's does. */
class FragileConnection extends EventTarget {
  readonly sent: unknown[] = [];
  readonly direction = "outbound";
  readonly log = quietLog();
  status = "open";
  writeStatus = "writable";

  send(data: unknown): boolean {
    if (this.writeStatus !== "writable") throw new StreamStateError(`Cannot write to a stream that is ${this.writeStatus}`);
    this.sent.push(data);
    return true;
  }

  /** Takes nothing any more; that it is closed is reported a moment later. */
  breakDown(): void {
    this.status = "closing";
    this.writeStatus = "closed";
    setImmediate(() => this.dispatchEvent(new Event("close")));
  }
}

function quietLog(): object {
  const log = (): void => undefined;
  return Object.assign(log, { trace: log, error: log, newScope: quietLog });
}

describe("a muxer", () => {
  it("opens streams while the connection lasts", async () => {
    const connection = new FragileConnection();
    const stream = await createMuxerFactory()
      .createStreamMuxer(connection as unknown as MessageStream)
      .createStream();
    expect([stream.status, connection.sent.length > 0]).toEqual(["open", true]);
  });

  it("hides no other failure of the connection", async () => {
    const connection = new FragileConnection();
    const muxer = createMuxerFactory().createStreamMuxer(connection as unknown as MessageStream);
    const stream = await muxer.createStream();
    connection.send = (): boolean => {
      throw new Error("The wire is on fire");
    };
    expect(() => stream.send(Uint8Array.of(1))).toThrow("on fire");
  });

  it("lets a stream end whose connection ends while it is opened", async () => {
    const connection = new FragileConnection();
    const muxer = createMuxerFactory().createStreamMuxer(connection as unknown as MessageStream);
    const opening = muxer.createStream();
    const before = connection.sent.length;
    connection.breakDown();
    const stream = await opening;
    // The opening frame is sent in a task that no caller waits for.
    await once(connection, "close");
    expect([stream.status, connection.sent.length]).toEqual(["closed", before]);
  });
});
