// Bodies and frames count by what reading them costs, before they are read.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { API_LIMITS } from "#node/api/limits.ts";
import { REQUEST_BYTES } from "#node/api/security/access-guard.ts";
import { REQUEST_VALUES, valueRequests } from "#node/api/security/json-cost.ts";
import { openTestSocket } from "#test/support/api/test-socket.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

/** An object of so many keys, each of which is another one. */
const keys = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"${at.toString(36)}":0`).join(",")}}`;

let world: ApiWorld;
beforeEach(async () => {
  world = await createApiWorld({ api: { limitsLoopback: true } });
});
afterEach(() => world[Symbol.asyncDispose]());

async function post(body: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  return (await world.server.app.inject({ method: "POST", url: "/api/tx", payload: body, headers })).statusCode;
}

async function untilLimited(body: string): Promise<number> {
  for (let count = 0; count < 1_000; count += 1) if ((await post(body)) === 429) return count;
  throw new Error("It was never refused");
}

describe("JSON of an address", () => {
  it("counts by its values: 200,000 keys cost a tenth of a second each time", async () => {
    const body = keys(200_000);
    expect(valueRequests(body)).toBeGreaterThan(API_LIMITS.requestBurst / 2);
    expect(await untilLimited(body)).toBeLessThanOrEqual(2);
    world.clock.advance(100);
    expect(await post(body)).toBe(429);
    world.clock.advance(10_000);
    expect(await post(body)).toBe(400);
  });

  it("counts its values alike where they are few in many characters", () => {
    const few = Array.from({ length: REQUEST_VALUES }, () => "x".repeat(600));
    expect(valueRequests(JSON.stringify(few))).toBe(1);
    expect(valueRequests(JSON.stringify(few.slice(1)))).toBe(0);
  });

  it("counts by its bytes, and small bodies as the request alone", async () => {
    const text = JSON.stringify({ type: "x".repeat(10 * REQUEST_BYTES) });
    expect(await untilLimited(text)).toBe(Math.ceil(API_LIMITS.requestBurst / 11));
    world.clock.advance(60_000);
    expect(await untilLimited("{}")).toBe(API_LIMITS.requestBurst);
  });

  it("is refused unread however many of its requests were taken before", async () => {
    const body = keys(100_000);
    const all = await Promise.all(Array.from({ length: 100 }, () => post(body)));
    const read = all.filter((each) => each !== 429).length;
    expect(read * valueRequests(body)).toBeLessThanOrEqual(API_LIMITS.requestBurst + valueRequests(body));
    expect(read).toBeGreaterThan(0);
  });

  it("counts in frames of a WebSocket too", async () => {
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = await openTestSocket(`ws://127.0.0.1:${port}/api/ws`);
    const frame = { type: "ping", ...Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 0])) };
    expect(valueRequests(JSON.stringify(frame))).toBe(Math.floor((2 * 20_001 + 1) / REQUEST_VALUES));
    for (let count = 0; count < 20; count += 1) socket.send(frame);
    expect(await socket.next({ type: "error", error: "Too many frames from this address: wait a moment" })).toBeDefined();
    socket.close();
  });
});
