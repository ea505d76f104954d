import { describe, expect, it } from "vitest";
import { createPatientFetch, LAST_PAUSE_MS } from "#renderer/lib/node/access/patient-fetch.ts";
import type { HttpFetch } from "#shared/api/client.ts";

const RESPONSE = { ok: true, status: 200 } as unknown as Awaited<ReturnType<HttpFetch>>;
const GET = { method: "GET" } as Parameters<HttpFetch>[1];

interface World {
  nowMs: number;
  isAway: boolean;
  isConnected: boolean;
  requests: number;
}

function createWorld(): { world: World; ask: (init?: Parameters<HttpFetch>[1]) => Promise<boolean> } {
  const world: World = { nowMs: 0, isAway: false, isConnected: false, requests: 0 };
  const fetch = createPatientFetch({
    clock: { monotonicMs: () => world.nowMs },
    isConnected: () => world.isConnected,
    fetch: async () => {
      world.requests += 1;
      if (world.isAway) throw new TypeError("fetch failed");
      return RESPONSE;
    },
  });
  const ask = (init = GET): Promise<boolean> =>
    fetch("/api/status", init).then(
      () => true,
      () => false,
    );
  return { world, ask };
}

describe("requests to a node that is away", () => {
  it("are one probe, ever more rarely, however many views ask", async () => {
    const { world, ask } = createWorld();
    world.isAway = true;
    // Thirty queries, four times a second, for a minute.
    for (world.nowMs = 0; world.nowMs < 60_000; world.nowMs += 250)
      for (let query = 0; query < 30; query += 1) expect(await ask()).toBe(false);
    expect(world.requests).toBeLessThanOrEqual(10);
  });

  it("fail together once", async () => {
    const { world, ask } = createWorld();
    world.isAway = true;
    await Promise.all(Array.from({ length: 20 }, () => ask()));
    world.requests = 0;
    world.nowMs = 1_000;
    await ask();
    world.nowMs = 2_999;
    await ask();
    expect(world.requests).toBe(1);
  });

  it("reach it again within the longest pause, and all of them from then on", async () => {
    const { world, ask } = createWorld();
    world.isAway = true;
    for (world.nowMs = 0; world.nowMs < 60_000; world.nowMs += 100) await ask();
    world.isAway = false;
    world.nowMs += LAST_PAUSE_MS;
    expect(await ask()).toBe(true);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([true, true, true]);
  });

  it("are not held back once the live connection is there", async () => {
    const { world, ask } = createWorld();
    world.isAway = true;
    await ask();
    world.isAway = false;
    expect(await ask()).toBe(false);
    world.isConnected = true;
    expect(await ask()).toBe(true);
    world.isConnected = false;
    expect(await ask()).toBe(true);
  });

  it("are always tried where a person sends something, and given up ones say nothing of the node", async () => {
    const { world, ask } = createWorld();
    world.isAway = true;
    await ask({ ...GET, signal: AbortSignal.abort() });
    world.isAway = false;
    expect(await ask()).toBe(true);
    world.isAway = true;
    await ask();
    world.requests = 0;
    for (let attempt = 0; attempt < 3; attempt += 1) await ask({ method: "POST" } as Parameters<HttpFetch>[1]);
    expect(world.requests).toBe(3);
  });
});
