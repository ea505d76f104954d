import { describe, expect, it } from "vitest";
import { createAcceptableKeyCache } from "#node/crypto/acceptable-key-cache.ts";
import { ed25519PublicKey } from "#shared/protocol/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

const keys = Array.from({ length: 5 }, (_, i) => toHex(ed25519PublicKey(new Uint8Array(32).fill(i + 1))));
const SMALL_ORDER = `01${"00".repeat(31)}`;

describe("the cache of acceptable keys", () => {
  it("answers as the rule does, however often it is asked and however full it is", () => {
    const isAcceptable = createAcceptableKeyCache(2);
    for (let round = 0; round < 3; round += 1) {
      for (const key of keys) expect(isAcceptable(key)).toBe(true);
      expect(isAcceptable(SMALL_ORDER)).toBe(false);
    }
  });
});
