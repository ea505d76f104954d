// Pages over TLS as a node asks for them, by the request that it makes itself: names of certificates, the address that was checked, the end.
import { readFileSync } from "node:fs";
import type { ClientRequest, RequestListener } from "node:http";
import { createServer, request as requestTls, type Server } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { PageReader } from "#node/duties/pages/page-reader.ts";

const PUBLIC = "93.184.215.14";
/** Of a certificate of page.example that vouches for itself until the year 2120; for this test alone. */
const [KEY, CERTIFICATE] = ["key", "certificate"].map((name) => readFileSync(new URL(`./page-${name}.pem`, import.meta.url), "utf8"));

let server: Server;
let answer: RequestListener;
let looked: unknown[];
let names: (string | boolean | null)[];

beforeAll(async () => {
  server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => answer(request, response));
  server.on("secureConnection", (socket) => names.push(socket.servername));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  looked = [];
  names = [];
  answer = (_, response): void => void response.writeHead(200, { "content-type": "text/html" }).end("<title>Over TLS</title>");
});

/** A reader whose connections lead to the server of the test once it has looked up where they would have. */
function reader({ isTrusted = true, timeoutMs = 8_000 } = {}): PageReader {
  const { port } = server.address() as AddressInfo;
  const send = (address: URL, options: Parameters<typeof requestTls>[1]): ClientRequest => {
    const { lookup, ...rest } = options as { readonly lookup: LookupFunction };
    const here: LookupFunction = (name, how, done) =>
      lookup(name, how, (error, found, family) => {
        looked.push([name, found]);
        if (how.all === true) done(error, [{ address: "127.0.0.1", family: 4 }]);
        else done(error, "127.0.0.1", family);
      });
    return requestTls(address, { ...rest, port, lookup: here, ...(isTrusted && { ca: CERTIFICATE }) });
  };
  return new PageReader({ clock: { monotonicMs: () => 0 }, resolve: () => Promise.resolve([PUBLIC]), send, timeoutMs });
}

const failed = { code: "UPSTREAM_FAILED" };

it("connects to the address that was checked, by the name of the page", async () => {
  expect(await reader().summaryOf("https://page.example/a")).toMatchObject({ title: "Over TLS" });
  expect([looked, names]).toEqual([[["page.example", [{ address: PUBLIC, family: 4 }]]], ["page.example"]]);
});

it("asks nothing where the certificate is of another name, or no one vouches for it", async () => {
  let asked = 0;
  answer = (_, response): void => {
    asked += 1;
    response.end();
  };
  await expect(reader().summaryOf("https://other.example/")).rejects.toMatchObject(failed);
  await expect(reader({ isTrusted: false }).summaryOf("https://page.example/")).rejects.toMatchObject(failed);
  expect(asked).toBe(0);
});

it("is refused a head without an end, and leaves a server that says nothing", async () => {
  answer = (_, response): void => void response.writeHead(200, { "content-type": "text/html", "x-long": "x".repeat(100_000) }).end();
  await expect(reader().summaryOf("https://page.example/")).rejects.toMatchObject(failed);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  answer = ({ socket }): void => void socket.once("close", resolve);
  await expect(reader({ timeoutMs: 300 }).summaryOf("https://page.example/")).rejects.toMatchObject(failed);
  await closed;
});
