// Pages that a node reads for its owner: what is asked, how often, how long, and what never is.
import { type ClientRequest, createServer, type RequestListener, request as requestPlain, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  MAX_AT_ONCE,
  MAX_PAGE_BYTES,
  MAX_PAGE_PICTURE_BYTES,
  MAX_PAGES,
  PAGES_MS,
  PageReader,
  type PageReaderOptions,
} from "#node/duties/pages/page-reader.ts";
import { MAX_REDIRECTS } from "#node/duties/pages/public-pages.ts";
import { MAX_LINK_BYTES } from "#shared/content/chat/link-preview.ts";
import { fromBase64 } from "#shared/util/bytes.ts";

const PUBLIC = "93.184.215.14";
/** One transparent pixel. */
const PIXEL = fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==");
const PAGE = '<title>A page</title><meta name="description" content="About it"><meta property="og:image" content="/p.png">';

let server: Server;
let asked: string[];
let connected: unknown[];
let answer: RequestListener;
let nowMs: number;

/** A reader whose connections all go to the server of the test; its names lead to a public address unless said otherwise. */
function reader(options: Partial<PageReaderOptions> = {}): PageReader {
  return new PageReader({
    clock: { monotonicMs: () => nowMs },
    resolve: () => Promise.resolve([PUBLIC]),
    send: (address, { lookup, ...rest }): ClientRequest => {
      lookup?.(address.hostname, { all: true }, (_, found) => connected.push(found));
      const { port } = server.address() as AddressInfo;
      const headers = { ...(rest.headers as object), host: address.host };
      return requestPlain(`http://127.0.0.1:${port}${address.pathname}${address.search}`, { ...rest, headers });
    },
    ...options,
  });
}

const html = (response: Parameters<RequestListener>[1], text: string): void =>
  void response.writeHead(200, { "content-type": "text/html" }).end(text);

beforeEach(async () => {
  asked = [];
  connected = [];
  nowMs = 0;
  answer = ({ url }, response): void => {
    if (url === "/p.png") response.writeHead(200, { "content-type": "image/png" }).end(PIXEL);
    else html(response, PAGE);
  };
  server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url} ${request.headers.authorization ?? ""}${request.headers.cookie ?? ""}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const failed = { code: "UPSTREAM_FAILED" };

describe("a page", () => {
  it("is read with its picture, without a word of who asks, at the addresses that were checked", async () => {
    const summary = await reader().summaryOf("https://page.example/a?b=c#part");
    expect(summary).toEqual({ title: "A page", description: "About it", picture: PIXEL });
    expect(asked).toEqual(["page.example/a?b=c ", "page.example/p.png "]);
    expect(connected).toEqual(Array.from({ length: 2 }, () => [{ address: PUBLIC, family: 4 }]));
  });

  it.each([
    "http://page.example/",
    "ftp://page.example/",
    "file:///etc/passwd",
    "parley:pay?to=x",
    "https://user:password@page.example/",
    "https://page.example:8443/",
    "https://93.184.215.14/",
    "https://10.0.0.1/",
    "https://0x7f000001/",
    "https://127.1/",
    "https://[::1]/",
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/",
    "https://localhost/",
    "https://a.localhost/",
    "https://page.example./",
    "https://router/",
    "https://nas.local/",
    "https://wiki.internal/",
    "https://duskgytldkxiuqc6.onion/",
    "https://ｌｏｃａｌｈｏｓｔ/",
    `https://page.example/${"x".repeat(MAX_LINK_BYTES)}`,
    "page.example",
  ])("is never asked for at %s", async (url) => {
    const names: string[] = [];
    const resolve = (name: string): Promise<readonly string[]> => Promise.resolve([names.push(name), PUBLIC].slice(1).map(String));
    await expect(reader({ resolve }).summaryOf(url)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect([names, asked]).toEqual([[], []]);
  });

  it.each([[["10.0.0.1"]], [[PUBLIC, "127.0.0.1"]], [["::ffff:192.168.0.1"]], [["169.254.169.254"]], [["fd00::1"]], [[]]])(
    "is not connected to where its name leads to %j",
    async (addresses) => {
      await expect(reader({ resolve: () => Promise.resolve(addresses) }).summaryOf("https://page.example/")).rejects.toMatchObject(failed);
      expect(asked).toEqual([]);
    },
  );

  it("says that it knows no such name", async () => {
    const unknown = { code: "UPSTREAM_FAILED", message: "The name of the page is not known" };
    await expect(reader({ resolve: () => Promise.resolve([]) }).summaryOf("https://page.example/")).rejects.toMatchObject(unknown);
  });

  it("is followed a few times, each checked like the first", async () => {
    answer = ({ url }, response): void => {
      const hop = Number((url ?? "").slice(1));
      if (hop === 0) html(response, "<title>Found</title>");
      else response.writeHead(302, { location: `https://hop${hop}.example/${hop - 1}` }).end();
    };
    expect(await reader().summaryOf(`https://page.example/${MAX_REDIRECTS}`)).toMatchObject({ title: "Found", picture: undefined });
    await expect(reader().summaryOf(`https://page.example/${MAX_REDIRECTS + 1}`)).rejects.toMatchObject(failed);
  });

  it.each([
    "http://page.example/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://page.example:22/",
    "https://home.example/",
    "//10.0.0.1/",
    "file:///etc/passwd",
    "data:text/html,<title>x</title>",
    "https://",
  ])("is not followed to %j", async (location) => {
    answer = ({ url }, response): void => {
      if (url === "/a") response.writeHead(302, { location }).end();
      else html(response, PAGE);
    };
    const resolve = (name: string): Promise<readonly string[]> => Promise.resolve([name === "home.example" ? "192.168.1.1" : PUBLIC]);
    await expect(reader({ resolve }).summaryOf("https://page.example/a")).rejects.toMatchObject(failed);
    expect(asked).toHaveLength(1);
  });

  it.each<readonly [string, RequestListener]>([
    ["answers that it is not there", (_, response): void => void response.writeHead(404, { "content-type": "text/html" }).end(PAGE)],
    ["is no page", (_, response): void => void response.writeHead(200, { "content-type": "application/json" }).end(PAGE)],
    ["says not what it is", (_, response): void => html(response, "<p>Hello</p>")],
    [
      "is packed, as what was asked for is not",
      (_, response): void => void response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(PAGE),
    ],
    ["breaks off", (request): void => void request.socket.destroy()],
    [
      "breaks off in its middle",
      ({ socket }, response): void => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "1000000" });
        response.write(PAGE, () => socket.destroy());
      },
    ],
    ["switches protocols", ({ socket }): void => void socket.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n")],
  ])("has no preview where it %s", async (_, listener) => {
    answer = listener;
    await expect(reader().summaryOf("https://page.example/")).rejects.toMatchObject(failed);
    expect(asked).toHaveLength(1);
  });

  it("that drips is left at the end of its time", async () => {
    let left: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => {
      left = resolve;
    });
    answer = (_, response): void => {
      response.writeHead(200, { "content-type": "text/html" });
      const drip = setInterval(() => response.write(" "), 5);
      response.once("close", () => {
        clearInterval(drip);
        left?.();
      });
    };
    await expect(reader({ timeoutMs: 100 }).summaryOf("https://page.example/")).rejects.toMatchObject(failed);
    await closed;
    await expect(
      reader({ timeoutMs: 50, resolve: () => new Promise(() => undefined) }).summaryOf("https://page.example/"),
    ).rejects.toMatchObject(failed);
  });

  it("without an end is read at its beginning", async () => {
    answer = (_, response): void => html(response, `<title>Endless</title>${"x".repeat(2 * MAX_PAGE_BYTES)}`);
    expect(await reader().summaryOf("https://page.example/")).toMatchObject({ title: "Endless" });
    answer = (_, response): void => html(response, `${" ".repeat(MAX_PAGE_BYTES)}<title>Too late</title>`);
    await expect(reader().summaryOf("https://page.example/")).rejects.toMatchObject(failed);
  });

  it.each<readonly [string, string, Uint8Array | string]>([
    ["of another kind", "text/html", PIXEL],
    ["that is none", "image/png", "<svg/>"],
    ["that is too large", "image/png", Buffer.concat([PIXEL, Buffer.alloc(MAX_PAGE_PICTURE_BYTES)])],
    [
      "whose pixels are too many",
      "image/png",
      Uint8Array.from(PIXEL, (byte, at) => (at === 16 || at === 20 ? 0 : at === 18 || at === 22 ? 0x40 : byte)),
    ],
  ])("has a preview without a picture %s", async (_, type, bytes) => {
    answer = ({ url }, response): void => {
      if (url === "/p.png") response.writeHead(200, { "content-type": type }).end(bytes);
      else html(response, PAGE);
    };
    expect(await reader().summaryOf("https://page.example/")).toEqual({ title: "A page", description: "About it", picture: undefined });
    expect(asked).toHaveLength(2);
  });

  it("has a preview without a picture that lies in a private network", async () => {
    answer = (_, response): void => html(response, '<title>A page</title><meta property="og:image" content="https://192.168.1.1/admin">');
    expect(await reader().summaryOf("https://page.example/")).toMatchObject({ picture: undefined });
    expect(asked).toEqual(["page.example/ "]);
  });

  it("is one of few, and of very few at once", async () => {
    const pages = reader();
    for (let number = 0; number < MAX_PAGES; number += 1) await pages.summaryOf("https://page.example/");
    nowMs = PAGES_MS - 1;
    await expect(pages.summaryOf("https://page.example/")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    nowMs += 1;
    const several = Array.from({ length: MAX_AT_ONCE + 1 }, () => pages.summaryOf("https://page.example/"));
    expect((await Promise.allSettled(several)).map(({ status }) => status)).toEqual([
      ...Array.from({ length: MAX_AT_ONCE }, () => "fulfilled"),
      "rejected",
    ]);
  });
});
