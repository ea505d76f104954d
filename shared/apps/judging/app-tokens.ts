// Tokens of programs: `parley_app_<id>_<256 bits base64url>`. Only their SHA-256 is stored, and it is compared in constant time.
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

const PATTERN = /^parley_app_([0-9a-f]{8})_[A-Za-z0-9_-]{43}$/;
const ID_BYTES = 4;
const SECRET_BYTES = 32;

/** Id of a new connection, 8 hex characters. */
export function createConnectionId(random: RandomBytes): string {
  return toHex(random(ID_BYTES));
}

/** A new token of a connection. */
export function createAppToken(id: string, random: RandomBytes): string {
  return `parley_app_${id}_${createSecret(random)}`;
}

/** 256 random bits as base64url. */
export function createSecret(random: RandomBytes): string {
  return toBase64(random(SECRET_BYTES)).replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}

/** Id in a token, or undefined for any other text. */
export function connectionIdOf(token: string): string | undefined {
  return PATTERN.exec(token)?.[1];
}

/** What is stored of a token or secret. */
export function hashSecret(secret: string): Uint8Array {
  return sha256(utf8(secret));
}

/** Equality of hashes, in a time that does not depend on where they differ. */
export function equalHashes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}
