// The interface at `/`, its headers, and the documentation.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOpenApiDocument } from "#shared/api/openapi.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src blob:; font-src 'self'; " +
  "connect-src 'self' ws://localhost:8080 wss://localhost:8080 https: wss: http://127.0.0.1:* ws://127.0.0.1:* http://localhost:* " +
  "ws://localhost:*; worker-src 'self'; manifest-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default";
const HTML = { host: "localhost:8080", accept: "text/html,*/*;q=0.8" };

let folder: TemporaryFolder;
let world: ApiWorld;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  await mkdir(join(folder.path, "assets"));
  await writeFile(join(folder.path, "index.html"), "<!doctype html><title>App</title>");
  await writeFile(join(folder.path, "icon.svg"), "<svg/>");
  await writeFile(join(folder.path, "assets", "app-1a2b.js"), "export {};");
  await writeFile(join(folder.path, "assets", "keyring-worker-1a2b.js"), "export {};");
  await writeFile(join(folder.path, ".secret"), "hidden");
  world = await createApiWorld({ api: { interfaceDir: folder.path, token: "right", isPrivate: true } });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await folder.remove();
});

describe("the interface", () => {
  it.each(["/", "/explorer/tx/tx1abc", "/wallet?tab=send", "/index.html"])("%s is the page, never cached, without a token", async (url) => {
    const response = await world.server.app.inject({ url, headers: HTML });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain("<title>App</title>");
    expect(response.headers).toMatchObject({
      "content-type": expect.stringContaining("text/html"),
      "cache-control": "no-cache",
      "content-security-policy": CSP,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    });
  });

  it("is there for a page elsewhere that has used up its requests, and its files use up none of them", async () => {
    const limits = { requestsPerSecond: 1, requestBurst: 2, fileBurst: 4 };
    await using strict = await createApiWorld({ api: { interfaceDir: folder.path, limits } });
    const remoteAddress = "203.0.113.7";
    const get = async (url: string): Promise<number> =>
      (await strict.server.app.inject({ url, remoteAddress, headers: { accept: HTML.accept } })).statusCode;
    const answers: number[] = [];
    for (const url of ["/assets/app-1a2b.js", "/icon.svg", "/api/netstats", "/api/netstats", "/api/netstats", "/contacts/new", "/", "/"])
      answers.push(await get(url));
    expect(answers).toEqual([200, 200, 200, 200, 429, 200, 200, 429]);
  });

  it("hashed files are kept forever, others asked for again", async () => {
    const get = (url: string): Promise<{ readonly headers: Record<string, unknown> }> => world.server.app.inject({ url, headers: HTML });
    expect((await get("/assets/app-1a2b.js")).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await get("/icon.svg")).headers).toMatchObject({ "cache-control": "no-cache", etag: expect.any(String) });
  });

  it("only the keyring's worker may compile WebAssembly", async () => {
    const worker = await world.server.app.inject({ url: "/assets/keyring-worker-1a2b.js", headers: HTML });
    expect(worker.headers["content-security-policy"]).toBe(CSP.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"));
    const app = await world.server.app.inject({ url: "/assets/app-1a2b.js", headers: HTML });
    expect(app.headers["content-security-policy"]).toBe(CSP);
  });

  it.each(["/assets/gone.js", "/.secret", "/../package.json", "/%2e%2e/package.json", "/assets/"])("%s is not there", async (url) => {
    const response = await world.server.app.inject({ url, headers: { ...HTML, accept: "*/*" } });
    expect([url, response.statusCode >= 400]).toEqual([url, true]);
    expect(response.body).not.toContain("hidden");
    expect(Object.keys(response.json())).toEqual(["error"]);
  });

  it.each(["/api/nothing", "/relay/nothing", "/v2/nothing", "/metrics/nothing"])("%s stays JSON even for a browser", async (url) => {
    const response = await world.server.app.inject({ url, headers: { ...HTML, authorization: "Bearer right" } });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ error: expect.any(String) });
  });

  it("says so in a sentence when it has not been built, and is absent when switched off", async () => {
    await using empty = await createApiWorld({ api: { interfaceDir: join(folder.path, "missing") } });
    const page = await empty.server.app.inject({ url: "/", headers: HTML });
    expect(page.statusCode).toBe(503);
    expect(page.body).toContain("has not been built");
    expect((await empty.server.app.inject({ url: "/api/netstats" })).statusCode).toBe(200);
    await using off = await createApiWorld();
    expect((await off.server.app.inject({ url: "/", headers: HTML })).statusCode).toBe(404);
  });
});

describe("the documentation", () => {
  it("serves the document of the table and a page that reads it", async () => {
    await using open = await createApiWorld();
    const document = (await open.server.app.inject("/swagger/openapi.json")).json();
    expect(document).toEqual(createOpenApiDocument());
    expect(document.info).toMatchObject({ title: "Node API", version: "0.4.0" });
    for (const [url, type] of [
      ["/swagger", "text/html"],
      ["/swagger/page.js", "text/javascript"],
      ["/swagger/page.css", "text/css"],
    ] as const) {
      const response = await open.server.app.inject(url);
      expect([url, response.statusCode]).toEqual([url, 200]);
      expect(response.headers["content-type"]).toContain(type);
      expect(response.headers["content-security-policy"]).toContain("script-src 'self';");
    }
  });

  it("is absent when switched off", async () => {
    await using off = await createApiWorld({ api: { servesSwagger: false } });
    for (const url of ["/swagger", "/swagger/openapi.json", "/swagger/page.js"])
      expect((await off.server.app.inject(url)).statusCode).toBe(404);
  });
});
