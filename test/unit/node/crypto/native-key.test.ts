// Keys by the runtime's library are those of the portable one.
import { sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nativePrivateKey, nativePublicKey } from "#node/crypto/native-key.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";

describe("native keys", () => {
  it("have the public keys and the signatures of the portable library", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        expect(nativePublicKey(seed)).toBe(toHex(ed25519PublicKey(seed)));
        expect(toHex(sign(null, utf8("hi"), nativePrivateKey(seed)))).toBe(toHex(signEd25519(utf8("hi"), seed)));
      }),
      { seed: 1, numRuns: 20 },
    );
  });
});
