// What X-Wing is made of: native where a host has it, else in script.

/** A secret, and what tells it to the holder of the other key. */
export interface Encapsulation {
  readonly ciphertext: Uint8Array;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** A key of ML-KEM, ready for many ciphertexts. */
export interface MlKemKey {
  decapsulate(ciphertext: Uint8Array): Uint8Array;
  wipe(): void;
}

/** ML-KEM-768 (FIPS 203) and X25519 (RFC 7748). */
export interface KemPrimitives {
  /** Public key of a 64-byte seed. */
  mlKemPublicKey(seed: Uint8Array): Uint8Array;
  /** `message`: 32 bytes of randomness, for vectors; a native implementation draws its own and refuses them. @throws for an invalid key. */
  mlKemEncapsulate(publicKey: Uint8Array, message?: Uint8Array): Encapsulation;
  /** A ciphertext that was made for another key gives a secret that no one knows. */
  mlKemDecapsulate(seed: Uint8Array, ciphertext: Uint8Array): Uint8Array;
  /** The key of a seed, where making it takes time. */
  mlKemKey?(seed: Uint8Array): MlKemKey;
  x25519PublicKey(secretKey: Uint8Array): Uint8Array;
  /** Raw shared secret; undefined for a public key of small order. */
  x25519(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined;
}
