// Who may ask the node to sign with its own key: the secret of this start, from this machine, and nothing else.
import { afterEach, describe, expect, it } from "vitest";
import type { ApiOptions } from "#node/api/options.ts";
import type { DutyRequest } from "#shared/api/schemas/duties.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

const OTHER_MACHINE = "203.0.113.7";
const APPLY = { duty: "apply" } as const;

let world: ApiWorld;
const asked: DutyRequest[] = [];

async function begin(api: Partial<ApiOptions> = {}, refusal?: CodedError): Promise<void> {
  asked.length = 0;
  const request = async (body: DutyRequest): Promise<string> => {
    asked.push(body);
    if (refusal !== undefined) throw refusal;
    return await Promise.resolve("tx-1");
  };
  world = await createApiWorld({ api: { localSecret: "secret", ...api }, services: { duties: { request } } });
}

interface Asked {
  readonly status: number;
  readonly body: unknown;
}

async function ask(authorization: string | undefined, more: object = {}, payload: unknown = APPLY): Promise<Asked> {
  const { headers = {}, ...options } = more as { readonly headers?: object };
  const response = await world.server.app.inject({
    method: "POST",
    url: "/api/node/duties",
    payload: payload as object,
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    ...options,
  });
  return { status: response.statusCode, body: response.json() };
}

afterEach(() => world[Symbol.asyncDispose]());

describe("the duties of a node", () => {
  it.each([
    ["a public node", {}],
    ["a node with a token for writing", { token: "right" }],
    ["a private node", { token: "right", isPrivate: true }],
    ["a node of the desktop app, whose page has the token", { token: "right", openPart: "chain" }],
    ["a node without a secret", { localSecret: undefined, token: "right" }],
  ] as const)("are closed without the secret: %s", async (_name, api) => {
    await begin(api);
    for (const wrong of [undefined, "Bearer right", "Bearer wrong", "Bearer undefined", "Bearer ", "Basic secret"])
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 401]);
    expect(asked).toEqual([]);
  });

  it("are done for programs of the node's user", async () => {
    await begin({ token: "right", isPrivate: true });
    expect(await ask("Bearer secret")).toEqual({ status: 200, body: { status: "accepted", id: "tx-1" } });
    expect(asked).toEqual([APPLY]);
  });

  it("are closed to other machines and to what a proxy passes on, whatever they know", async () => {
    await begin();
    expect((await ask("Bearer secret", { remoteAddress: OTHER_MACHINE })).status).toBe(403);
    expect((await ask("Bearer secret", { headers: { "x-forwarded-for": "127.0.0.1" } })).status).toBe(403);
    expect((await ask("Bearer secret", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask("Bearer secret", { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  it("take no secret from the address", async () => {
    await begin();
    expect((await ask(undefined, { url: "/api/node/duties?token=secret" })).status).toBe(401);
  });

  it.each([
    [{ duty: "transfer", to: alice.pub, amount: 1 }],
    [{ duty: "apply", fee: 1 }],
    [{ duty: "constructor" }],
    [{ duty: ["apply"] }],
    [{ duty: "approve", pub_key: "a".repeat(129) }],
    [{}],
    [null],
    [[APPLY]],
  ])("are a fixed list: %o is refused", async (body) => {
    await begin();
    expect((await ask("Bearer secret", {}, body)).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it("say why one is not possible", async () => {
    await begin({}, new CodedError("TX_REJECTED", "This node is a validator already"));
    expect(await ask("Bearer secret")).toEqual({ status: 400, body: { error: "This node is a validator already" } });
  });

  it("are none of a light node", async () => {
    world = await createApiWorld({ api: { localSecret: "secret" } });
    expect((await ask("Bearer secret")).status).toBe(503);
  });
});
