// One reader of events: everything once and in order, at its own pace, with a bound on what waits for it.
import { describe, expect, it } from "vitest";
import { positionAfter } from "#node/api/events/event-id.ts";
import { EventStream, type EventStreamOptions } from "#node/api/events/event-stream.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";

/** A chain that grows when the test says so; block h has the events h.0, h.1 … */
class Chain {
  height: number;
  readonly eventsPerBlock: number;

  constructor(height: number, eventsPerBlock = 2) {
    this.height = height;
    this.eventsPerBlock = eventsPerBlock;
  }

  events(height: number): readonly string[] {
    return Array.from({ length: this.eventsPerBlock }, (_, position) => `${height}.${position}\n`);
  }

  open(over: Partial<EventStreamOptions> = {}): EventStream {
    return new EventStream({
      start: { height: 1, skip: 0 },
      source: (height): ReturnType<EventStreamOptions["source"]> =>
        Promise.resolve(height <= this.height ? this.events(height) : undefined),
      bufferBytes: 1_000,
      onError: (error): void => {
        throw error;
      },
      ...over,
    });
  }

  commit(...streams: readonly EventStream[]): void {
    this.height += 1;
    for (const stream of streams) stream.blockCommitted(this.height, this.events(this.height));
  }

  all(from = 1): string {
    return Array.from({ length: this.height - from + 1 }, (_, i) => this.events(from + i).join("")).join("");
  }
}

function collect(stream: EventStream): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text.replace("retry: 2000\n\n", "");
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a reader", () => {
  it.each([
    [{ height: 1, skip: 0 }, "1.0\n1.1\n2.0\n2.1\n3.0\n3.1\n"],
    [{ height: 2, skip: 1 }, "2.1\n3.0\n3.1\n"],
    [{ height: 2, skip: 9 }, "3.0\n3.1\n"],
    [{ height: 4, skip: 0 }, ""],
  ])("that starts at %j catches up", async (start, expected) => {
    const read = collect(new Chain(3).open({ start }));
    await settled();
    expect(read()).toBe(expected);
  });

  it("gets every block once, whenever it becomes final", async () => {
    const chain = new Chain(2);
    const stream = chain.open({
      source: async (height) => {
        const events = height <= chain.height ? chain.events(height) : undefined;
        await settled();
        // A block becomes final between the request and its response.
        if (events === undefined && chain.height < 20) chain.commit(stream);
        await settled();
        return events;
      },
    });
    const read = collect(stream);
    await pollUntil(() => chain.height === 20);
    await settled();
    chain.commit(stream);
    await pollUntil(() => read().includes("21.1"));
    expect(read()).toBe(chain.all());
  });

  it("that missed a block catches up", async () => {
    const chain = new Chain(0);
    const stream = chain.open();
    const read = collect(stream);
    await settled();
    chain.height = 3;
    chain.commit(stream);
    await pollUntil(() => read().includes("4.1"));
    expect(read()).toBe(chain.all());
  });

  it("reads a long chain at its own pace", async () => {
    const chain = new Chain(30_000, 4);
    let asked = 0;
    const stream = chain.open({
      bufferBytes: 1e9,
      source: (height) => {
        asked = height;
        return Promise.resolve(height <= chain.height ? chain.events(height) : undefined);
      },
    });
    await settled();
    await settled();
    expect(stream.readableLength).toBeLessThan(2 * stream.readableHighWaterMark);
    expect(asked).toBeLessThan(chain.height);
    const read = collect(stream);
    await pollUntil(() => read().length === chain.all().length);
    expect(read()).toBe(chain.all());
  });

  it("that does not read is dropped before more than the bound waits", async () => {
    const chain = new Chain(0, 10);
    const stream = chain.open({ bufferBytes: 1_000 });
    await settled();
    let most = 0;
    for (let i = 0; i < 1_000 && !stream.destroyed; i += 1) {
      chain.commit(stream);
      most = Math.max(most, stream.readableLength);
    }
    expect(stream.destroyed).toBe(true);
    expect(most).toBeLessThan(1_100);
    chain.commit(stream);
    stream.keepAlive();
  });

  it("that does not read is dropped by signs of life alone", async () => {
    const stream = new Chain(0).open({ bufferBytes: 100 });
    await settled();
    for (let i = 0; i < 100; i += 1) stream.keepAlive();
    expect(stream.destroyed).toBe(true);
  });

  it("ends when the chain cannot be read", async () => {
    const errors: unknown[] = [];
    const stream = new Chain(0).open({ source: () => Promise.reject(new Error("disk")), onError: (error) => errors.push(error) });
    await settled();
    expect([stream.destroyed, errors.length]).toEqual([true, 1]);
  });

  it("that goes away while it catches up is left alone", async () => {
    const chain = new Chain(1_000_000);
    const stream = chain.open({ bufferBytes: 1e9 });
    await settled();
    stream.destroy();
    await settled();
    chain.commit(stream);
    expect(stream.destroyed).toBe(true);
  });
});

describe("ids", () => {
  it.each([
    ["7", { height: 8, skip: 0 }],
    ["7.0", { height: 7, skip: 1 }],
    ["0.12", { height: 0, skip: 13 }],
  ])("%s stands before %j", (id, position) => expect(positionAfter(id)).toEqual(position));

  it.each(["x", "-1", "1.", ".1", "1.2.3", "1e3", " 1", "9".repeat(16)])("%j is none", (id) => {
    expect(() => positionAfter(id)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });
});
