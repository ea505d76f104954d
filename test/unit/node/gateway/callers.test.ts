// Who may speak to the gateway, and what it makes of bytes that are no good request.
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createGatewayWorld, type GatewayWorld } from "#test/support/worlds/gateway-world.ts";

describe("a request", () => {
  let world: GatewayWorld;
  let token = "";
  beforeAll(async () => {
    world = await createGatewayWorld();
    token = world.keyring.connect("00000001", ["read"]);
  });
  // Rates of one test are not those of the next.
  beforeEach(() => world.chain.clock.advance(60_000));
  afterAll(() => world[Symbol.asyncDispose]());

  it("of a program is answered on a socket that its user alone can open", async () => {
    expect(await world.send("/apps/v1/me", { token })).toMatchObject({
      status: 200,
      body: { name: "Program 00000001", chain_id: "parley-test" },
    });
    expect((await stat(world.endpoint.socket)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["of a page", { origin: "http://parley" }],
    ["of a page without an address", { origin: "null" }],
    ["of an extension", { origin: "chrome-extension://abc" }],
    ["of a navigation", { "sec-fetch-site": "none" }],
    ["of a page of the same origin", { "sec-fetch-mode": "cors" }],
    ["with metadata of a later browser", { "sec-fetch-anything": "x" }],
    ["for another host", { host: "localhost" }],
    ["for a host that a name server leads here", { host: "parley.example" }],
    ["for a port", { host: "parley:80" }],
    ["for no host", { host: "" }],
  ])("%s is refused, with and without a token, and nothing is asked of the keyring", async (_, headers) => {
    for (const request of [{ headers }, { headers, token }, { headers, method: "POST", body: {} } as const])
      expect(await world.send("/apps/v1/me", request)).toMatchObject({ status: 403, body: { code: "FORBIDDEN", details: {} } });
    expect((await world.send("/apps/requests", { headers, method: "POST", body: { name: "x", reason: "", grant: ["read"] } })).status).toBe(
      403,
    );
    expect(world.keyring.calls.filter(([method]) => method === "openRequest")).toEqual([]);
  });

  it("without a token, with an unknown one or with another scheme is a 401 in the design's shape", async () => {
    for (const authorization of [
      undefined,
      "Bearer",
      "Basic abc",
      `Basic ${token}`,
      "Bearer parley_app_00000001_wrong",
      `Bearer ${token}x`,
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      expect([authorization, await world.send("/apps/v1/me", { headers })]).toMatchObject([
        authorization,
        { status: 401, body: { error: expect.any(String), code: "APP_TOKEN_INVALID", details: {} } },
      ]);
    }
  });

  it("beyond the scopes of its connection is a 403 before its body is looked at", async () => {
    const routes = ["payments", "calls", "transactions", "messages", "invoices"];
    for (const route of routes)
      expect([route, await world.send(`/apps/v1/${route}`, { method: "POST", token, body: "{" })]).toMatchObject([
        route,
        { status: 403, body: { code: "APP_SCOPE" } },
      ]);
    for (const route of ["contacts", "invoices", "invoices/inv_0000000000000000", "messages/1"])
      expect([route, (await world.send(`/apps/v1/${route}`, { token })).body.code]).toEqual([route, "APP_SCOPE"]);
    // The beginning of a scope's name is no scope.
    const near = world.keyring.connect("00000002", ["payx:each=1T", "messages.sendx"]);
    expect((await world.send("/apps/v1/payments", { method: "POST", token: near, body: {} })).body.code).toBe("APP_SCOPE");
  });

  it("for what does not exist is a 404, whatever of the node's it names", async () => {
    for (const path of [
      "/",
      "/api/netstats",
      "/api/tx",
      "/relay/inbox",
      "/apps",
      "/apps/v1",
      "/apps/v2/me",
      "/apps/v1/me/",
      "/metrics",
      "/%",
    ])
      expect([path, (await world.send(path, { token })).status >= 400]).toEqual([path, true]);
    expect(await world.send("/apps/v1/nothing", { token })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });

  it("with a body that is malformed or too large names the field, or ends its socket", async () => {
    const paying = world.keyring.connect("00000003", ["pay:each=1T,total=1T/day,to=any"]);
    const post = (body: unknown): ReturnType<GatewayWorld["send"]> =>
      world.send("/apps/v1/payments", { method: "POST", token: paying, body });
    expect(await post("{")).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect(await post({})).toMatchObject({ status: 400, body: { error: expect.stringContaining("to"), code: "BAD_REQUEST" } });
    const whole = { to: "@bob", amount_ut: 1, idempotency_key: "k".repeat(16), not_after: 1 };
    for (const wrong of [{ amount_ut: -1 }, { amount_ut: 1.5 }, { amount_ut: 2 ** 60 }, { idempotency_key: "short" }, { more: 1 }])
      expect([wrong, (await post({ ...whole, ...wrong })).status]).toEqual([wrong, 400]);
    expect(await post("x".repeat(65_537))).toMatchObject({
      status: 413,
      headers: { connection: "close" },
      body: { code: "PAYLOAD_TOO_LARGE" },
    });
  });
});

it("on Windows carries the secret of the file, which other users cannot read", async () => {
  await using world = await createGatewayWorld({ secret: "ab".repeat(32) });
  const token = world.keyring.connect("00000001", ["read"]);
  for (const given of [undefined, "", "ab", "cd".repeat(32)]) {
    const headers: Record<string, string> = given === undefined ? {} : { "x-parley-secret": given };
    expect((await world.send("/apps/v1/me", { token, headers })).status).toBe(403);
  }
  expect((await world.send("/apps/v1/me", { token, headers: { "x-parley-secret": "ab".repeat(32) } })).status).toBe(200);
});

describe("bytes", () => {
  /** What comes back for bytes, until the gateway ends the socket. */
  async function exchange(world: GatewayWorld, bytes: string): Promise<string> {
    const socket = connect(world.endpoint.socket);
    await once(socket, "connect");
    const received = text(socket);
    socket.on("error", () => undefined);
    socket.write(bytes);
    return await received;
  }

  it("that are no HTTP, or too many of headers, are answered in words and the socket ends", async () => {
    await using world = await createGatewayWorld();
    expect(await exchange(world, "\x16\x03\x01\x02\x00\x01\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s);
    expect(await exchange(world, `GET /apps/v1/me HTTP/1.1\r\nHost: parley\r\nX-Long: ${"x".repeat(9_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  it("that come slowly, in headers or body, are ended", async () => {
    await using world = await createGatewayWorld({ limits: { headersTimeoutMs: 60, requestTimeoutMs: 90, checkEveryMs: 20 } });
    expect(await exchange(world, "GET /apps/v1/me HTTP/1.1\r\nHost: parley\r\n")).toMatch(/^HTTP\/1\.1 408 /);
    const token = world.keyring.connect("00000001", ["pay:each=1T,total=1T/day,to=any"]);
    const head = `POST /apps/v1/payments HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000\r\n\r\n{`;
    expect(await exchange(world, head)).toMatch(/408 Request Timeout/);
  });
});
