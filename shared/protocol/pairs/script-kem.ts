// ML-KEM-768 and X25519 in script: 20 to 60 times slower than native ones.
import { ml_kem768 } from "@noble/post-quantum/ml-kem.js";
import { boxKeyPair, x25519 } from "../mail/envelope.ts";
import type { KemPrimitives, MlKemKey } from "./kem-primitives.ts";

function mlKemKey(seed: Uint8Array): MlKemKey {
  const { secretKey } = ml_kem768.keygen(seed);
  return {
    decapsulate: (ciphertext) => ml_kem768.decapsulate(ciphertext, secretKey),
    wipe: () => void secretKey.fill(0),
  };
}

/** Primitives that run anywhere. */
export const scriptKem: KemPrimitives = {
  mlKemPublicKey: (seed) => {
    const { publicKey, secretKey } = ml_kem768.keygen(seed);
    secretKey.fill(0);
    return publicKey;
  },
  mlKemEncapsulate: (publicKey, message) => {
    const { cipherText, sharedSecret } = ml_kem768.encapsulate(publicKey, message);
    return { ciphertext: cipherText, secret: sharedSecret };
  },
  mlKemDecapsulate: (seed, ciphertext) => {
    const key = mlKemKey(seed);
    const secret = key.decapsulate(ciphertext);
    key.wipe();
    return secret;
  },
  mlKemKey,
  x25519PublicKey: (secretKey) => boxKeyPair(secretKey).publicKey,
  x25519,
};
