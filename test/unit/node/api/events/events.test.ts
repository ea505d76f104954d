// GET /api/events over real sockets: blocks and transactions as they become final, and on from where a reader was.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApiServer } from "#node/api/server.ts";
import { createReadThread } from "#node/composition/reads/read-thread.ts";
import { startReadWorker } from "#node/composition/reads/reader.ts";
import { type EventReader, openEvents } from "#test/support/api/event-reader.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { workerFile } from "#test/support/nodes/node-program.ts";
import { type ApiWorld, type ApiWorldOptions, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

interface OpenWorld {
  readonly world: ApiWorld;
  readonly port: number;
  read(headers?: Record<string, string>, path?: string): Promise<EventReader>;
  /** A block with so many transfers; their ids. */
  block(transfers: number): Promise<readonly string[]>;
}

async function listening(options: ApiWorldOptions = {}): Promise<OpenWorld> {
  const world = stack.use(await createApiWorld(options));
  const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
  return {
    world,
    port,
    read: async (headers, path): Promise<EventReader> => {
      const reader = await openEvents(port, headers, path);
      stack.defer(() => reader.close());
      return reader;
    },
    block: async (transfers): Promise<readonly string[]> => {
      const txs = Array.from({ length: transfers }, () => signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} }));
      for (const tx of txs) await world.services.mempool.submit(tx, world.clock.nowMs());
      return world.commit().transactions.map(({ id }) => id);
    },
  };
}

const dataOf = (reader: EventReader): readonly unknown[] => reader.events().map(({ data }) => data);

describe("the stream", () => {
  it("tells blocks and transactions with the fields of the contract", async () => {
    const { read, block, world } = await listening();
    await block(1);
    const reader = await read();
    expect([reader.status, reader.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    const ids = await block(2);
    await reader.waitFor(3);
    const { hash } = (await world.services.explorer.getBlock(2)) ?? {};
    expect(reader.events()).toEqual([
      { id: "2.0", data: { type: "block", index: 2, hash, tx_count: 2 } },
      { id: "2.1", data: { type: "tx", id: ids[0], block: 2, from: alice.pub } },
      { id: "2.2", data: { type: "tx", id: ids[1], block: 2, from: alice.pub } },
    ]);
    expect(reader.text()).toContain("\n\n");
  });

  it("is the same for readers that catch up beside the thread that makes blocks", async () => {
    const { world, block } = await listening();
    for (let n = 0; n < 30; n += 1) await block(n % 7);
    const reads = createReadThread({
      start: () => startReadWorker(workerFile("node/composition/reads/read-worker.ts"), world.directory),
      clock: world.clock,
    });
    stack.defer(() => reads.stop());
    const beside = await createApiServer({ listenHost: "127.0.0.1" }, { ...world.services, heavyReads: reads });
    stack.defer(() => beside.close());
    const { port } = await beside.listen({ host: "127.0.0.1", port: 0 });
    const starts = ["0", "0", "0.0", "3.1", "17.0", "29.9"];
    const readers = await Promise.all(starts.map((start) => openEvents(port, { "last-event-id": start })));
    for (const reader of readers) stack.defer(() => reader.close());
    await block(2);
    const expected: string[] = [];
    for (let height = 1; height <= 31; height += 1) {
      const transactions = (await world.services.explorer.getBlock(height))?.transactions ?? [];
      for (let position = 0; position <= transactions.length; position += 1) expected.push(`${height}.${position}`);
    }
    for (const [n, reader] of readers.entries()) {
      const [height, position = "999"] = (starts[n] ?? "").split(".");
      const isAfter = (id: string): boolean => {
        const [h = 0, p = 0] = id.split(".").map(Number);
        return h > Number(height) || (h === Number(height) && p > Number(position));
      };
      const ids = expected.filter(isAfter);
      await reader.waitFor(ids.length);
      expect(reader.events().map(({ id }) => id)).toEqual(ids);
    }
  });

  it("continues after the last event, wherever that was", async () => {
    const { read, block } = await listening();
    for (let i = 0; i < 4; i += 1) await block(2);
    const whole = await read({ "last-event-id": "0" });
    await whole.waitFor(12);
    const all = dataOf(whole);
    for (const [position, { id }] of whole.events().slice(0, -1).entries()) {
      const reader = await read({ "last-event-id": id ?? "" });
      await reader.waitFor(11 - position);
      expect([id, dataOf(reader)]).toEqual([id, all.slice(position + 1)]);
      reader.close();
    }
    await block(1);
    await whole.waitFor(14);
    expect(whole.events().map(({ id }) => id)).toEqual("1.0 1.1 1.2 2.0 2.1 2.2 3.0 3.1 3.2 4.0 4.1 4.2 5.0 5.1".split(" "));
  });

  it("starts with the next block for an id that this chain does not have, and refuses what is none", async () => {
    const { read, block, world } = await listening();
    const reader = await read({ "last-event-id": "900.1" });
    await block(1);
    await reader.waitFor(2);
    expect(reader.events()[0]?.id).toBe("1.0");
    const refused = await world.server.app.inject({ url: "/api/events", headers: { "last-event-id": "nonsense" } });
    expect([refused.statusCode, refused.json()]).toEqual([400, { error: expect.stringContaining("Last-Event-ID") }]);
  });

  it("is given to an address a bounded number of times, and again when one has ended", async () => {
    const { read, port } = await listening({ api: { limits: { streamsPerAddress: 2 } } });
    const [first] = [await read(), await read()];
    expect((await read()).status).toBe(429);
    first?.close();
    await pollUntil(async () => {
      const reader = await openEvents(port);
      stack.defer(() => reader.close());
      return reader.status === 200;
    });
  });

  it("shows signs of life while nothing happens", async () => {
    const { read } = await listening({ api: { limits: { heartbeatMs: 20 } } });
    const reader = await read();
    await pollUntil(() => reader.text().includes("\n:\n\n:\n\n"));
    expect(reader.events()).toEqual([]);
  });

  it("needs the token of a private node, as a header or in the address", async () => {
    const { read } = await listening({ api: { token: "secret", isPrivate: true } });
    expect((await read()).status).toBe(401);
    expect((await read({ authorization: "Bearer secret" })).status).toBe(200);
    expect((await read({}, "/api/events?token=secret")).status).toBe(200);
  });

  it("ends with the node", async () => {
    const { world, read } = await listening();
    const reader = await read();
    await world.server.close();
    await pollUntil(() => reader.isClosed);
  });
});
