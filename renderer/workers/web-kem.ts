// X25519 and ML-KEM-768 of the browser, where it has them: native, and on threads of its own. Newer browsers have both, most X25519 alone.

import type { LateKem } from "#shared/protocol/pairs/kem-ahead.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";
import { equalBytes } from "#shared/util/bytes.ts";

/** PKCS #8 of an X25519 key (RFC 8410), up to its 32 bytes. */
const X25519_SECRET = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20);
const X25519 = "X25519";
const ML_KEM = "ML-KEM-768";
const SECRET_BITS = 256;
const SEED_BYTES = 64;

/** What is not in the types of the platform yet. */
interface NewerCrypto {
  importKey(
    format: "raw" | "pkcs8" | "raw-seed" | "raw-public",
    data: Uint8Array,
    name: string,
    lasts: false,
    uses: string[],
  ): Promise<CryptoKey>;
  deriveBits(algorithm: { readonly name: string; readonly public: CryptoKey }, key: CryptoKey, bits: number): Promise<ArrayBuffer>;
  encapsulateBits(name: string, key: CryptoKey): Promise<{ readonly sharedKey: ArrayBuffer; readonly ciphertext: ArrayBuffer }>;
  decapsulateBits(name: string, key: CryptoKey, ciphertext: Uint8Array): Promise<ArrayBuffer>;
}

const subtle = (): NewerCrypto => crypto.subtle as unknown as NewerCrypto;

async function x25519(secretKey: Uint8Array, publicKeys: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const der = new Uint8Array(X25519_SECRET.length + secretKey.length);
  der.set(X25519_SECRET);
  der.set(secretKey, X25519_SECRET.length);
  const secret = subtle().importKey("pkcs8", der, X25519, false, ["deriveBits"]);
  // The browser has its own copy.
  der.fill(0);
  const key = await secret;
  return Promise.all(
    publicKeys.map(async (publicKey) => {
      const other = await subtle().importKey("raw", publicKey, X25519, false, []);
      // It refuses what comes of a key of small order: one of zeros says so.
      return subtle()
        .deriveBits({ name: X25519, public: other }, key, SECRET_BITS)
        .then(
          (bits) => new Uint8Array(bits),
          () => new Uint8Array(SECRET_BITS / 8),
        );
    }),
  );
}

const mlKem: NonNullable<LateKem["mlKem"]> = {
  encapsulate: async (publicKey) => {
    const key = await subtle().importKey("raw-public", publicKey, ML_KEM, false, ["encapsulateBits"]);
    const { sharedKey, ciphertext } = await subtle().encapsulateBits(ML_KEM, key);
    return { ciphertext: new Uint8Array(ciphertext), secret: new Uint8Array(sharedKey) };
  },
  decapsulate: async (seed, ciphertexts) => {
    const key = await subtle().importKey("raw-seed", seed, ML_KEM, false, ["decapsulateBits"]);
    return Promise.all(ciphertexts.map(async (text) => new Uint8Array(await subtle().decapsulateBits(ML_KEM, key, text))));
  },
};

/** What this browser has, each tried against the script once; undefined where it has nothing. */
export async function webKem(): Promise<LateKem | undefined> {
  const one = new Uint8Array(SECRET_BITS / 8).fill(1);
  const publicKey = scriptKem.x25519PublicKey(one);
  const agrees = await x25519(one, [publicKey]).then(
    ([secret = new Uint8Array()]) => equalBytes(secret, scriptKem.x25519(one, publicKey) ?? one),
    () => false,
  );
  if (!agrees) return undefined;
  return { x25519, ...((await hasMlKem()) && { mlKem }) };
}

/** Both halves, each with the script's other one. */
async function hasMlKem(): Promise<boolean> {
  const seed = new Uint8Array(SEED_BYTES).fill(1);
  const publicKey = scriptKem.mlKemPublicKey(seed);
  try {
    const sealed = await mlKem.encapsulate(publicKey);
    const [opened = new Uint8Array()] = await mlKem.decapsulate(seed, [sealed.ciphertext]);
    return equalBytes(opened, sealed.secret) && equalBytes(opened, scriptKem.mlKemDecapsulate(seed, sealed.ciphertext));
  } catch {
    return false;
  }
}
