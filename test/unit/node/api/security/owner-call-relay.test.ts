// Who gets a credential for the relay of calls of a node: its owner, and no one else. And what is counted of the relay.
import { afterEach, describe, expect, it } from "vitest";
import { NO_FIGURES } from "#node/network/calls/call-relay.ts";
import { type ApiWorld, type ApiWorldOptions, createApiWorld } from "#test/support/worlds/api-world.ts";

let world: ApiWorld;
let issued: number;

async function start(api: ApiWorldOptions["api"], hasRelay = true): Promise<void> {
  issued = 0;
  const access = { urls: ["turn:203.0.113.7:3478?transport=udp"], username: "name", credential: "word", expiresSec: 1_800_000_000 };
  const callRelay = {
    issue: (): typeof access => {
      issued += 1;
      return access;
    },
    figures: (): typeof NO_FIGURES => ({ ...NO_FIGURES, allocations: 2, bytes: 77, refused: { ...NO_FIGURES.refused, quota: 3 } }),
  };
  world = await createApiWorld({ api: { localSecret: "secret", ...api }, services: hasRelay ? { callRelay } : {} });
}

async function ask(token: string | undefined): Promise<readonly [number, string]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { statusCode, body } = await world.server.app.inject({ method: "POST", url: "/api/calls/relay", headers, payload: {} });
  return [statusCode, body];
}

afterEach(() => world[Symbol.asyncDispose]());

describe("a credential for the relay of calls", () => {
  it.each([
    ["the secret of the node's start", {}, "secret"],
    ["the token of a node that is open to no one else", { token: "right", openPart: "chain" } as const, "right"],
  ])("is issued to who shows %s", async (_, api, token) => {
    await start(api);
    const [status, body] = await ask(token);
    const expected = { urls: ["turn:203.0.113.7:3478?transport=udp"], username: "name", credential: "word", expires_at: 1_800_000_000 };
    expect([status, JSON.parse(body)]).toEqual([200, expected]);
  });

  it.each([
    ["nothing, at a node without a token", {}, undefined],
    ["a wrong secret", {}, "wrong"],
    ["the token of a node that others may read", { token: "right" }, "right"],
    ["nothing, at a node of the desktop app", { token: "right", openPart: "chain" } as const, undefined],
  ])("is not issued to who shows %s", async (_, api, token) => {
    await start(api);
    expect([401, 403]).toContain((await ask(token))[0]);
    expect(issued).toBe(0);
  });

  it("is not there where a node offers no relay", async () => {
    await start({}, false);
    const [status, body] = await ask("secret");
    expect([status, body]).toEqual([503, expect.stringContaining("--call-relay")]);
  });

  it("comes with counts in the metrics", async () => {
    await start({});
    const { body } = await world.server.app.inject({ url: "/metrics" });
    expect(body).toContain("parley_call_relay_allocations 2\n");
    expect(body).toContain("parley_call_relay_bytes_total 77\n");
    expect(body).toContain('parley_call_relay_refused_total{reason="quota"} 3\n');
  });
});
