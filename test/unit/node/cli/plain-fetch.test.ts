// Requests of commands over plain HTTP, against a real server.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { plainFetch } from "#node/cli/plain-fetch.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";

const REQUEST = { method: "GET", headers: {}, body: undefined, signal: undefined };

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly string[];
}

/** A server with what was asked of it: method, path, headers that matter, body. */
async function serve(answer: RequestListener): Promise<Served> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const { "content-length": length = "-", "transfer-encoding": encoding = "-", authorization = "-" } = request.headers;
    requests.push([request.method, request.url, length, encoding, authorization, body].join(" "));
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk as string;
  return body;
}

describe("plainFetch", () => {
  it("sends method, headers and body, and reads status and text", async () => {
    await using server = await serve((_, response) => response.writeHead(201).end("grün".repeat(50_000)));
    const got = await plainFetch(`${server.url}/a?b=c`, { ...REQUEST, headers: { authorization: "Bearer x" } });
    expect(got.status).toBe(201);
    await expect(got.text()).resolves.toBe("grün".repeat(50_000));
    await (await plainFetch(`${server.url}/p`, { ...REQUEST, method: "POST", body: '{"a":"ä"}' })).text();
    await (await plainFetch(`${server.url}/d`, { ...REQUEST, method: "DELETE" })).text();
    expect(server.requests).toEqual(["GET /a?b=c - - Bearer x ", 'POST /p 10 - - {"a":"ä"}', "DELETE /d - - - "]);
  });

  it("fails where fetch does: no server, an answer that breaks off, a signal", async () => {
    const { url } = await serveOnce();
    await expect(plainFetch(url, REQUEST)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await using server = await serve((request, response) => {
      if (request.url === "/silent") return;
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.destroy());
    });
    const got = await plainFetch(server.url, REQUEST);
    await expect(got.text()).rejects.toThrow("aborted");
    const controller = new AbortController();
    const silent = plainFetch(`${server.url}/silent`, { ...REQUEST, signal: controller.signal });
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    controller.abort();
    await expect(silent).rejects.toMatchObject({ name: "AbortError" });
  });

  it("fails where a server changes to another protocol", async () => {
    await using server = await serve((_, response) => response.writeHead(101, { connection: "upgrade", upgrade: "other" }).end());
    await expect(plainFetch(server.url, REQUEST)).rejects.toThrow("sent no answer");
  });

  it("goes through the proxy of the environment where the runtime's fetch does", async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer((_, response) => response.end()).on("connect", ({ url }, socket) => {
      asked.push(url);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const program = `
      const { plainFetch } = await import(${JSON.stringify(join(projectRoot, "node/cli/plain-fetch.ts"))});
      await plainFetch("http://node.invalid:7000/api", ${JSON.stringify(REQUEST)}).catch(() => undefined);`;
    const http = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { ...process.env, NODE_USE_ENV_PROXY: "1", HTTP_PROXY: http, http_proxy: http, NO_PROXY: "", no_proxy: "" };
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { env, cwd: projectRoot });
    expect(asked).toEqual(["node.invalid:7000"]);
    await once(proxy.close(), "close");
  });

  it("follows a redirection as fetch does", async () => {
    await using server = await serve((request, response) => {
      if (request.url === "/there") response.end("here it is");
      else response.writeHead(308, { location: "/there" }).end();
    });
    const got = await plainFetch(`${server.url}/old`, { ...REQUEST, method: "POST", body: "x" });
    await expect(got.text()).resolves.toBe("here it is");
    expect(server.requests.at(-1)).toBe("POST /there 1 - - x");
  });
});

/** The address of a server that is gone. */
async function serveOnce(): Promise<{ readonly url: string }> {
  await using server = await serve((_, response) => response.end());
  return { url: server.url };
}
