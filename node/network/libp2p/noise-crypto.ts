// Noise with keys that the runtime has read: given as bytes, it finds out what they are by way of an error with its stack, which costs more
// than encrypting a small message. Short messages stay with the library's own code, which is faster for them.
import { createCipheriv, createDecipheriv, createSecretKey, getCipherInfo, type KeyObject } from "node:crypto";
import type { noise } from "@libp2p/noise";
import { defaultCrypto } from "@libp2p/noise/crypto";

/** The cryptography that noise can be given. */
export type NoiseCrypto = NonNullable<NonNullable<Parameters<typeof noise>[0]>["crypto"]>;

type Sealed = ReturnType<NoiseCrypto["chaCha20Poly1305Encrypt"]>;

const CIPHER = "chacha20-poly1305";
const TAG = { authTagLength: 16 } as const;
/** Messages below this are faster with the library's code in WebAssembly, bytes. */
const SHORT_BYTES = 512;

/** The library's own cryptography, with the runtime's cipher where it has one: Electron's runtime does not. */
export function createNoiseCrypto(): NoiseCrypto {
  return getCipherInfo(CIPHER) === undefined ? defaultCrypto : { ...defaultCrypto, ...ciphers() };
}

function ciphers(): Pick<NoiseCrypto, "chaCha20Poly1305Encrypt" | "chaCha20Poly1305Decrypt"> {
  const keys = new WeakMap<Uint8Array, KeyObject>();
  const keyOf = (bytes: Uint8Array): KeyObject => {
    const known = keys.get(bytes);
    if (known !== undefined) return known;
    const key = createSecretKey(bytes);
    keys.set(bytes, key);
    return key;
  };
  return {
    chaCha20Poly1305Encrypt: (plaintext, nonce, ad, key): Sealed => {
      if (plaintext.byteLength < SHORT_BYTES) return defaultCrypto.chaCha20Poly1305Encrypt(plaintext, nonce, ad, key);
      const cipher = createCipheriv(CIPHER, keyOf(key), nonce, TAG);
      cipher.setAAD(ad, { plaintextLength: plaintext.byteLength });
      const encrypted = cipher.update(plaintext.subarray());
      // A stream cipher: nothing is left for the end but the tag.
      cipher.final();
      return Buffer.concat([encrypted, cipher.getAuthTag()]);
    },
    chaCha20Poly1305Decrypt: (ciphertext, nonce, ad, key): Sealed => {
      if (ciphertext.byteLength < SHORT_BYTES) return defaultCrypto.chaCha20Poly1305Decrypt(ciphertext, nonce, ad, key);
      const bytes = ciphertext.subarray();
      const end = bytes.length - TAG.authTagLength;
      const decipher = createDecipheriv(CIPHER, keyOf(key), nonce, TAG);
      decipher.setAAD(ad, { plaintextLength: end });
      decipher.setAuthTag(bytes.subarray(end));
      const decrypted = decipher.update(bytes.subarray(0, end));
      decipher.final();
      return decrypted;
    },
  };
}
