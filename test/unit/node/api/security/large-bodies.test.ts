// Large transactions without room: the next ones of the address are refused before they are read.
import { afterEach, beforeEach, expect, it } from "vitest";
import { API_LIMITS } from "#node/api/limits.ts";
import { LargeBodies } from "#node/api/security/large-bodies.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

const OTHER = "203.0.113.9";
const LARGE = JSON.stringify({ type: "DEPLOY_CONTRACT", from: "", payload: "A".repeat(API_LIMITS.largeBodyBytes) });
const SMALL = JSON.stringify({ type: "TRANSFER", from: "" });

let world: ApiWorld;
let tried = 0;

beforeEach(async () => {
  tried = 0;
  const submit = (): Promise<never> => {
    tried += 1;
    return Promise.reject(new CodedError("LARGE_LIMIT", "no room"));
  };
  world = await createApiWorld({
    api: { localSecret: "secret", listenHost: "0.0.0.0", allowedHosts: ["localhost"] },
    services: { mempool: { size: 0, get: () => undefined, submit } },
  });
});
afterEach(() => world[Symbol.asyncDispose]());

interface Sent {
  readonly url?: string;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Status of the response, and whether the pool was asked. */
async function send(
  payload: string,
  { url = "/api/tx", from = "127.0.0.1", headers = {} }: Sent = {},
): Promise<readonly [number, boolean]> {
  const before = tried;
  const response = await world.server.app.inject({ method: "POST", url, payload, remoteAddress: from, headers: { ...headers } });
  if (response.statusCode === 429) expect(response.headers["retry-after"]).toBe("1");
  return [response.statusCode, tried > before];
}

it("are not read for a moment after one of their address was refused", async () => {
  expect(await send(LARGE)).toEqual([429, true]);
  expect(await send(LARGE)).toEqual([429, false]);
  expect(await send(LARGE, { url: "/v2/chain/transactions" })).toEqual([429, false]);
  world.clock.advance(API_LIMITS.refusedPauseMs - 1);
  expect(await send(LARGE)).toEqual([429, false]);
  world.clock.advance(1);
  expect(await send(LARGE)).toEqual([429, true]);
});

it("do not keep out small ones, other addresses, other endpoints and the owner's programs", async () => {
  expect(await send(LARGE)).toEqual([429, true]);
  expect((await send(SMALL))[1]).toBe(true);
  expect((await send(LARGE, { from: OTHER }))[1]).toBe(true);
  expect((await send(LARGE, { headers: { authorization: "Bearer secret" } }))[1]).toBe(true);
  expect(await send(LARGE, { url: "/relay/broadcast" })).toEqual([400, false]);
});

it("count when their length is not announced", () => {
  const bodies = new LargeBodies({ refusedPauseMs: 10, largeBodyBytes: 100 });
  expect(bodies.isTooSoon("a", {}, 0)).toBe(false);
  bodies.refuse("a", 0);
  expect([{}, { "content-length": "100" }, { "content-length": "99" }].map((headers) => bodies.isTooSoon("a", headers, 9))).toEqual([
    true,
    true,
    false,
  ]);
  expect([bodies.isTooSoon("a", {}, 10), bodies.isTooSoon("b", {}, 9)]).toEqual([false, false]);
});
