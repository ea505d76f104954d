// Answers from memory: never older than the chain, never more than their room.
import { describe, expect, it } from "vitest";
import type { Handlers, RequestContext } from "#node/api/handler-types.ts";
import { JsonText } from "#node/api/json/json-text.ts";
import { withCachedReads } from "#node/api/reads/cached-reads.ts";
import { ResponseCache } from "#node/api/reads/response-cache.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

const text = (chars: number): JsonText => new JsonText("x".repeat(chars));

/** A payment whose sender chose the id. */
function again(amount: number, nowMs: number): Transaction {
  const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {}, nowMs });
  return signTransaction({ ...tx, id: "again" }, alice.seed);
}

describe("the cache of responses", () => {
  it("forgets the longest unused ones when its room is full", () => {
    const cache = new ResponseCache({ maxChars: 3_000 });
    for (const key of ["a", "b"]) cache.set(key, text(1_000));
    expect(cache.get("a")).toBeDefined();
    cache.set("c", text(1_000));
    expect(["a", "b", "c"].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
    cache.set("a", text(10));
    cache.set("d", text(1_000));
    expect(["a", "c", "d"].map((key) => cache.get(key) !== undefined)).toEqual([true, true, true]);
    cache.delete("c");
    cache.set("e", text(1_000));
    expect(["a", "c", "d", "e"].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true]);
    cache.clear();
    expect(cache.get("a")).toBeUndefined();
  });

  it("keeps from the second time on what was asked for not long ago, when it is asked to", () => {
    const cache = new ResponseCache({ maxChars: 100_000_000, storesFromSecond: true });
    const set = (key: string): boolean => {
      cache.set(key, text(10));
      return cache.get(key) !== undefined;
    };
    expect([set("a"), set("b"), set("a"), set("b")]).toEqual([false, false, true, true]);
    cache.delete("a");
    expect(cache.get("a")).toBeUndefined();
    expect(set("a")).toBe(true);
    const strangers = Array.from({ length: 200_000 }, (_, i) => `tx${i}`);
    expect(set("rare")).toBe(false);
    expect(strangers.filter(set)).toEqual([]);
    expect(set("rare")).toBe(false);
  });

  it("does not keep what is very long, and not even one response without room", () => {
    const cache = new ResponseCache({ maxChars: 1_000_000 });
    cache.set("long", text(65_537));
    expect(cache.get("long")).toBeUndefined();
    const small = new ResponseCache({ maxChars: 100 });
    small.set("a", text(1));
    expect(small.get("a")).toBeUndefined();
  });
});

describe("responses that are asked for again", () => {
  it("are of the newest block, in every read that is kept", async () => {
    await using world = await createApiWorld();
    const urls = [
      "/api/netstats",
      "/api/charts",
      "/api/blocks",
      "/api/blocks?limit=1",
      "/api/txs/recent",
      "/api/txs/recent?limit=1",
      `/api/address/${bob.pub}`,
      `/api/address/${bob.pub}?limit=1&offset=1`,
    ];
    const seen = new Map<string, Set<string>>(urls.map((url) => [url, new Set()]));
    for (let height = 1; height <= 3; height += 1) {
      await world.services.mempool.submit(signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} }), world.clock.nowMs());
      world.clock.advance(1_000);
      world.commit();
      for (const url of urls) {
        const responses = await Promise.all([1, 2, 3].map(async () => (await world.server.app.inject(url)).body));
        expect(new Set(responses).size).toBe(1);
        seen.get(url)?.add(responses[0] ?? "");
      }
    }
    expect([...seen].map(([url, responses]) => [url, responses.size])).toEqual(urls.map((url) => [url, 3]));
  });

  it("name the newer one of two transactions whose id returned", async () => {
    await using world = await createApiWorld();
    const first = again(1, world.clock.nowMs());
    await world.services.mempool.submit(first, world.clock.nowMs());
    world.commit();
    const ask = async (path: string): Promise<unknown> => (await world.server.app.inject(path)).json();
    expect(await ask("/api/tx/again")).toMatchObject({ amount_ut: 1, block_index: 1 });
    expect(await ask("/v2/chain/transactions/again")).toMatchObject({ tx: { amount_ut: 1 } });
    world.clock.advance(SEEN_WINDOW_MS + 60_000);
    world.commit();
    expect(await ask("/api/tx/again")).toMatchObject({ amount_ut: 1 });
    const second = again(2, world.clock.nowMs());
    await world.services.mempool.submit(second, world.clock.nowMs());
    world.commit();
    expect(await ask("/api/tx/again")).toMatchObject({ amount_ut: 2, block_index: 3 });
    expect(await ask("/v2/chain/transactions/again")).toMatchObject({ tx: { amount_ut: 2 } });
  });

  it("forget no refusal as a response: a transaction is found once it is in a block", async () => {
    await using world = await createApiWorld();
    const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} });
    expect((await world.server.app.inject(`/api/tx/${tx.id}`)).statusCode).toBe(404);
    await world.services.mempool.submit(tx, world.clock.nowMs());
    world.commit();
    expect((await world.server.app.inject(`/api/tx/${tx.id}`)).statusCode).toBe(200);
  });

  it("are not kept when a block came while they were on their way", async () => {
    let commit: (block: CommittedBlock) => void = () => undefined;
    let height = 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    const getNetstats = async (): Promise<unknown> => {
      const asked = { height };
      if (height === 1) await promise;
      return asked;
    };
    const events = {
      onCommit: (listener: typeof commit): (() => void) => {
        commit = listener;
        return () => undefined;
      },
    };
    const { handlers } = withCachedReads({ getNetstats } as unknown as Handlers, events);
    const ask = async (): Promise<string> => ((await handlers.getNetstats({}, {} as RequestContext)) as JsonText).text;
    const early = ask();
    height = 2;
    commit({ block: { transactions: [] } } as unknown as CommittedBlock);
    resolve();
    expect([await early, await ask()]).toEqual(['{"height":1}', '{"height":2}']);
  });

  it("are not kept where they lack what other nodes may have for the next caller", async () => {
    let asked = 0;
    const counted = (give: (input: { readonly limit?: number }) => unknown): ((input: object) => unknown) => {
      return (input) => {
        asked += 1;
        return Promise.resolve(give(input));
      };
    };
    const blocks = (first: number, count: number): unknown => Array.from({ length: count }, (_, at) => ({ index: first - at }));
    const own = {
      listBlocks: counted(({ limit = 20 }) => blocks(99, Math.min(limit, 15))),
      getAddress: counted(({ limit = 50 }) => (limit > 9 ? { missing_below: 85, older_nodes: 2 } : { tx_count: 0 })),
    } as unknown as Handlers;
    const { handlers } = withCachedReads(own, { onCommit: () => () => undefined });
    const times = async (read: () => unknown): Promise<number> => {
      const before = asked;
      for (const _ of [1, 2]) await read();
      return asked - before;
    };
    const context = {} as RequestContext;
    expect(await times(() => handlers.listBlocks({}, context))).toBe(2);
    expect(await times(() => handlers.listBlocks({ limit: 15 }, context))).toBe(1);
    expect(await times(() => handlers.getAddress({ addr: alice.pub }, context))).toBe(2);
    expect(await times(() => handlers.getAddress({ addr: alice.pub, limit: 9 }, context))).toBe(1);
    const few = withCachedReads({ listBlocks: counted(() => blocks(14, 15)) } as unknown as Handlers, { onCommit: () => () => undefined });
    expect(await times(() => few.handlers.listBlocks({}, context))).toBe(1);
  });
});
