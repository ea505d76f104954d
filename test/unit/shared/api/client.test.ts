// The typed client: requests that it makes and errors that it throws.
import { describe, expect, it } from "vitest";
import type { Operation } from "#shared/api/api.ts";
import { createNodeClient, type HttpRequest, requestOf } from "#shared/api/client.ts";

describe("requests", () => {
  it.each<[Operation, Record<string, unknown>, object]>([
    ["getNetstats", {}, { method: "GET", path: "/api/netstats" }],
    ["listBlocks", { limit: 5, before: 9 }, { method: "GET", path: "/api/blocks?limit=5&before=9" }],
    ["listBlocks", { limit: undefined }, { method: "GET", path: "/api/blocks" }],
    ["getTransaction", { txid: "a/b c?d" }, { method: "GET", path: "/api/tx/a%2Fb%20c%3Fd" }],
    ["deleteEnvelope", { envID: "x", pub: "ab" }, { method: "DELETE", path: "/relay/inbox/x?pub=ab" }],
    ["requestFaucet", { body: { to: "a", amount_ut: 1 } }, { method: "POST", path: "/api/dev/faucet", body: '{"to":"a","amount_ut":1}' }],
  ])("%s with %j", (operation, input, expected) => expect(requestOf(operation, input)).toEqual(expected));

  it("carry the token and content type", async () => {
    const sent: HttpRequest[] = [];
    const client = createNodeClient({
      baseUrl: "http://node",
      token: "right",
      fetch: (url, request) => {
        sent.push(request);
        return Promise.resolve({ status: 200, text: () => Promise.resolve(JSON.stringify({ url })) });
      },
    });
    expect(await client.submitTransaction({ body: { type: "TRANSFER", from: "ab" } })).toEqual({ url: "http://node/api/tx" });
    await client.getNetstats({}, { headers: { "x-test": "1" } });
    expect(sent.map(({ headers }) => headers)).toEqual([
      { "content-type": "application/json", authorization: "Bearer right" },
      { authorization: "Bearer right", "x-test": "1" },
    ]);
  });
});

describe("failures", () => {
  const answering = (status: number, text: string): Promise<unknown> =>
    createNodeClient({ baseUrl: "", fetch: () => Promise.resolve({ status, text: () => Promise.resolve(text) }) }).getNetstats({});

  it("say when to ask again, where the node does", async () => {
    const headers = { get: (name: string): string | null => (name === "retry-after" ? "40" : null) };
    const client = createNodeClient({ baseUrl: "", fetch: async () => ({ status: 429, headers, text: async () => "{}" }) });
    await expect(client.getNetstats({})).rejects.toMatchObject({ code: "RATE_LIMITED", details: { status: 429, retryAfterS: 40 } });
  });

  it.each([
    [400, '{"error":"limit is wrong"}', "BAD_REQUEST", "limit is wrong"],
    [401, '{"error":"token"}', "UNAUTHORIZED", "token"],
    [403, '{"error":"host"}', "FORBIDDEN", "host"],
    [404, "<html>", "NOT_FOUND", "The node answered 404"],
    [429, "{}", "RATE_LIMITED", "The node answered 429"],
    [503, '{"error":"full"}', "UNAVAILABLE", "full"],
    [500, '{"error":5}', "INTERNAL", "The node answered 500"],
    [200, "no json", "UPSTREAM_FAILED", "The node's answer is not JSON"],
  ])("%s %s is %s", async (status, text, code, message) => {
    await expect(answering(status, text)).rejects.toMatchObject({ code, message });
  });

  it("of the network are UNAVAILABLE, those of the caller's signal its own", async () => {
    const failing = createNodeClient({ baseUrl: "http://node", fetch: () => Promise.reject(new TypeError("fetch failed")) });
    await expect(failing.getNetstats({})).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("http://node") });
    const aborted = new DOMException("aborted", "AbortError");
    const stopped = createNodeClient({ baseUrl: "", fetch: () => Promise.reject(aborted) });
    await expect(stopped.getNetstats({}, { signal: { aborted: true } })).rejects.toBe(aborted);
  });

  it("of an answer that breaks off are the same", async () => {
    const broken = new TypeError("terminated");
    const client = createNodeClient({
      baseUrl: "http://node",
      fetch: () => Promise.resolve({ status: 200, text: () => Promise.reject(broken) }),
    });
    const error = { code: "UNAVAILABLE", message: "The node at http://node broke off its answer" };
    await expect(client.getNetstats({})).rejects.toMatchObject(error);
    await expect(client.getNetstats({}, { signal: { aborted: true } })).rejects.toBe(broken);
  });
});
