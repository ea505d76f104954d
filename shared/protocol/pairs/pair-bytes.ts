// Lengths of what pairs are made of, apart from what computes with it: who only reads contents loads no primitives.

/** Bytes of the seed of an ML-KEM key pair: d ‖ z of FIPS 203. */
export const ML_KEM_SEED_BYTES = 64;
/** Bytes of an ML-KEM-768 public key. */
export const ML_KEM_PUBLIC_BYTES = 1_184;
/** Bytes of an ML-KEM-768 ciphertext. */
export const ML_KEM_CIPHERTEXT_BYTES = 1_088;
/** Modulus of the coefficients of ML-KEM, and bytes of those of a public key: its last 32 are a seed. */
const ML_KEM_MODULUS = 3_329;
const ML_KEM_COEFFICIENT_BYTES = 1_152;
/** Bytes of keys of X25519. */
export const X25519_BYTES = 32;
/** Bytes of a secret key of X-Wing. */
export const X_WING_SECRET_BYTES = 32;
/** Bytes of a public key of X-Wing: that of ML-KEM, then that of X25519. */
export const X_WING_PUBLIC_BYTES: number = ML_KEM_PUBLIC_BYTES + X25519_BYTES;
/** Bytes of a ciphertext of X-Wing: that of ML-KEM, then a key of X25519 that is used once. */
export const X_WING_CIPHERTEXT_BYTES: number = ML_KEM_CIPHERTEXT_BYTES + X25519_BYTES;
/** Bytes of an instance at the beginning of the ids of its cards. */
export const HANDLE_BYTES = 4;
/** Bytes of the id of a card: the handle of its instance, then its number. */
export const CARD_ID_BYTES: number = HANDLE_BYTES + 4;
/** Bytes of the key of X25519 and of the pre-shared key of a card. */
export const CARD_KEY_BYTES = 32;

/** True for a public key of ML-KEM-768 whose coefficients, 12 bits each, are reduced (FIPS 203, 7.2): no implementation takes another one. */
export function isMlKemPublicKey(key: Uint8Array): boolean {
  if (key.length !== ML_KEM_PUBLIC_BYTES) return false;
  for (let at = 0; at < ML_KEM_COEFFICIENT_BYTES; at += 3) {
    const [low = 0, middle = 0, high = 0] = key.subarray(at, at + 3);
    if ((low | ((middle & 15) << 8)) >= ML_KEM_MODULUS || ((middle >> 4) | (high << 4)) >= ML_KEM_MODULUS) return false;
  }
  return true;
}
