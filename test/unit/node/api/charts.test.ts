// GET /api/charts over a real chain.
import { describe, expect, it } from "vitest";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

const HOUR_MS = 3_600_000;

async function ask({ server }: ApiWorld, query = ""): Promise<unknown> {
  return (await server.app.inject(`/api/charts${query}`)).json();
}

describe("GET /api/charts", () => {
  it("gives hours by default, days on request, and nothing before the first block", async () => {
    await using world = await createApiWorld();
    expect(await ask(world)).toEqual({ resolution: "hour", buckets: [] });
    await world.services.mempool.submit(signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} }), world.clock.nowMs());
    world.commit();
    world.clock.advance(HOUR_MS);
    world.commit();
    const nothing = { transactions: 0, failed: 0, fees_ut: 0 };
    const paid = { transactions: 1, failed: 0, fees_ut: 1_000 };
    expect(await ask(world)).toEqual({
      resolution: "hour",
      buckets: [
        { start: "2026-01-01T00:00:00.000Z", blocks: 1, ...paid },
        { start: "2026-01-01T01:00:00.000Z", blocks: 1, ...nothing, avg_block_time_ms: HOUR_MS },
      ],
    });
    expect(await ask(world, "?resolution=hour&limit=1")).toMatchObject({ buckets: [{ start: "2026-01-01T01:00:00.000Z" }] });
    expect(await ask(world, "?resolution=day")).toEqual({
      resolution: "day",
      buckets: [{ start: "2026-01-01T00:00:00.000Z", blocks: 2, ...paid, avg_block_time_ms: HOUR_MS }],
    });
  });

  it("gives 48 buckets by default, 720 at most, and refuses what it does not know", async () => {
    await using world = await createApiWorld();
    let hour = 0;
    for (const next of [240, 1_000]) {
      world.clock.advance((next - hour) * HOUR_MS);
      world.commit();
      hour = next;
    }
    const count = async (query: string): Promise<number> => ((await ask(world, query)) as { buckets: unknown[] }).buckets.length;
    expect([await count(""), await count("?limit=49"), await count("?limit=720"), await count("?limit=100000")]).toEqual([
      48, 49, 720, 720,
    ]);
    expect([await count("?resolution=day&limit=30"), await count("?resolution=day")]).toEqual([30, 32]);
    for (const query of ["?resolution=week", "?resolution=", "?limit=0", "?limit=-1", "?limit=x", "?limit=1.5"])
      expect([query, (await world.server.app.inject(`/api/charts${query}`)).statusCode]).toEqual([query, 400]);
  });
});
