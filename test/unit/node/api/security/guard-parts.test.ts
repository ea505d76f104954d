// The pieces of the access guard, one by one.

import Type from "typebox";
import { describe, expect, it } from "vitest";
import { createUrlFieldReader } from "#node/api/http/url-fields.ts";
import { addressGroup, isLocalRequest, isLoopbackAddress } from "#node/api/security/client-address.ts";
import { createHostCheck } from "#node/api/security/host-check.ts";
import { createOriginCheck } from "#node/api/security/origin-check.ts";
import { RateLimiter } from "#node/api/security/rate-limiter.ts";
import { bearerToken, createTokenCheck } from "#node/api/security/token-check.ts";
import { limitQuery } from "#shared/api/endpoint.ts";

describe("client address", () => {
  it.each([
    ["127.0.0.1", true],
    ["127.9.9.9", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["192.168.1.5", false],
    ["::ffff:10.0.0.1", false],
    ["fe80::1", false],
    ["127.0.0.1.evil", false],
  ])("%s is loopback: %s", (address, expected) => expect(isLoopbackAddress(address)).toBe(expected));

  it("what a proxy on this machine passes on is not local", () => {
    expect(isLocalRequest({ ip: "127.0.0.1", headers: {} })).toBe(true);
    expect(isLocalRequest({ ip: "127.0.0.1", headers: { "x-forwarded-for": "1.2.3.4" } })).toBe(false);
    expect(isLocalRequest({ ip: "127.0.0.1", headers: { forwarded: "for=1.2.3.4" } })).toBe(false);
  });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::6", "2001:db8:1:2"],
    ["2001:db8::6", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::", "fe80:0:0:0"],
  ])("%s counts as %s", (address, group) => expect(addressGroup(address)).toBe(group));
});

describe("host check", () => {
  const names: readonly (readonly [string | undefined, boolean, boolean])[] = [
    ["localhost", true, true],
    ["LOCALHOST:8080", true, true],
    ["127.0.0.1:8080", true, true],
    ["127.1.2.3", true, true],
    ["[::1]:8080", true, true],
    ["node.example", true, true],
    ["node.example:444", true, true],
    ["192.168.1.5:8080", false, true],
    ["[fe80::1]", false, true],
    ["evil.example", false, false],
    ["localhost.evil.example", false, false],
    ["127.0.0.1.evil.example", false, false],
    ["evil.example:8080", false, false],
    ["localhost:8080@evil.example", false, false],
    ["", false, false],
    ["local host", false, false],
    [undefined, false, false],
  ];
  const onLoopback = createHostCheck({ listenHost: "127.0.0.1", allowedHosts: ["Node.Example:443"] });
  const onAll = createHostCheck({ listenHost: "::", allowedHosts: ["node.example"] });

  it.each(names)("%s: on loopback %s, on all interfaces %s", (host, loopback, all) => {
    for (const _ of ["first", "remembered"]) expect([onLoopback(host), onAll(host)]).toEqual([loopback, all]);
  });

  it("answers to the host it listens on", () => {
    expect(createHostCheck({ listenHost: "192.168.1.5", allowedHosts: [] })("192.168.1.5:8080")).toBe(true);
    expect(createHostCheck({ listenHost: "fd00::5", allowedHosts: [] })("[fd00::5]:8080")).toBe(true);
    expect(createHostCheck({ listenHost: "192.168.1.5", allowedHosts: [] })("192.168.1.6:8080")).toBe(false);
  });
});

describe("origin check", () => {
  const requestOrigin = createOriginCheck(["https://Wallet.example/"]);
  it.each([
    [undefined, "none"],
    ["http://localhost:8080", "own"],
    ["https://LOCALHOST:8080", "own"],
    ["http://localhost:8081", "foreign"],
    ["http://localhost", "foreign"],
    ["https://wallet.example", "allowed"],
    ["http://wallet.example", "foreign"],
    ["https://wallet.example.evil", "foreign"],
    ["null", "foreign"],
    ["", "foreign"],
  ])("%s is %s", (origin, expected) => expect(requestOrigin(origin, "localhost:8080")).toBe(expected));
});

describe("token", () => {
  it("passes the right one only", () => {
    const check = createTokenCheck("secret");
    expect(["secret", "Secret", "secre", "secrets", "", undefined].map(check)).toEqual([true, false, false, false, false, false]);
    expect(createTokenCheck(undefined)(undefined)).toBe(true);
  });

  it.each([
    ["Bearer abc", "abc"],
    ["bearer  abc ", "abc"],
    ["Basic abc", undefined],
    ["Bearer", undefined],
    ["Bearer a b", undefined],
    [undefined, undefined],
  ])("of %j is %j", (header, token) => expect(bearerToken(header)).toBe(token));
});

describe("rate limiter", () => {
  const limits = { requestsPerSecond: 10, requestBurst: 3, rateEntries: 2 };

  it("gives a burst, then the rate, by address", () => {
    let nowMs = 0;
    const limiter = new RateLimiter(limits, { nowMs: () => 0, monotonicMs: () => nowMs });
    expect([1, 2, 3, 4].map(() => limiter.take("a"))).toEqual([0, 0, 0, 100]);
    expect(limiter.take("b")).toBe(0);
    nowMs = 100;
    expect([limiter.take("a"), limiter.take("a")]).toEqual([0, 100]);
    nowMs = 1_000_000;
    expect([1, 2, 3, 4].map(() => limiter.take("a"))).toEqual([0, 0, 0, 100]);
  });

  it("forgets the address that was away longest", () => {
    const limiter = new RateLimiter(limits, { nowMs: () => 0, monotonicMs: () => 0 });
    for (let i = 0; i < 4; i += 1) limiter.take("a");
    limiter.take("b");
    expect(limiter.take("a")).toBeGreaterThan(0);
    limiter.take("c");
    expect(limiter.take("a")).toBeGreaterThan(0);
    limiter.take("b");
    limiter.take("c");
    expect(limiter.take("a")).toBe(0);
  });
});

describe("a full table of rates", () => {
  it("forgets no address when one of those in it comes again", () => {
    const limiter = new RateLimiter({ requestsPerSecond: 10, requestBurst: 3, rateEntries: 2 }, { nowMs: () => 0, monotonicMs: () => 0 });
    for (let i = 0; i < 3; i += 1) limiter.take("a");
    limiter.take("b");
    limiter.take("b");
    expect(limiter.take("a")).toBeGreaterThan(0);
  });
});

describe("fields of a URL", () => {
  const read = createUrlFieldReader(Type.Object({ limit: limitQuery(5, 10), height: Type.Integer(), name: Type.String() }));
  it("turns integers into numbers and cuts them, and leaves the rest", () => {
    expect(read({ limit: "7", height: "-3", name: "12" })).toEqual({ limit: 7, height: -3, name: "12" });
    expect(read({ limit: "70", height: "99999999999999999999" })).toEqual({ limit: 10, height: Number.MAX_SAFE_INTEGER });
    expect(read({ limit: "7 ", height: "0x1", name: "" })).toEqual({ limit: "7 ", height: "0x1", name: "" });
    expect(read({ limit: ["1", "2"] })).toEqual({ limit: ["1", "2"] });
  });
});
