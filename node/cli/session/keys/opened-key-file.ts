// Opening and writing key files: everything of them that needs a cipher.
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { nativePublicKey } from "#node/crypto/native-key.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { DEFAULT_ARGON2, openPart, passwordKey, sealPart } from "#shared/keyring/vault/vault-cipher.ts";
import type { Argon2Parameters } from "#shared/keyring/vault/vault-format.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { concatBytes, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { deviceKeyOf, KEY_FORMAT, type KeyFile, type PersonalKeys, SALT_BYTES, type SealedContent, type SigningKey } from "./key-file.ts";

const SEED_BYTES = 32;

/** Keys of a master seed and a device secret, 32 bytes each. */
export function personalKeys(seed: Uint8Array, deviceSecret: Uint8Array): PersonalKeys {
  return { publicKey: nativePublicKey(seed), seed, device: boxKeyPair(deviceSecret) };
}

/** Writes a new key file of mode 0600, unencrypted without a password. @throws CodedError when it exists or cannot be written. */
export async function writeKeyFile(path: string, keys: PersonalKeys, password: string | undefined, random: RandomBytes): Promise<void> {
  const head = {
    ...KEY_FORMAT,
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

/** Master key of a file; `password` is needed for a sealed one. @throws CodedError VAULT_WRONG_PASSWORD or CONFIG_INVALID */
export async function openSigningKey(file: KeyFile, password: string | undefined): Promise<SigningKey> {
  const seed = file.content.kind === "node" ? file.content.seed : (await secretsOf(file, password)).slice(0, SEED_BYTES);
  if (nativePublicKey(seed) !== file.publicKey) throw mismatched();
  return { publicKey: file.publicKey, seed };
}

/** All keys of a person's file. @throws CodedError as {@link openSigningKey} and {@link deviceKeyOf} */
export async function openKeyFile(file: KeyFile, password: string | undefined): Promise<PersonalKeys> {
  const devicePublicKey = deviceKeyOf(file);
  const secrets = await secretsOf(file, password);
  const keys = personalKeys(secrets.slice(0, SEED_BYTES), secrets.slice(SEED_BYTES));
  if (keys.publicKey !== file.publicKey || toHex(keys.device.publicKey) !== devicePublicKey) throw mismatched();
  return keys;
}

/** Master seed and device secret of a person's file. */
async function secretsOf(file: KeyFile, password = ""): Promise<Uint8Array> {
  const { content, publicKey } = file;
  if (content.kind === "node") throw mismatched();
  return content.kind === "plain" ? content.secrets : await unseal(publicKey, deviceKeyOf(file), content, password);
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
    KEY_FORMAT.format,
    KEY_FORMAT.version,
    fromHex(publicKey),
    fromHex(devicePublicKey),
    argon2.memoryKib,
    argon2.iterations,
    argon2.parallelism,
    salt,
  ]);
}
