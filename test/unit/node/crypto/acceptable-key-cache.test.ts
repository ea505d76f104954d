import { describe, expect, it } from "vitest";
import { AcceptableKeys } from "#node/crypto/acceptable-key-cache.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

const keys = Array.from({ length: 5 }, (_, i) => toHex(ed25519PublicKey(new Uint8Array(32).fill(i + 1))));
const SMALL_ORDER = `01${"00".repeat(31)}`;

describe("AcceptableKeys", () => {
  it("answers as the rule does, however often it is asked and however full it is", () => {
    const cache = new AcceptableKeys(2);
    for (let round = 0; round < 3; round += 1) {
      for (const key of keys) expect(cache.isAcceptable(key)).toBe(true);
      expect(cache.isAcceptable(SMALL_ORDER)).toBe(false);
    }
  });

  it("learns from a signature that its key is a point, which leaves the encoding to check", () => {
    const cache = new AcceptableKeys();
    for (const key of [...keys, SMALL_ORDER]) cache.learnSigner(key);
    expect(keys.map((key) => cache.isAcceptable(key))).toEqual(keys.map(() => true));
    expect(cache.isAcceptable(SMALL_ORDER)).toBe(false);
  });

  it("has unknown keys checked by its caller, once", async () => {
    const cache = new AcceptableKeys();
    const asked: string[] = [];
    const check = (publicKey: Uint8Array): Promise<boolean> => {
      asked.push(toHex(publicKey));
      return Promise.resolve(asked.length > 1);
    };
    const [first, second, third] = keys as [string, string, string];
    cache.isAcceptable(third);
    await cache.learn([first, second, third], check);
    expect(asked).toEqual([first, second]);
    expect(keys.slice(0, 3).map((key) => cache.isAcceptable(key))).toEqual([false, true, true]);
    expect(cache.learn([first, second, third], check)).toBeUndefined();
    await expect(cache.learn([SMALL_ORDER], () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    expect(cache.isAcceptable(SMALL_ORDER)).toBe(false);
  });
});
