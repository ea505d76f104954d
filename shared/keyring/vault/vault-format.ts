// Bytes of a vault copy:
//   "PARLEYVT" | version u8 | header length u32 | header | body | SHA-256 of all before
// Header and body are deterministic CBOR. Everything up to the header's end is associated data of every sealed part, so a changed
// parameter opens nothing. The digest tells damage from a wrong password; it is no protection against a person.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type CborValue, decodeCbor, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, equalBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";

/** Cost of Argon2id. */
export interface Argon2Parameters {
  readonly memoryKib: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** Public part of a vault. */
export interface VaultHeader {
  /** 16 random bytes. */
  readonly id: Uint8Array;
  readonly argon2: Argon2Parameters;
  /** 16 random bytes. */
  readonly salt: Uint8Array;
  readonly masterPub: PublicKeyHex;
  readonly devicePub: X25519KeyHex;
}

/** Sealed parts: 24-byte nonce and XChaCha20-Poly1305 ciphertext each. */
export interface VaultBody {
  /** Rises with every write: of two good copies the higher is the newer. */
  readonly generation: number;
  /** Wallet key and data key, sealed under the password. */
  readonly passwordSlot: Uint8Array;
  /** Wallet key and data key, sealed under the recovery phrase. */
  readonly phraseSlot: Uint8Array;
  /** Entropy of the phrase, sealed under the wallet key. */
  readonly wallet: Uint8Array;
  /** Device key and flags, sealed under the data key. */
  readonly device: Uint8Array;
  /** The third way to the data key, where the person chose it. Versions that do not know it leave it out when they write. */
  readonly keychain?: KeychainSlot;
}

/** The data key behind the operating system's keychain. */
export interface KeychainSlot {
  /** Data key, sealed under a wrapping key. */
  readonly slot: Uint8Array;
  /** The wrapping key, as the keychain sealed it. */
  readonly wrapped: Uint8Array;
}

/** A vault as stored. */
export interface VaultFile {
  readonly header: VaultHeader;
  readonly body: VaultBody;
}

/** Version of the format. */
export const VAULT_VERSION = 1;
const MAGIC = utf8("PARLEYVT");
const PREFIX_BYTES = MAGIC.length + 5;
const DIGEST_BYTES = 32;
const MAX_VAULT_BYTES = 65_536;
const MAX_ARGON2: Argon2Parameters = { memoryKib: 4_194_304, iterations: 1_000, parallelism: 64 };

/** Magic, version, length and header: the associated data of every sealed part. */
export function encodeVaultHeader(header: VaultHeader): Uint8Array {
  const encoded = encodeCbor({
    id: header.id,
    kdf: "argon2id",
    memory_kib: header.argon2.memoryKib,
    iterations: header.argon2.iterations,
    parallelism: header.argon2.parallelism,
    salt: header.salt,
    master_pub: fromHex(header.masterPub),
    device_pub: fromHex(header.devicePub),
  });
  const prefix = new Uint8Array(PREFIX_BYTES);
  prefix.set(MAGIC);
  prefix[MAGIC.length] = VAULT_VERSION;
  new DataView(prefix.buffer).setUint32(MAGIC.length + 1, encoded.length);
  return concatBytes(prefix, encoded);
}

/** Bytes of one copy. */
export function encodeVault(file: VaultFile): Uint8Array {
  const { generation, passwordSlot, phraseSlot, wallet, device, keychain } = file.body;
  const body = encodeCbor({
    generation,
    password_slot: passwordSlot,
    phrase_slot: phraseSlot,
    wallet,
    device,
    ...(keychain === undefined ? {} : { keychain: { slot: keychain.slot, wrapped: keychain.wrapped } }),
  });
  const content = concatBytes(encodeVaultHeader(file.header), body);
  return concatBytes(content, sha256(content));
}

/**
 * A stored copy, or undefined when it is damaged.
 * @throws CodedError STORAGE_NEWER for an undamaged copy of a later version.
 */
export function parseVault(bytes: Uint8Array): VaultFile | undefined {
  if (bytes.length < PREFIX_BYTES + DIGEST_BYTES || bytes.length > MAX_VAULT_BYTES) return undefined;
  const content = bytes.subarray(0, bytes.length - DIGEST_BYTES);
  if (!equalBytes(sha256(content), bytes.subarray(content.length)) || !equalBytes(content.subarray(0, MAGIC.length), MAGIC))
    return undefined;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const version = view.getUint8(MAGIC.length);
  if (version > VAULT_VERSION)
    throw new CodedError("STORAGE_NEWER", "The vault was written by a newer version of Parley: install that version", {
      details: { version },
    });
  const headerEnd = PREFIX_BYTES + view.getUint32(MAGIC.length + 1);
  try {
    return {
      header: parseHeader(decodeCbor(content.subarray(PREFIX_BYTES, headerEnd))),
      body: parseBody(decodeCbor(content.subarray(headerEnd))),
    };
  } catch {
    return undefined;
  }
}

function parseHeader(value: CborValue): VaultHeader {
  const fields = asMap(value);
  if (fields.kdf !== "argon2id") throw new TypeError("kdf is argon2id");
  return {
    id: bytesOf(fields.id, 16),
    argon2: {
      memoryKib: integerOf(fields.memory_kib, MAX_ARGON2.memoryKib),
      iterations: integerOf(fields.iterations, MAX_ARGON2.iterations),
      parallelism: integerOf(fields.parallelism, MAX_ARGON2.parallelism),
    },
    salt: bytesOf(fields.salt, 16),
    masterPub: toHex(bytesOf(fields.master_pub, 32)),
    devicePub: toHex(bytesOf(fields.device_pub, 32)),
  };
}

function parseBody(value: CborValue): VaultBody {
  const fields = asMap(value);
  return {
    generation: integerOf(fields.generation, Number.MAX_SAFE_INTEGER),
    passwordSlot: bytesOf(fields.password_slot),
    phraseSlot: bytesOf(fields.phrase_slot),
    wallet: bytesOf(fields.wallet),
    device: bytesOf(fields.device),
    ...(fields.keychain === undefined ? {} : { keychain: parseKeychain(asMap(fields.keychain)) }),
  };
}

function parseKeychain(fields: Readonly<Record<string, CborValue>>): KeychainSlot {
  return { slot: bytesOf(fields.slot), wrapped: bytesOf(fields.wrapped) };
}

function asMap(value: CborValue): Readonly<Record<string, CborValue>> {
  if (value === null || typeof value !== "object" || Array.isArray(value) || value instanceof Uint8Array) throw new TypeError("not a map");
  return value as Readonly<Record<string, CborValue>>;
}

function bytesOf(value: CborValue | undefined, length?: number): Uint8Array {
  if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length)) throw new TypeError("not bytes of that length");
  return value;
}

function integerOf(value: CborValue | undefined, max: number): number {
  if (typeof value !== "number" || value < 1 || value > max) throw new RangeError("not an integer in range");
  return value;
}
