import { describe, expect, it } from "vitest";
import { httpRequest, parseResponse } from "../../bench/load/raw-http.ts";

const SIZED = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";
const CHUNKED = "HTTP/1.1 503 No\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";

describe("parseAnswer", () => {
  it("reads a body of a known length and leaves what follows", () => {
    const bytes = Buffer.from(`${SIZED}tö!HTTP/1.1`);
    expect(parseResponse(bytes)).toEqual({ status: 200, body: "tö!", length: SIZED.length + 4 });
  });

  it("joins chunks", () => {
    expect(parseResponse(Buffer.from(`${CHUNKED}x`))).toEqual({ status: 503, body: "abc0123456789", length: CHUNKED.length });
  });

  it.each([`${SIZED}text`, CHUNKED])("waits for every byte of %j", (text) => {
    for (let length = 0; length < text.length; length += 1) expect(parseResponse(Buffer.from(text.slice(0, length)))).toBeUndefined();
    expect(parseResponse(Buffer.from(text))?.length).toBe(text.length);
  });

  it("takes a response without a body", () => {
    expect(parseResponse(Buffer.from("HTTP/1.1 204 No Content\r\n\r\n"))).toMatchObject({ status: 204, body: "" });
  });

  it("refuses another protocol", () => {
    expect(() => parseResponse(Buffer.from("SSH-2.0\r\n\r\n"))).toThrow("HTTP/1.1");
  });
});

describe("httpRequest", () => {
  it("counts bytes, not characters", () => {
    expect(httpRequest("POST", "/a", '"ö"').toString()).toMatch(/^POST \/a HTTP\/1\.1\r\n(.+\r\n)*content-length: 4\r\n\r\n"ö"$/);
    expect(httpRequest("GET", "/a").toString()).toBe("GET /a HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  });
});
