// Ciphers of the vault: Argon2id for passwords, XChaCha20-Poly1305 for the sealed parts.
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { Argon2Parameters } from "./vault-format.ts";

/** Parameters of new vaults: 64 MiB, three passes, one lane (a Worker has one thread). */
export const DEFAULT_ARGON2: Argon2Parameters = { memoryKib: 65_536, iterations: 3, parallelism: 1 };

const NONCE_BYTES = 24;

/** Key (32 bytes) of a password, in Unicode form NFKC so that every keyboard gives the same bytes. */
export async function passwordKey(password: string, salt: Uint8Array, parameters: Argon2Parameters): Promise<Uint8Array> {
  const bytes = utf8(password.normalize("NFKC"));
  try {
    const { argon2Key } = await import("./argon2.ts");
    return await argon2Key(bytes, salt, parameters);
  } finally {
    bytes.fill(0);
  }
}

/** Nonce and ciphertext of a plaintext under a 32-byte key. */
export function sealPart(key: Uint8Array, plaintext: Uint8Array, associated: Uint8Array, random: RandomBytes): Uint8Array {
  const nonce = random(NONCE_BYTES);
  return concatBytes(nonce, xchacha20poly1305(key, nonce, associated).encrypt(plaintext));
}

/** Plaintext of {@link sealPart}, or undefined when key, associated data or bytes differ. */
export function openPart(key: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Uint8Array | undefined {
  try {
    return xchacha20poly1305(key, sealed.subarray(0, NONCE_BYTES), associated).decrypt(sealed.subarray(NONCE_BYTES));
  } catch {
    return undefined;
  }
}
