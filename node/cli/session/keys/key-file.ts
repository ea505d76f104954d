// Key files of the command line: a master Ed25519 key and a device X25519 key, sealed under a password or (for automation) plain.
// Here they are read; what opens and writes them is loaded by commands that do.
// The file of a node's own key is read too: it signs for the node, and has no device key.
import { readFileSync } from "node:fs";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Argon2Parameters } from "#shared/keyring/vault/vault-format.ts";
import type { BoxKeyPair, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { concatBytes, fromHex, isHex, tryFromBase64 } from "#shared/util/bytes.ts";

/** A key that signs transactions. */
export interface SigningKey {
  readonly publicKey: PublicKeyHex;
  /** 32-byte seed of the master key. */
  readonly seed: Uint8Array;
}

/** The keys of a person at the command line. */
export interface PersonalKeys extends SigningKey {
  /** X25519 key of this device: messages are sealed for it. */
  readonly device: BoxKeyPair;
}

/** Public part of a key file, readable without the password. */
export interface KeyFile {
  readonly publicKey: PublicKeyHex;
  /** Undefined in the file of a node's own key. */
  readonly devicePublicKey: X25519KeyHex | undefined;
  readonly content: NodeContent | PlainContent | SealedContent;
}

interface NodeContent {
  readonly kind: "node";
  readonly seed: Uint8Array;
}

interface PlainContent {
  readonly kind: "plain";
  readonly secrets: Uint8Array;
}

/** Secrets under a password. */
export interface SealedContent {
  readonly kind: "sealed";
  readonly argon2: Argon2Parameters;
  readonly salt: Uint8Array;
  readonly sealed: Uint8Array;
}

/** What a key file begins with. */
export const KEY_FORMAT = { format: "parley-key", version: 1 } as const;
export const SALT_BYTES = 16;
const MAX_MEMORY_KIB = 4_194_304;

/** Reads a key file without opening it. @throws CodedError CONFIG_INVALID in words. */
export function readKeyFile(path: string): KeyFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT")
      throw new CodedError("CONFIG_INVALID", `No key file at ${path}: create one with "parley keygen --out ${path}"`);
    if (systemErrorCode(error) === "EISDIR") throw new CodedError("CONFIG_INVALID", `${path} is a folder, and --key names a key file`);
    throw new CodedError("CONFIG_INVALID", fileError(path, error).message, { cause: error });
  }
  const file = parseKeyFile(text);
  if (file === undefined) throw new CodedError("CONFIG_INVALID", `${path} is not a Parley key file, or it is damaged`);
  return file;
}

/** True when the file cannot be opened without its password. */
export function isSealed(file: KeyFile): boolean {
  return file.content.kind === "sealed";
}

/** The device key that the file names. @throws CodedError CONFIG_INVALID for the file of a node, which has none. */
export function deviceKeyOf(file: KeyFile): X25519KeyHex {
  if (file.devicePublicKey === undefined)
    throw new CodedError("CONFIG_INVALID", "This is a node key, which cannot encrypt messages: use a key file created with parley keygen");
  return file.devicePublicKey;
}

function parseKeyFile(text: string): KeyFile | undefined {
  const raw = parseObject(text);
  if (raw?.kind === "ed25519") return nodeKeyFile(raw);
  if (raw?.format !== KEY_FORMAT.format || raw.version !== KEY_FORMAT.version) return undefined;
  if (!isHex(raw.public_key, 32) || !isHex(raw.device_public_key, 32)) return undefined;
  const content = raw.encrypted === undefined ? plainContent(raw) : sealedContent(raw.encrypted);
  return content && { publicKey: raw.public_key, devicePublicKey: raw.device_public_key, content };
}

/** keys/node-key.json of a data folder. */
function nodeKeyFile(raw: Readonly<Record<string, unknown>>): KeyFile | undefined {
  if (!isHex(raw.public_key, 32) || !isHex(raw.secret_key, 32)) return undefined;
  return { publicKey: raw.public_key, devicePublicKey: undefined, content: { kind: "node", seed: fromHex(raw.secret_key) } };
}

function plainContent(raw: Readonly<Record<string, unknown>>): PlainContent | undefined {
  if (!isHex(raw.secret_key, 32) || !isHex(raw.device_secret_key, 32)) return undefined;
  return { kind: "plain", secrets: concatBytes(fromHex(raw.secret_key), fromHex(raw.device_secret_key)) };
}

function sealedContent(value: unknown): SealedContent | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const raw = value as Readonly<Record<string, unknown>>;
  const salt = typeof raw.salt === "string" ? tryFromBase64(raw.salt) : undefined;
  const sealed = typeof raw.sealed === "string" ? tryFromBase64(raw.sealed) : undefined;
  const costs = [raw.memory_kib, raw.iterations, raw.parallelism];
  if (raw.kdf !== "argon2id" || raw.cipher !== "xchacha20-poly1305" || salt?.length !== SALT_BYTES || sealed === undefined)
    return undefined;
  if (!costs.every((cost): cost is number => Number.isSafeInteger(cost) && Number(cost) >= 1 && Number(cost) <= MAX_MEMORY_KIB))
    return undefined;
  const [memoryKib = 0, iterations = 0, parallelism = 0] = costs;
  return { kind: "sealed", argon2: { memoryKib, iterations, parallelism }, salt, sealed };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
