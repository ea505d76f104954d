// GET /metrics: counts requests by route and blocks by their times, with labels from fixed tables only.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

let world: ApiWorld;

beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function metrics(): Promise<string> {
  const response = await world.server.app.inject("/metrics");
  expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  return response.body;
}

/** Value of a sample by its name and labels as they are written; undefined when there is none. */
async function sample(name: string): Promise<number | undefined> {
  const line = (await metrics()).split("\n").find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

const requestsOf = (method: string, route: string, status: number): string =>
  `parley_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

describe("metrics", () => {
  it("count requests by route, never by path", async () => {
    const { app } = world.server;
    for (const index of [0, 0, 77, 78]) await app.inject(`/api/block/${index}`);
    await app.inject({ method: "POST", url: "/api/tx", payload: {} });
    for (const path of ["/nothing", "/api/none", "/nothing?x=1"]) await app.inject(path);
    await app.inject({ method: "PROPFIND", url: "/nothing" });
    expect(await sample(requestsOf("GET", "/api/block/:index", 200))).toBe(2);
    expect(await sample(requestsOf("GET", "/api/block/:index", 404))).toBe(2);
    expect(await sample(requestsOf("POST", "/api/tx", 400))).toBe(1);
    expect(await sample(requestsOf("none", "none", 404))).toBe(4);
    expect(await metrics()).not.toContain("nothing");
  });

  it("count blocks, their intervals and their transactions by outcome", async () => {
    const submit = async (amount: number): Promise<void> => {
      const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {} });
      await world.services.mempool.submit(tx, world.clock.nowMs());
    };
    await submit(1);
    world.commit();
    world.clock.advance(4_000);
    await submit(2);
    await submit(3);
    world.commit();
    expect(await sample("parley_block_interval_seconds_count")).toBe(2);
    expect(await sample("parley_block_interval_seconds_sum")).toBe(14);
    expect(await sample("parley_block_transactions_sum")).toBe(3);
    expect(await sample('parley_transactions_total{type="TRANSFER",status="ok"}')).toBe(3);
    expect(await sample("parley_chain_height")).toBe(2);
    expect(await sample("parley_peers")).toBe(1);
    expect(await sample("parley_sync_live")).toBe(1);
    expect(await sample("parley_consensus_round")).toBe(2);
  });

  it("tell how the process does", async () => {
    expect(await sample("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(await sample("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(await sample('parley_build_info{version="0.1.0",commit="abc"}')).toBe(1);
    expect(await sample("process_start_time_seconds")).toBe(Math.floor(world.clock.nowMs() / 1000) - 4);
  });

  it("have help and type each, and names in the units of the format", async () => {
    const text = await metrics();
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type] as const);
    expect(names.length).toBeGreaterThan(12);
    for (const [name = "", type] of names) {
      expect(text).toContain(`# HELP ${name} `);
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
      expect(name).toMatch(/^(parley|process|nodejs)_[a-z0-9_]+$/);
      expect(name).not.toMatch(/_(?:ms|milliseconds|kb|mb)(?:_|$)/);
    }
  });

  it("are private on a private node", async () => {
    await using closed = await createApiWorld({ api: { token: "secret", isPrivate: true } });
    expect((await closed.server.app.inject("/metrics")).statusCode).toBe(401);
    expect((await closed.server.app.inject({ url: "/metrics", headers: { authorization: "Bearer secret" } })).statusCode).toBe(200);
  });
});
