import { describe, expect, it } from "vitest";
import { connectSources, isNodeOrigin, probeNode } from "#electron/main/processes/other-node.ts";
import { contentSecurityPolicy } from "#electron/main/security/content-security-policy.ts";

const ORIGIN = "https://node.example:8080";

describe("the address of another node", () => {
  it.each([ORIGIN, "https://node.example", "http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:8080"])("may be %s", (origin) =>
    expect(isNodeOrigin(origin)).toBe(true),
  );

  it.each([
    "http://node.example:8080",
    "http://127.0.0.1.example",
    "https://node.example/",
    "https://node.example/path",
    "https://user@node.example",
    "https://node.example; script-src *",
    "https://node.example https://evil.example",
    "wss://node.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://*",
    "https://*.example",
    "",
  ])("may not be %j", (origin) => expect(isNodeOrigin(origin)).toBe(false));

  it("opens the page's policy for that node alone, requests and live connection", () => {
    const policy = contentSecurityPolicy("/", { nodePort: 4123, others: connectSources(ORIGIN) });
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:4123 https://node.example:8080 wss://node.example:8080;");
  });
});

describe("trying another node", () => {
  const respond =
    (body: string, status = 200) =>
    (): Promise<Response> =>
      Promise.resolve(new Response(body, { status }));

  it("asks for its network, with the token where there is one", async () => {
    const seen: unknown[] = [];
    const fetch = (url: string, init?: RequestInit): Promise<Response> => {
      seen.push([url, init?.headers, init?.redirect]);
      return respond('{"chain_id":"parley"}')();
    };
    await probeNode(fetch, ORIGIN, "secret");
    await probeNode(fetch, ORIGIN, "");
    expect(seen).toEqual([
      [`${ORIGIN}/api/network-info`, { authorization: "Bearer secret" }, "error"],
      [`${ORIGIN}/api/network-info`, {}, "error"],
    ]);
  });

  it.each([
    ["requires a different access token", respond("", 401)],
    ["responds, but not as a node", respond("<html></html>")],
    ["responds, but not as a node", respond("null")],
    ["responds, but not as a node", respond('{"chain_id":7}')],
    ["responds, but not as a node", respond('{"chain_id":"parley"}', 500)],
    ["does not respond", (): Promise<Response> => Promise.reject(new TypeError("fetch failed"))],
  ])("says that it %s", async (stderr, fetch) => {
    await expect(probeNode(fetch, ORIGIN, "")).rejects.toMatchObject({ code: "UPSTREAM_FAILED", message: `${ORIGIN} ${stderr}` });
  });
});
