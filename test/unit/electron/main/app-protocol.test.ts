import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppProtocolOptions, serveApp } from "#electron/main/protocol/app-protocol.ts";
import { resolveAsset } from "#electron/main/protocol/resolve-asset.ts";

describe("resolveAsset", () => {
  const root = "/opt/parley/renderer";
  const target = (path: string): ReturnType<typeof resolveAsset> => resolveAsset(root, new URL(`app://parley${path}`));

  it.each([
    ["/", "/opt/parley/renderer/index.html"],
    ["/wallet/send", "/opt/parley/renderer/index.html"],
    ["/assets/index-a1.js", "/opt/parley/renderer/assets/index-a1.js"],
  ])("%s is a file of the interface", (path, file) => expect(target(path)).toEqual({ kind: "file", path: file }));

  it.each([
    "/..%2f..%2fetc%2fshadow.txt",
    "/%2e%2e/%2e%2e/secret.txt",
    "/..%5c..%5csecret.txt",
    "/a%00.js",
    "/%zz.js",
    "/..%2frenderer-other%2fa.js",
  ])("%s leaves the interface nowhere", (path) => {
    const result = target(path);
    expect(result.kind === "refused" || (result.kind === "file" && result.path.startsWith(`${root}/`))).toBe(true);
  });

  it.each(["/api/netstats", "/relay/inbox?pub=00", "/v2/chain/x"])("%s goes to the node", (path) =>
    expect(target(path)).toEqual({ kind: "node", path }),
  );
});

describe("the app protocol", () => {
  let root = "";
  const requests: string[] = [];
  let options: AppProtocolOptions;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "parley-app-protocol-"));
    mkdirSync(join(root, "assets"));
    writeFileSync(join(root, "index.html"), "<!doctype html>");
    writeFileSync(join(root, "assets", "a.js"), "1");
    options = {
      root,
      nodePort: 4123,
      apiToken: "secret-of-this-launch",
      otherNode: () => null,
      fetch: async (url, init) => {
        requests.push(`${init?.method ?? "GET"} ${url} ${new Headers(init?.headers).get("authorization") ?? "no token"}`);
        if (url.startsWith("http://")) return Response.json({ height: 1 });
        return new Response(readFileSync(fileURLToPath(url)));
      },
    };
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("serves the document with the policy", async () => {
    const response = await serveApp(new Request("app://parley/contacts"), options);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toBe("<!doctype html>");
  });

  it("lets the page reach another node that was chosen, and nothing that is no node's address", async () => {
    const policyOf = async (otherNode: string): Promise<string> => {
      const { headers } = await serveApp(new Request("app://parley/"), { ...options, otherNode: () => otherNode });
      return headers.get("content-security-policy") ?? "";
    };
    expect(await policyOf("https://node.example")).toContain("ws://127.0.0.1:4123 https://node.example wss://node.example;");
    expect(await policyOf("https://node.example; script-src *")).toContain("connect-src 'self' ws://127.0.0.1:4123;");
  });

  it("answers 404 for a missing file and another host", async () => {
    expect((await serveApp(new Request("app://parley/assets/b.js"), options)).status).toBe(404);
    expect((await serveApp(new Request("app://other/"), options)).status).toBe(404);
  });

  it("passes the node's interface on", async () => {
    const response = await serveApp(new Request("app://parley/api/netstats"), options);
    expect(await response.json()).toEqual({ height: 1 });
    expect(requests).toContain("GET http://127.0.0.1:4123/api/netstats Bearer secret-of-this-launch");
  });

  it("lets no page choose its own token, and tells no file server of it", async () => {
    await serveApp(new Request("app://parley/api/peers", { headers: { authorization: "Bearer other", cookie: "a=b" } }), options);
    await serveApp(new Request("app://parley/assets/a.js"), options);
    expect(requests.filter((line) => line.includes("/api/peers"))).toEqual([
      "GET http://127.0.0.1:4123/api/peers Bearer secret-of-this-launch",
    ]);
    expect(requests.find((line) => line.includes("a.js"))).toMatch(/no token$/);
  });

  it("says 503 in the error shape when the node is gone", async () => {
    const gone = { ...options, fetch: () => Promise.reject(new Error("refused")) };
    const response = await serveApp(new Request("app://parley/api/netstats"), gone);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: "The node is not running" });
  });

  it("tells where the live connection is", async () => {
    const response = await serveApp(new Request("app://parley/shell/connection"), options);
    expect(await response.json()).toEqual({ live_url: "ws://127.0.0.1:4123/api/ws?token=secret-of-this-launch" });
  });
});
