// Who may have a node ask a source of rates: its owner, and no one else, whatever they send.
import { afterEach, describe, expect, it } from "vitest";
import { type ApiWorld, type ApiWorldOptions, createApiWorld } from "#test/support/worlds/api-world.ts";

const BODY = { url: "https://rates.example/", path: "rates.EUR" };

let world: ApiWorld;
let asked: unknown[];

async function start(api: ApiWorldOptions["api"], hasRates = true): Promise<void> {
  asked = [];
  const rateAt = (place: unknown): Promise<{ readonly rate: number; readonly atMs: number }> => {
    asked.push(place);
    return Promise.resolve({ rate: 2.5, atMs: 1_800_000_000_000 });
  };
  world = await createApiWorld({ api: { localSecret: "secret", ...api }, services: hasRates ? { rates: { rateAt } } : {} });
}

async function ask(token: string | undefined, payload: unknown = BODY): Promise<readonly [number, string]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { statusCode, body } = await world.server.app.inject({
    method: "POST",
    url: "/api/node/rate",
    headers,
    payload: payload as object,
  });
  return [statusCode, body];
}

afterEach(() => world[Symbol.asyncDispose]());

describe("a rate", () => {
  it.each([
    ["the secret of the node's start", {}, "secret"],
    ["the token of a node that is open to no one else", { token: "right", openPart: "chain" } as const, "right"],
  ])("is looked up for who shows %s", async (_, api, token) => {
    await start(api);
    const [status, body] = await ask(token);
    expect([status, JSON.parse(body)]).toEqual([200, { rate: 2.5, at: "2027-01-15T08:00:00.000Z" }]);
    expect(asked).toEqual([BODY]);
  });

  it.each([
    ["nothing, at a node without a token", {}, undefined],
    ["a wrong secret", {}, "wrong"],
    ["the token of a node that others may read", { token: "right" }, "right"],
    ["nothing, at a node with a token", { token: "right" }, undefined],
    ["nothing, at a node of the desktop app", { token: "right", openPart: "chain" } as const, undefined],
  ])("is never looked up for who shows %s", async (_, api, token) => {
    await start(api);
    const [status] = await ask(token);
    expect([401, 403]).toContain(status);
    expect(asked).toEqual([]);
  });

  it.each([{ url: "https://rates.example/" }, { ...BODY, url: "x".repeat(513) }, { ...BODY, path: "" }, { ...BODY, more: 1 }])(
    "is not looked up at %j",
    async (body) => {
      await start({});
      const [status] = await ask("secret", body);
      expect([status, asked]).toEqual([400, []]);
    },
  );

  it("is not there where a node looks up none", async () => {
    await start({}, false);
    expect((await ask("secret"))[0]).toBe(503);
  });
});
