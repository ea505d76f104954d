// Who may use the interface: tokens, hosts, origins, foreign pages, rates, and what is open besides the chain.
import type { InjectOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { REQUEST_BYTES } from "#node/api/security/access-guard.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

const OTHER_MACHINE = "203.0.113.7";
const ok = (status: number): boolean => status === 200;

async function status(world: ApiWorld, options: InjectOptions): Promise<number> {
  return (await world.server.app.inject(options)).statusCode;
}

describe("access modes", () => {
  const paths: readonly (readonly [string, InjectOptions, "read" | "write"])[] = [
    ["netstats", { url: "/api/netstats" }, "read"],
    ["well-known-version", { url: "/api/well-known-version" }, "read"],
    ["inbox", { url: `/relay/inbox?pub=${"1".repeat(64)}` }, "read"],
    ["openapi.json", { url: "/swagger/openapi.json" }, "read"],
    ["the page of the document", { url: "/swagger" }, "read"],
    ["submission", { method: "POST", url: "/api/tx", payload: {} }, "write"],
    ["faucet", { method: "POST", url: "/api/dev/faucet", payload: { to: alice.pub, amount_ut: 1 } }, "write"],
  ];
  const modes = [
    ["public", {}, []],
    ["public, whatever `private` says", { isPrivate: true }, []],
    ["token for writes", { token: "right" }, ["write"]],
    ["fully private", { token: "right", isPrivate: true }, ["read", "write"]],
  ] as const;

  it.each(modes)("%s", async (_name, api, guarded: readonly string[]) => {
    await using world = await createApiWorld({ api });
    for (const [name, options, kind] of paths) {
      const needsToken = guarded.includes(kind);
      for (const authorization of [undefined, "Bearer wrong", "Basic right"]) {
        const response = await world.server.app.inject({ ...options, headers: authorization === undefined ? {} : { authorization } });
        expect([name, authorization, response.statusCode === 401]).toEqual([name, authorization, needsToken]);
        if (needsToken) {
          expect(response.headers["www-authenticate"]).toBe("Bearer");
          expect(response.json()).toEqual({ error: expect.stringContaining("token") });
        }
      }
      expect([name, await status(world, { ...options, headers: { authorization: "Bearer right" } })]).not.toEqual([name, 401]);
    }
  });

  it("takes the token from the query on the WebSocket only", async () => {
    await using world = await createApiWorld({ api: { token: "right", isPrivate: true } });
    expect(await status(world, { url: "/api/netstats?token=right" })).toBe(401);
    expect(await status(world, { url: "/api/ws?token=wrong" })).toBe(401);
    expect(await status(world, { url: "/api/ws?token=right" })).toBe(426);
  });
});

describe("hosts and origins", () => {
  it("a host that is not the node's is a 403", async () => {
    await using world = await createApiWorld({ api: { allowedHosts: ["node.example"] } });
    for (const [host, expected] of [
      ["localhost:8080", 200],
      ["node.example", 200],
      ["rebound.example", 403],
    ] as const)
      expect([host, await status(world, { url: "/api/netstats", headers: { host } })]).toEqual([host, expected]);
    expect(await status(world, { url: "/api/nothing", headers: { host: "rebound.example" } })).toBe(403);
  });

  it("a page of another origin is refused, reading or writing", async () => {
    await using world = await createApiWorld({ api: { allowedOrigins: ["https://wallet.example"] } });
    const headers = { host: "localhost:8080", origin: "https://evil.example" };
    for (const options of [
      { url: "/api/netstats", headers },
      { method: "POST", url: "/api/tx", payload: {}, headers },
      { method: "OPTIONS", url: "/api/tx", headers: { ...headers, "access-control-request-method": "POST" } },
    ] as const) {
      const response = await world.server.app.inject(options);
      expect(response.statusCode).toBe(403);
      expect(response.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("the node's own page needs no CORS headers", async () => {
    await using world = await createApiWorld();
    const response = await world.server.app.inject({
      url: "/api/netstats",
      headers: { host: "localhost:8080", origin: "http://localhost:8080" },
    });
    expect(response.statusCode).toBe(200);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
    expect(response.headers["cross-origin-resource-policy"]).toBe("same-origin");
  });

  it("an allowed origin may read responses and errors, and ask before it writes", async () => {
    await using world = await createApiWorld({ api: { allowedOrigins: ["https://wallet.example"], token: "right" } });
    const headers = { host: "localhost:8080", origin: "https://wallet.example" };
    const preflight = await world.server.app.inject({
      method: "OPTIONS",
      url: "/api/tx",
      headers: { ...headers, "access-control-request-method": "POST" },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toContain("authorization");
    for (const [url, expected] of [
      ["/api/netstats", 200],
      ["/api/tx/none", 404],
    ] as const) {
      const response = await world.server.app.inject({ url, headers });
      expect(response.statusCode).toBe(expected);
      expect(response.headers).toMatchObject({ "access-control-allow-origin": "https://wallet.example", vary: "Origin" });
    }
  });
});

describe("rates", () => {
  const limits = { requestsPerSecond: 2, requestBurst: 5 };
  const call = (world: ApiWorld, remoteAddress: string, headers = {}): Promise<number> =>
    status(world, { url: "/api/well-known-version", remoteAddress, headers });

  it("one address gets a burst, then 429 until time passes; others continue", async () => {
    await using world = await createApiWorld({ api: { limits } });
    for (let i = 0; i < 5; i += 1) expect(await call(world, OTHER_MACHINE)).toBe(200);
    const refused = await world.server.app.inject({ url: "/api/netstats", remoteAddress: OTHER_MACHINE });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.json()).toEqual({ error: expect.any(String) });
    expect(await call(world, "203.0.113.8")).toBe(200);
    world.clock.advance(500);
    expect([await call(world, OTHER_MACHINE), await call(world, OTHER_MACHINE)]).toEqual([200, 429]);
  });

  it("a large response counts by its size, and an address waits the longer after it", async () => {
    await using world = await createApiWorld({ api: { limits: { requestsPerSecond: 2, requestBurst: 10 } } });
    const { rawPayload, statusCode } = await world.server.app.inject({ url: "/swagger/openapi.json", remoteAddress: OTHER_MACHINE });
    expect(statusCode).toBe(200);
    const cost = Math.floor(rawPayload.length / REQUEST_BYTES);
    expect(cost).toBeGreaterThan(0);
    const rest: number[] = [];
    for (let n = 0; n < 10 - cost; n += 1) rest.push(await call(world, OTHER_MACHINE));
    expect(rest).toEqual([...Array.from({ length: 9 - cost }, () => 200), 429]);
    expect(await call(world, "203.0.113.8")).toBe(200);
    // What looks local pays for nothing.
    for (let n = 0; n < 20; n += 1) expect(await status(world, { url: "/swagger/openapi.json" })).toBe(200);
  });

  it("addresses of one subscriber's /64 share a burst, those of another do not", async () => {
    await using world = await createApiWorld({ api: { limits } });
    for (let i = 1; i <= 5; i += 1) expect(await call(world, `2001:db8:1:2::${i}`)).toBe(200);
    expect(await call(world, "2001:db8:1:2:ffff::1")).toBe(429);
    expect(await call(world, "2001:db8:1:3::1")).toBe(200);
  });

  it("programs of this machine are exempt, unless configured or behind a proxy", async () => {
    await using world = await createApiWorld({ api: { limits } });
    for (let i = 0; i < 20; i += 1) expect(await call(world, "127.0.0.1")).toBe(200);
    const proxied: number[] = [];
    for (let i = 0; i < 6; i += 1) proxied.push(await call(world, "127.0.0.1", { "x-forwarded-for": "1.2.3.4" }));
    expect(proxied).toEqual([200, 200, 200, 200, 200, 429]);
    await using strict = await createApiWorld({ api: { limits, limitsLoopback: true } });
    const local: number[] = [];
    for (let i = 0; i < 6; i += 1) local.push(await call(strict, "127.0.0.1"));
    expect(local.filter(ok)).toHaveLength(5);
  });

  it("what a client says about proxies is believed only from trusted ones", async () => {
    await using world = await createApiWorld({ api: { limits, trustedProxies: ["203.0.113.1"] } });
    const from = (proxy: string, client: string): Promise<number> => call(world, proxy, { "x-forwarded-for": client });
    for (let i = 0; i < 5; i += 1) expect(await from("203.0.113.1", "1.1.1.1")).toBe(200);
    expect(await from("203.0.113.1", "1.1.1.1")).toBe(429);
    expect(await from("203.0.113.1", "2.2.2.2")).toBe(200);
    for (let i = 0; i < 5; i += 1) await from("203.0.113.9", `3.3.3.${i}`);
    expect(await from("203.0.113.9", "3.3.3.99")).toBe(429);
  });
});

describe("pages of other origins", () => {
  const page = (site: string, url = "/api/netstats", headers = {}): InjectOptions => ({
    url,
    headers: { host: "localhost:8080", "sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image", ...headers },
  });

  it.each(["cross-site", "same-site"])("get nothing of the node with a picture, script or link (%s)", async (site) => {
    await using world = await createApiWorld({ api: { allowedOrigins: ["https://wallet.example"] } });
    for (const url of [
      "/api/netstats",
      `/relay/inbox?pub=${"1".repeat(64)}`,
      "/metrics",
      "/api/events",
      "/swagger/openapi.json",
      "/api/none",
    ])
      expect([url, await status(world, page(site, url))]).toEqual([url, 403]);
    // A page that may use the node says where it is from.
    expect(await status(world, page(site, "/api/netstats", { origin: "https://wallet.example" }))).toBe(200);
  });

  it("does not concern the node's own page, the address bar and programs", async () => {
    await using world = await createApiWorld({ api: { token: "right" } });
    for (const site of ["same-origin", "none"]) expect(await status(world, page(site))).toBe(200);
    expect(await status(world, page("cross-site", "/api/netstats", { authorization: "Bearer right" }))).toBe(200);
    expect(await status(world, page("cross-site", "/swagger"))).toBe(200);
  });
});

describe("a node that opens the chain alone", () => {
  const OPEN = [
    { url: "/api/netstats" },
    { url: "/api/blocks" },
    { url: "/api/network-info" },
    { url: "/api/status" },
    { url: `/relay/contacts?pub=${alice.pub}` },
  ] as const;
  const CLOSED = [
    { method: "POST", url: "/api/tx", payload: {} },
    { method: "POST", url: "/v2/chain/transactions", payload: {} },
    { method: "POST", url: "/relay/send", payload: {} },
    { method: "POST", url: "/relay/broadcast", payload: {} },
    { url: `/relay/inbox?pub=${"1".repeat(64)}` },
    { url: `/relay/inbox/count?pub=${"1".repeat(64)}` },
    { method: "DELETE", url: `/relay/inbox/x?pub=${"1".repeat(64)}` },
  ] as const;

  it.each([
    ["with a token", { token: "right" }],
    ["without one", {}],
  ])("%s, serves other programs of the machine only that", async (_name, api) => {
    await using world = await createApiWorld({ api: { ...api, openPart: "chain", localSecret: "secret" } });
    const attempt = async (options: InjectOptions, authorization: string | undefined): Promise<number> =>
      status(world, authorization === undefined ? options : { ...options, headers: { authorization } });
    const secrets = ["Bearer secret", ...("token" in api ? ["Bearer right"] : [])];
    for (const options of OPEN) expect([options.url, await status(world, options)]).toEqual([options.url, 200]);
    for (const options of CLOSED) {
      for (const wrong of [undefined, "Bearer wrong", "Bearer undefined", "Bearer "])
        expect([options.url, await attempt(options, wrong)]).toEqual([options.url, 401]);
      for (const right of secrets) expect([options.url, await attempt(options, right)]).not.toEqual([options.url, 401]);
    }
  });

  it("a secret opens what a token opens, on any node", async () => {
    await using world = await createApiWorld({ api: { token: "right", isPrivate: true, localSecret: "secret" } });
    expect(await status(world, { url: "/api/netstats", headers: { authorization: "Bearer secret" } })).toBe(200);
    expect(await status(world, { url: "/api/ws?token=secret" })).toBe(426);
  });
});
