// Rates from a source that the owner names: what is asked, how often, and what never is.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ASK_AGAIN_MS, MAX_ANSWER_BYTES, MAX_SOURCES, numberAt, RateSource, REMEMBER_MS } from "#node/duties/rate-source.ts";

let server: Server;
let base: string;
let asked: string[];
let answer: RequestListener;
let nowMs: number;

const source = (resolve?: (name: string) => Promise<readonly string[]>): RateSource =>
  new RateSource({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs }, ...(resolve && { resolve }) });

beforeEach(async () => {
  asked = [];
  nowMs = 1_800_000_000_000;
  answer = (_, response): void => void response.end('{"rates":{"EUR":2.5}}');
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ""}${request.headers.cookie ?? ""}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe("a source of rates", () => {
  it("is asked once in five minutes, however it answers, and for all paths together", async () => {
    const rates = source();
    const place = { url: `${base}/all?base=T#top`, path: "rates.EUR" };
    expect(await Promise.all([rates.rateAt(place), rates.rateAt(place)])).toEqual([
      { rate: 2.5, atMs: nowMs },
      { rate: 2.5, atMs: nowMs },
    ]);
    await expect(rates.rateAt({ ...place, path: "rates.USD" })).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    nowMs += ASK_AGAIN_MS - 1;
    expect(await rates.rateAt(place)).toEqual({ rate: 2.5, atMs: nowMs - ASK_AGAIN_MS + 1 });
    expect(asked).toEqual(["/all?base=T "]);
    nowMs += 1;
    answer = (_, response): void => void response.writeHead(500).end();
    for (let time = 0; time < 2; time += 1) await expect(rates.rateAt(place)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(asked).toHaveLength(2);
  });

  it("is one of few: others wait", async () => {
    const rates = source();
    for (let number = 0; number < MAX_SOURCES; number += 1) await rates.rateAt({ url: `${base}/${number}`, path: "rates.EUR" });
    const another = { url: `${base}/another`, path: "rates.EUR" };
    nowMs += REMEMBER_MS - 1;
    await expect(rates.rateAt(another)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(asked).toHaveLength(MAX_SOURCES);
    nowMs += 1;
    expect(await rates.rateAt(another)).toMatchObject({ rate: 2.5 });
  });

  it.each<readonly [string, RequestListener]>([
    [
      "leads elsewhere",
      ({ url }, response): void => {
        if (url === "/other") response.end('{"rates":{"EUR":2.5}}');
        else response.writeHead(302, { location: "/other" }).end();
      },
    ],
    ["answers with too much", (_, response): void => void response.end(`"${"x".repeat(MAX_ANSWER_BYTES)}"`)],
    ["answers in another form", (_, response): void => void response.end("<html>")],
    ["breaks off", (request): void => void request.socket.destroy()],
    ["switches protocols", ({ socket }): void => void socket.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n")],
  ])("gives no rate where it %s", async (_, listener) => {
    answer = listener;
    await expect(source().rateAt({ url: base, path: "rates.EUR" })).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(asked).toHaveLength(1);
  });

  it.each([
    "http://rates.example/",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "https://user:password@rates.example/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://0x0a000001/",
    "http://0.0.0.0/",
    "http://127.0.0.1.example/",
    "rates.example",
  ])("is never %s", async (url) => {
    await expect(source().rateAt({ url, path: "a" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it.each([
    ["https://rates.example/", ["10.0.0.1"]],
    ["https://rates.example/", ["93.184.215.14", "127.0.0.1"]],
    ["https://rates.example/", ["::ffff:192.168.0.1"]],
    ["https://rates.example/", []],
    ["http://localhost/", ["10.0.0.1"]],
  ])("is not connected to where the name of %s leads to %j", async (url, addresses) => {
    const names: string[] = [];
    const rates = source((name) => {
      names.push(name);
      return Promise.resolve(addresses);
    });
    const refused = { code: "UPSTREAM_FAILED", cause: { message: "The name of the source leads into a private network" } };
    await expect(rates.rateAt({ url, path: "a" })).rejects.toMatchObject(refused);
    expect(names).toEqual([new URL(url).hostname]);
  });

  it("may be on this machine by its name", async () => {
    const url = base.replace("127.0.0.1", "localhost");
    expect(await source(() => Promise.resolve(["127.0.0.1"])).rateAt({ url, path: "rates.EUR" })).toMatchObject({ rate: 2.5 });
  });
});

describe("the number of a rate", () => {
  it.each<readonly [unknown, string, number | undefined]>([
    [{ a: [{ b: 2 }] }, "a.0.b", 2],
    [{ a: "12.50" }, "a", 12.5],
    [{ a: "1e5" }, "a", undefined],
    [{ a: 0 }, "a", undefined],
    [{ a: -1 }, "a", undefined],
    [{ a: 1e13 }, "a", undefined],
    [{ a: null }, "a.b", undefined],
    [{ a: 1 }, "constructor.length", undefined],
    [{ a: 1 }, "__proto__", undefined],
    [[1], "length", undefined],
    [3, "", undefined],
  ])("in %j at %s is %s", (value, path, expected) => expect(numberAt(value, path)).toBe(expected));
});
