// Key files of the command line: a master Ed25519 key and a device X25519 key, sealed under a password or (for automation) plain.
// The file of a node's own key is read too: it signs for the node, and has no device key.
import { readFileSync } from "node:fs";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { DEFAULT_ARGON2, openPart, passwordKey, sealPart } from "#shared/keyring/vault/vault-cipher.ts";
import type { Argon2Parameters } from "#shared/keyring/vault/vault-format.ts";
import { type BoxKeyPair, boxKeyPair, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { concatBytes, fromHex, isHex, toBase64, toHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

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

interface SealedContent {
  readonly kind: "sealed";
  readonly argon2: Argon2Parameters;
  readonly salt: Uint8Array;
  readonly sealed: Uint8Array;
}

const FORMAT = "parley-key";
const VERSION = 1;
const SALT_BYTES = 16;
const MAX_MEMORY_KIB = 4_194_304;

/** Keys of a master seed and a device secret, 32 bytes each. */
export function personalKeys(seed: Uint8Array, deviceSecret: Uint8Array): PersonalKeys {
  return { publicKey: toHex(ed25519PublicKey(seed)), seed, device: boxKeyPair(deviceSecret) };
}

/** Writes a new key file of mode 0600, unencrypted without a password. @throws CodedError when it exists or cannot be written. */
export async function writeKeyFile(path: string, keys: PersonalKeys, password: string | undefined, random: RandomBytes): Promise<void> {
  const head = {
    format: FORMAT,
    version: VERSION,
    address: formatAddress(keys.publicKey),
    public_key: keys.publicKey,
    device_public_key: toHex(keys.device.publicKey),
  };
  const body =
    password === undefined
      ? { secret_key: toHex(keys.seed), device_secret_key: toHex(keys.device.secretKey) }
      : { encrypted: await seal(keys, password, random) };
  writeFileAtomic(path, `${JSON.stringify({ ...head, ...body }, null, 2)}\n`, { replaces: false });
}

/** Reads a key file without opening it. @throws CodedError CONFIG_INVALID in words. */
export function readKeyFile(path: string): KeyFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT")
      throw new CodedError("CONFIG_INVALID", `No key file at ${path}: create one with "parley keygen --out ${path}"`);
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

/** Master key of a file; `password` is needed for a sealed one. @throws CodedError VAULT_WRONG_PASSWORD or CONFIG_INVALID */
export async function openSigningKey(file: KeyFile, password: string | undefined): Promise<SigningKey> {
  if (file.content.kind !== "node") return await openKeyFile(file, password);
  const { seed } = file.content;
  if (toHex(ed25519PublicKey(seed)) !== file.publicKey) throw mismatched();
  return { publicKey: file.publicKey, seed };
}

/** All keys of a person's file. @throws CodedError as {@link openSigningKey} and {@link deviceKeyOf} */
export async function openKeyFile(file: KeyFile, password: string | undefined): Promise<PersonalKeys> {
  const devicePublicKey = deviceKeyOf(file);
  const { content } = file;
  if (content.kind === "node") throw mismatched();
  const secrets = content.kind === "plain" ? content.secrets : await unseal(file.publicKey, devicePublicKey, content, password ?? "");
  const keys = personalKeys(secrets.slice(0, 32), secrets.slice(32));
  if (keys.publicKey !== file.publicKey || toHex(keys.device.publicKey) !== devicePublicKey) throw mismatched();
  return keys;
}

function mismatched(): CodedError {
  return new CodedError("CONFIG_INVALID", "The key file is damaged: its secret and public keys do not match");
}

async function seal(keys: PersonalKeys, password: string, random: RandomBytes): Promise<Readonly<Record<string, string | number>>> {
  const salt = random(SALT_BYTES);
  const key = await passwordKey(password, salt, DEFAULT_ARGON2);
  const header = associatedBytes(keys.publicKey, toHex(keys.device.publicKey), DEFAULT_ARGON2, salt);
  const sealed = sealPart(key, concatBytes(keys.seed, keys.device.secretKey), header, random);
  return {
    kdf: "argon2id",
    memory_kib: DEFAULT_ARGON2.memoryKib,
    iterations: DEFAULT_ARGON2.iterations,
    parallelism: DEFAULT_ARGON2.parallelism,
    salt: toBase64(salt),
    cipher: "xchacha20-poly1305",
    sealed: toBase64(sealed),
  };
}

async function unseal(publicKey: string, devicePublicKey: string, content: SealedContent, password: string): Promise<Uint8Array> {
  const { argon2, salt, sealed } = content;
  const key = await passwordKey(password, salt, argon2);
  const secrets = openPart(key, sealed, associatedBytes(publicKey, devicePublicKey, argon2, salt));
  if (secrets?.length !== 64) throw new CodedError("VAULT_WRONG_PASSWORD", "Wrong password for the key file: try again");
  return secrets;
}

/** What a sealed file must not be changed in: its version, public keys and cost. */
function associatedBytes(publicKey: string, devicePublicKey: string, argon2: Argon2Parameters, salt: Uint8Array): Uint8Array {
  return encodeCbor([
    FORMAT,
    VERSION,
    fromHex(publicKey),
    fromHex(devicePublicKey),
    argon2.memoryKib,
    argon2.iterations,
    argon2.parallelism,
    salt,
  ]);
}

function parseKeyFile(text: string): KeyFile | undefined {
  const raw = parseObject(text);
  if (raw?.kind === "ed25519") return nodeKeyFile(raw);
  if (raw?.format !== FORMAT || raw.version !== VERSION) return undefined;
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
