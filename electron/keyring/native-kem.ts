// ML-KEM-768 and X25519 of the runtime's OpenSSL, for the processes that hold a keyring. Keys come and go as DER: a fixed head, then the key.
// What older runtimes lack is a property that is not there: a name that is imported would end the process.
import crypto, { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";

/** PKCS #8 of an ML-KEM-768 seed (RFC 9935: the choice `seed`). */
const ML_KEM_SECRET = Buffer.from("3054020100300b060960864801650304040204428040", "hex");
/** SubjectPublicKeyInfo of an ML-KEM-768 key. */
const ML_KEM_PUBLIC = Buffer.from("308204b2300b0609608648016503040402038204a100", "hex");
/** PKCS #8 and SubjectPublicKeyInfo of X25519 (RFC 8410). */
const X25519_SECRET = Buffer.from("302e020100300506032b656e04220420", "hex");
const X25519_PUBLIC = Buffer.from("302a300506032b656e032100", "hex");

const NATIVE_KEM: KemPrimitives = {
  mlKemPublicKey: (seed) => publicBytes(createPublicKey(secretKey(ML_KEM_SECRET, seed)), ML_KEM_PUBLIC.length),
  mlKemEncapsulate: (publicKey, message) => {
    if (message !== undefined) throw new RangeError("The runtime draws the randomness of ML-KEM itself");
    const { ciphertext, sharedKey } = crypto.encapsulate(publicKeyOf(ML_KEM_PUBLIC, publicKey));
    return { ciphertext: new Uint8Array(ciphertext), secret: new Uint8Array(sharedKey) };
  },
  mlKemDecapsulate: (seed, ciphertext) => new Uint8Array(crypto.decapsulate(secretKey(ML_KEM_SECRET, seed), ciphertext)),
  x25519PublicKey: (secret) => publicBytes(createPublicKey(secretKey(X25519_SECRET, secret)), X25519_PUBLIC.length),
  x25519: (secret, publicKey) => {
    const keys = { privateKey: secretKey(X25519_SECRET, secret), publicKey: publicKeyOf(X25519_PUBLIC, publicKey) };
    try {
      return new Uint8Array(diffieHellman(keys));
    } catch {
      // OpenSSL refuses a shared secret of zeros: the key is of small order.
      return undefined;
    }
  },
};

/** Native primitives; undefined where the runtime has no ML-KEM, as with OpenSSL before 3.5 or BoringSSL. */
export function nativeKem(): KemPrimitives | undefined {
  try {
    generateKeyPairSync("ml-kem-768");
    const seed = new Uint8Array(64);
    const { ciphertext, secret } = NATIVE_KEM.mlKemEncapsulate(NATIVE_KEM.mlKemPublicKey(seed));
    return Buffer.compare(NATIVE_KEM.mlKemDecapsulate(seed, ciphertext), secret) === 0 ? NATIVE_KEM : undefined;
  } catch {
    return undefined;
  }
}

function secretKey(head: Buffer, secret: Uint8Array): KeyObject {
  const der = Buffer.concat([head, secret]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  der.fill(0);
  return key;
}

function publicKeyOf(head: Buffer, publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([head, publicKey]), format: "der", type: "spki" });
}

function publicBytes(key: KeyObject, headBytes: number): Uint8Array {
  return new Uint8Array(key.export({ format: "der", type: "spki" }).subarray(headBytes));
}
