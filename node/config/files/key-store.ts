// The node's own keys in DIR/keys: one JSON file a key, readable by its owner only, made when missing.
import { readFileSync } from "node:fs";
import { nativePublicKey } from "#node/crypto/native-key.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { fromHex, isHex, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { fileError, systemErrorCode } from "./file-errors.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

/** Ed25519 keys sign, X25519 keys seal. */
export type KeyKind = "ed25519" | "x25519";

/** A key pair of the node; the secret is 32 bytes (an Ed25519 seed or an X25519 scalar). */
export interface StoredKey {
  readonly kind: KeyKind;
  /** Lower-case hex. */
  readonly publicKey: string;
  readonly secret: Uint8Array;
}

/** The key in the file at `path`, or undefined when there is no file. @throws CodedError STORAGE_CORRUPT or STORAGE_UNWRITABLE */
export function readKey(path: string, kind: KeyKind): StoredKey | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw fileError(path, error);
  }
  const stored = parseKey(text);
  if (stored?.kind !== kind || !isHex(stored.public_key, 32) || !isHex(stored.secret_key, 32)) throw damaged(path);
  const secret = fromHex(stored.secret_key);
  if (publicKeyOf(kind, secret) !== stored.public_key) throw damaged(path);
  return { kind, publicKey: stored.public_key, secret };
}

/** The key in the file at `path`, made from fresh randomness when there is none. @throws CodedError as {@link readKey} */
export function readOrCreateKey(path: string, kind: KeyKind, random: RandomBytes): StoredKey {
  const existing = readKey(path, kind);
  if (existing !== undefined) return existing;
  const secret = random(32);
  const publicKey = publicKeyOf(kind, secret);
  writeFileAtomic(path, `${JSON.stringify({ kind, public_key: publicKey, secret_key: toHex(secret) }, null, 2)}\n`, { replaces: false });
  return { kind, publicKey, secret };
}

function publicKeyOf(kind: KeyKind, secret: Uint8Array): string {
  return kind === "ed25519" ? nativePublicKey(secret) : toHex(boxKeyPair(secret).publicKey);
}

function parseKey(text: string): Readonly<Record<"kind" | "public_key" | "secret_key", unknown>> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function damaged(path: string): CodedError {
  return new CodedError("STORAGE_CORRUPT", `The key file ${path} is damaged: restore it from a backup`);
}
