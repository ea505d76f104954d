// Who may have a node ask a source of rates, or a page what it says of itself: its owner, and no one else, whatever they send.
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
  const summaryOf = (link: string): Promise<{ readonly title: string; readonly description: string; readonly picture: Uint8Array }> => {
    asked.push(link);
    return Promise.resolve({ title: "A page", description: "", picture: new Uint8Array([1, 2, 3]) });
  };
  const services = hasRates ? { rates: { rateAt }, pages: { summaryOf } } : {};
  world = await createApiWorld({ api: { localSecret: "secret", ...api }, services });
}

async function ask(token: string | undefined, payload: unknown = BODY, url = "/api/node/rate"): Promise<readonly [number, string]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { statusCode, body } = await world.server.app.inject({ method: "POST", url, headers, payload: payload as object });
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

describe("a page", () => {
  const PAGE = "/api/node/page";
  const LINK = { url: "https://page.example/" };

  it("is read for the owner, with its picture", async () => {
    await start({});
    const [status, body] = await ask("secret", LINK, PAGE);
    expect([status, JSON.parse(body)]).toEqual([200, { title: "A page", description: "", picture_b64: "AQID" }]);
    expect(asked).toEqual([LINK.url]);
  });

  it.each([
    ["nothing, at a node without a token", {}, undefined],
    ["the token of a node that others may read", { token: "right" }, "right"],
    ["nothing, at a node of the desktop app", { token: "right", openPart: "chain" } as const, undefined],
  ])("is never read for who shows %s", async (_, api, token) => {
    await start(api);
    expect([401, 403]).toContain((await ask(token, LINK, PAGE))[0]);
    expect(asked).toEqual([]);
  });

  it.each([{}, { url: "" }, { url: `https://page.example/${"x".repeat(2_048)}` }, { ...LINK, more: 1 }])(
    "is not read at %j",
    async (body) => {
      await start({});
      expect([(await ask("secret", body, PAGE))[0], asked]).toEqual([400, []]);
    },
  );

  it("is not read where a node reads none", async () => {
    await start({}, false);
    expect((await ask("secret", LINK, PAGE))[0]).toBe(503);
  });
});
