// Ciphers of connections: the same bytes as the library's own, for every length, and nothing is taken that was changed.
import { defaultCrypto } from "@libp2p/noise/crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNoiseCrypto } from "#node/network/libp2p/noise-crypto.ts";

const length = fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 505, max: 530 }));
const exactly = (bytes: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: bytes, maxLength: bytes });
// What goes with a message is the hash of the handshake or nothing: the library's own code has no room for more.
const ad = fc.uint8Array({ maxLength: 32 });
const message = fc.record({ length, fill: fc.nat(255), key: exactly(32), nonce: exactly(12), ad });

describe("createNoiseCrypto", () => {
  const own = createNoiseCrypto();

  it("agrees with the library in both directions", () => {
    fc.assert(
      fc.property(message, ({ length: bytes, fill, key, nonce, ad }) => {
        const plaintext = new Uint8Array(bytes).fill(fill);
        const sealed = Uint8Array.from(own.chaCha20Poly1305Encrypt(plaintext, nonce, ad, key).subarray());
        const theirs = Uint8Array.from(defaultCrypto.chaCha20Poly1305Encrypt(plaintext, nonce, ad, key).subarray());
        expect(Buffer.compare(sealed, theirs)).toBe(0);
        expect(Buffer.compare(own.chaCha20Poly1305Decrypt(theirs, nonce, ad, key).subarray(), plaintext)).toBe(0);
        expect(Buffer.compare(defaultCrypto.chaCha20Poly1305Decrypt(sealed, nonce, ad, key).subarray(), plaintext)).toBe(0);
      }),
      { seed: 6, numRuns: 150 },
    );
  });

  it.each([100, 5_000])("refuses %i bytes when one of them, the nonce, the key or what goes with them is another", (bytes) => {
    const [key, nonce, ad] = [new Uint8Array(32).fill(1), new Uint8Array(12).fill(2), new Uint8Array(8).fill(3)];
    const sealed = Uint8Array.from(own.chaCha20Poly1305Encrypt(new Uint8Array(bytes), nonce, ad, key).subarray());
    const open = (text: Uint8Array, n: Uint8Array, a: Uint8Array, k: Uint8Array): unknown =>
      own.chaCha20Poly1305Decrypt(Uint8Array.from(text), n, a, k);
    expect(() => open(sealed, nonce, ad, key)).not.toThrow();
    for (const at of [0, bytes - 1, bytes, bytes + 15])
      expect(() => open(sealed.with(at, (sealed[at] ?? 0) ^ 1), nonce, ad, key)).toThrow();
    expect(() => open(sealed, nonce.with(0, 9), ad, key)).toThrow();
    expect(() => open(sealed, nonce, ad.with(0, 9), key)).toThrow();
    expect(() => open(sealed, nonce, ad, key.with(0, 9))).toThrow();
    expect(() => open(sealed.subarray(0, -1), nonce, ad, key)).toThrow();
  });
});
