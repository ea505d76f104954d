// libsodium's Ed25519, twice as fast as the runtime's own, and its boxes, ten times as fast as script. Only the prebuilt binary of the package is loaded: the rest of it resolves
// binaries for another runtime. On a machine that has none the runtime's library does the same work.
import { createHash, hash } from "node:crypto";
import { createRequire } from "node:module";
import type { BoxCipher } from "#shared/protocol/mail/envelope.ts";
import { BOX_OVERHEAD_BYTES, NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** What is used of libsodium. Both checks are stricter than the consensus rule: what they accept is valid, the rest is undecided. */
export interface Sodium {
  /** True for a signature (64 bytes) that satisfies the equation without cofactor, under a key (32 bytes) of no small order. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** True for the canonical encoding (32 bytes) of a point of the prime-order group. */
  isPrimeOrderPoint(publicKey: Uint8Array): boolean;
  /** NaCl boxes under a shared key, with the runtime's SHA-256. */
  readonly boxes: BoxCipher;
}

/** Functions of the binary: views come as buffer, offset and length, which it does not check. */
interface Binary {
  crypto_sign_verify_detached(...views: readonly (ArrayBufferLike | number)[]): boolean;
  crypto_core_ed25519_is_valid_point(point: Uint8Array): boolean;
  crypto_secretbox_easy(into: Uint8Array, message: Uint8Array, nonce: Uint8Array, key: Uint8Array): number;
  crypto_secretbox_open_easy(into: Uint8Array, sealed: Uint8Array, nonce: Uint8Array, key: Uint8Array): boolean;
}

/** libsodium, undefined where the package has no binary that this machine can load. */
export function loadSodium(platform: string = process.platform, architecture: string = process.arch): Sodium | undefined {
  const binary = loadBinary(`sodium-native/prebuilds/${platform}-${architecture}/sodium-native.node`);
  if (binary === undefined) return undefined;
  return {
    verify: (signature, message, publicKey) =>
      signature.length === SIGNATURE_BYTES &&
      publicKey.length === KEY_BYTES &&
      binary.crypto_sign_verify_detached(
        signature.buffer,
        signature.byteOffset,
        SIGNATURE_BYTES,
        message.buffer,
        message.byteOffset,
        message.length,
        publicKey.buffer,
        publicKey.byteOffset,
        KEY_BYTES,
      ),
    isPrimeOrderPoint: (publicKey) => publicKey.length === KEY_BYTES && binary.crypto_core_ed25519_is_valid_point(publicKey),
    boxes: boxesOf(binary),
  };
}

function boxesOf(binary: Binary): BoxCipher {
  const requireSizes = (nonce: Uint8Array, key: Uint8Array): void => {
    if (nonce.length !== NONCE_BYTES || key.length !== KEY_BYTES) throw new RangeError("A nonce has 24 bytes and a key 32");
  };
  return {
    seal: (plaintext, nonce, sharedKey): Uint8Array => {
      requireSizes(nonce, sharedKey);
      const sealed = new Uint8Array(plaintext.length + BOX_OVERHEAD_BYTES);
      if (binary.crypto_secretbox_easy(sealed, plaintext, nonce, sharedKey) !== 0) throw new Error("A box could not be sealed");
      return sealed;
    },
    open: (ciphertext, nonce, sharedKey): Uint8Array | undefined => {
      requireSizes(nonce, sharedKey);
      if (ciphertext.length < BOX_OVERHEAD_BYTES) return undefined;
      const plaintext = new Uint8Array(ciphertext.length - BOX_OVERHEAD_BYTES);
      return binary.crypto_secretbox_open_easy(plaintext, ciphertext, nonce, sharedKey) ? plaintext : undefined;
    },
    sha256: (bytes) => new Uint8Array(hash("sha256", bytes, "buffer")),
    hashing: () => createHash("sha256"),
  };
}

function loadBinary(name: string): Binary | undefined {
  try {
    return createRequire(import.meta.url)(name) as Binary;
  } catch {
    return undefined;
  }
}
