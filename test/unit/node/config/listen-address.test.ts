import { describe, expect, it } from "vitest";
import { isLoopback, localUrl, parseListenAddress } from "#node/config/listen-address.ts";

describe("parseListenAddress", () => {
  it.each([
    ["127.0.0.1:8080", { host: "127.0.0.1", port: 8080 }, "http://127.0.0.1:8080", true],
    [":8080", { host: "::", port: 8080 }, "http://127.0.0.1:8080", false],
    ["0.0.0.0:1", { host: "0.0.0.0", port: 1 }, "http://127.0.0.1:1", false],
    ["[::1]:65535", { host: "::1", port: 65535 }, "http://[::1]:65535", true],
    ["localhost:0", { host: "localhost", port: 0 }, "http://localhost:0", true],
    ["node.example:80", { host: "node.example", port: 80 }, "http://node.example:80", false],
  ])("reads %s", (text, address, url, loopback) => {
    expect(parseListenAddress(text)).toEqual(address);
    expect(localUrl(address)).toBe(url);
    expect(isLoopback(address)).toBe(loopback);
  });

  it.each(["", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "http://a:80", "a b:80", "[::1:80"])(
    "refuses %j",
    (text) => {
      expect(() => parseListenAddress(text)).toThrow(/is not an address to listen on: write host:port/);
    },
  );
});
