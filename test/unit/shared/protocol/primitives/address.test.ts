import { bech32, bech32m } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAddress, parseAccount, parseAddress } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";

const KEY = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const ADDRESS = "pl132yw8ht5p8cetl2jmvknewjawt9xwzdlrk2pyxlnwjyqrdq0dawqdjnfds";

describe("addresses", () => {
  it("take the key there and back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const address = formatAddress(toHex(key));
        expect(address).toMatch(/^pl1.{58}$/);
        expect(parseAddress(address)).toBe(toHex(key));
      }),
      { seed: 1 },
    );
  });

  it("are written as the library writes them, of keys in either case", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const expected = bech32m.encodeFromBytes("pl", key);
        expect([formatAddress(toHex(key)), formatAddress(toHex(key).toUpperCase())]).toEqual([expected, expected]);
      }),
      { seed: 2, examples: [[new Uint8Array(32)], [new Uint8Array(32).fill(255)]] },
    );
  });

  it("are written of keys only", () => {
    for (const text of [
      "",
      KEY.slice(1),
      `${KEY}0`,
      KEY.replace("8", "g"),
      KEY.replace("8", "é"),
      KEY.replace("8", "/"),
      KEY.replace("8", "@"),
    ])
      expect(() => formatAddress(text)).toThrow("A public key");
  });

  it("a wrong character anywhere is noticed", () => {
    for (let at = 3; at < ADDRESS.length; at += 1) {
      const other = ADDRESS[at] === "q" ? "p" : "q";
      expect(parseAddress(ADDRESS.slice(0, at) + other + ADDRESS.slice(at + 1))).toBeUndefined();
    }
  });

  it("other networks, other lengths and plain bech32 are refused", () => {
    const key = new Uint8Array(32);
    for (const text of [
      bech32m.encodeFromBytes("pk", key),
      bech32m.encodeFromBytes("pl", key.subarray(1)),
      bech32.encodeFromBytes("pl", key),
      "",
      "pl1",
    ])
      expect(parseAddress(text)).toBeUndefined();
  });

  it("an account is an address or a key, in either case but not mixed", () => {
    for (const text of [ADDRESS, ADDRESS.toUpperCase(), KEY, KEY.toUpperCase()]) expect(parseAccount(text)).toBe(KEY);
    for (const text of [ADDRESS.replace("d", "D"), KEY.slice(1), "@alice", ""])
      expect(() => parseAccount(text)).toThrow("neither an address");
  });
});
