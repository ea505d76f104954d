// Bytes of a vault copy:
//   "PARLEYVT" | version u8 | header length u32 | header | body | SHA-256 of all before
// Header and body are deterministic CBOR. Everything up to the header's end is associated data of every sealed part, so a changed
// parameter opens nothing. The digest distinguishes damage from a wrong password; it is no protection against a person.
import { type Codec, decode, encode, type TypeOf } from "#shared/codec/codec.ts";
import { list, mapped, nullable, record } from "#shared/codec/composites.ts";
import { keyed, map, omissible } from "#shared/codec/maps.ts";
import { boolean, bytes, bytesUpTo, hex, integer, textUpTo, word } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, equalBytes, utf8 } from "#shared/util/bytes.ts";
import { spendingCodec } from "../intents/spending/spending-state.ts";

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
/** Data keys of former passwords under which something may still lie: with so many, the password can be reset but not changed. */
export const MAX_UNSWEPT_CHANGES = 16;
/** The most that a vault holds, when a forgotten password is reset that often. */
export const MAX_FORMER_KEYS = 256;
/** Keys of the secrets of cards: the newest, and the one before while they are sealed again. */
export const MAX_CARD_KEYS = 2;
/** Keys of stored messages that disappear: what has no key of its own then lies under that of the records alone. */
export const MAX_DAY_KEYS = 128;
const MAX_ARGON2: Argon2Parameters = { memoryKib: 4_194_304, iterations: 1_000, parallelism: 64 };

const KDF = "argon2id" as const;

const headerCodec: Codec<VaultHeader> = mapped(
  map({
    id: bytes(16),
    kdf: word([KDF], "kdf"),
    memoryKib: keyed("memory_kib", integer(1, MAX_ARGON2.memoryKib)),
    iterations: integer(1, MAX_ARGON2.iterations),
    parallelism: integer(1, MAX_ARGON2.parallelism),
    salt: bytes(16),
    masterPub: keyed("master_pub", hex(32)),
    devicePub: keyed("device_pub", hex(32)),
  }),
  ({ kdf: _, memoryKib, iterations, parallelism, ...header }) => ({ ...header, argon2: { memoryKib, iterations, parallelism } }),
  ({ argon2, ...header }) => ({ ...header, ...argon2, kdf: KDF }),
);

/** The data key behind the operating system's keychain. */
const keychainCodec = map({
  /** Data key, sealed under a wrapping key. */
  slot: bytesUpTo(),
  /** The wrapping key, as the keychain sealed it. */
  wrapped: bytesUpTo(),
});

/** Wrong passwords since the last right one, and when the last one was, unix ms. */
const guessesCodec = record({ count: integer(1), atMs: integer() });
export type WrongGuesses = TypeOf<typeof guessesCodec>;

const bodyCodec = map({
  /** Rises with every write: of two good copies the higher is the newer. */
  generation: integer(1),
  /** Wallet key and data key, sealed under the password. */
  passwordSlot: keyed("password_slot", bytesUpTo()),
  /** Wallet key and data key, sealed under the recovery phrase. */
  phraseSlot: keyed("phrase_slot", bytesUpTo()),
  /** Entropy of the phrase, sealed under the wallet key. */
  wallet: bytesUpTo(),
  /** Device key and flags, sealed under the data key. */
  device: bytesUpTo(),
  /** The third way to the data key, where the person chose it. Versions that do not know it leave it out when they write. */
  keychain: omissible(keychainCodec),
  guesses: omissible(guessesCodec),
});

/** Sealed parts: 24-byte nonce and XChaCha20-Poly1305 ciphertext each. */
export type VaultBody = TypeOf<typeof bodyCodec>;

const formerKeysCodec = list(bytes(32), MAX_FORMER_KEYS);

/** What the sealed device section holds; older vaults have only the first two. */
export const deviceSectionCodec = map({
  deviceSecret: keyed("secret", bytes(32)),
  phraseConfirmed: keyed("confirmed", boolean),
  epochs: omissible(list(record({ secret: bytes(32), notAfter: integer() }))),
  cardKeys: keyed("card_keys", omissible(list(bytes(32), MAX_CARD_KEYS))),
  dayKeys: keyed("day_keys", omissible(list(record({ id: bytes(8), until: integer(), secret: bytes(32) }), MAX_DAY_KEYS))),
  certificates: omissible(list(record({ chainId: textUpTo(), signature: bytes(64) }))),
  isLinked: keyed("linked", omissible(boolean)),
  autoLock: keyed("auto_lock", omissible(record({ walletIdleMs: nullable(integer(1_000)), fullIdleMs: nullable(integer(1_000)) }))),
  isPasswordJudged: keyed("password_judged", omissible(boolean)),
  appsGeneration: keyed("apps_generation", omissible(integer(1))),
  storeCounter: keyed("store_counter", omissible(integer(1))),
  spending: omissible(spendingCodec),
  formerKeys: keyed(
    "former_keys",
    omissible(record({ count: integer(1), first: bytes(32), records: formerKeysCodec, files: formerKeysCodec })),
  ),
});

/** Magic, version, length and header: the associated data of every sealed part. */
export function encodeVaultHeader(header: VaultHeader): Uint8Array {
  const encoded = encode(headerCodec, header);
  const prefix = new Uint8Array(PREFIX_BYTES);
  prefix.set(MAGIC);
  prefix[MAGIC.length] = VAULT_VERSION;
  new DataView(prefix.buffer).setUint32(MAGIC.length + 1, encoded.length);
  return concatBytes(prefix, encoded);
}

/** Bytes of one copy. @throws CodedError LOCAL_STORE_FAILED for more than would be read again: the vault stays as it is. */
export function encodeVault(file: VaultFile): Uint8Array {
  const content = concatBytes(encodeVaultHeader(file.header), encode(bodyCodec, file.body));
  if (content.length + DIGEST_BYTES > MAX_VAULT_BYTES)
    throw new CodedError("LOCAL_STORE_FAILED", `The vault holds ${MAX_VAULT_BYTES} bytes, and this does not fit any more`);
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
      header: decode(headerCodec, content.subarray(PREFIX_BYTES, headerEnd)),
      body: decode(bodyCodec, content.subarray(headerEnd)),
    };
  } catch {
    return undefined;
  }
}
