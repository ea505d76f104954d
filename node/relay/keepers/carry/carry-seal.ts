// What a node and a keeper of mail say to each other through a carrier, sealed between the two. A request goes to the X25519 key that the
// directory has of the keeper, from a key that is used once; answers and news go back under what both share then. docs/network.md has the
// bytes.
import { createCipheriv, createDecipheriv, createPrivateKey, createPublicKey, diffieHellman, hkdfSync, type KeyObject } from "node:crypto";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { concatBytes, fromHex, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

/** A keeper as it is sealed to. */
export interface SealedParty {
  readonly chainId: string;
  /** Ed25519 key of its node, and X25519 key of its relay, both hex. */
  readonly key: PublicKeyHex;
  readonly x25519: string;
}

/** What is sealed: each kind has keys of its own. */
type Kind = "request" | "answer" | "news";

/** Lengths of what is encrypted, bytes: which of them it is is all that a carrier sees of a length. docs/limits.md lists these. */
export const CARRY_CLASSES = [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576] as const;
/** The longest message, bytes. */
export const MAX_CARRIED_BYTES = 1_048_576 - 4;
/** What sealing adds to a class, bytes: a key or a random value, and the tag. */
export const SEAL_BYTES = 48;

const KEY_BYTES = 32;
/** What a watch remembers of the request that it came with. */
export const EXCHANGE_BYTES = 64;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
/** Each key encrypts one message. */
const NONCE = new Uint8Array(12);
const CIPHER = "aes-256-gcm";
/** Keys without their 32 bytes (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from("302e020100300506032b656e04220420", "hex");
const PUBLIC_PREFIX = Buffer.from("302a300506032b656e032100", "hex");

/** An X25519 key of the runtime. */
export function x25519PrivateKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, secret]), format: "der", type: "pkcs8" });
}

/** What both sides share after one request. */
export class CarriedExchange {
  readonly #shared: Uint8Array;
  readonly #salt: Uint8Array;
  readonly #context: Uint8Array;
  readonly #once: Uint8Array;

  constructor(shared: Uint8Array, { chainId, key, x25519 }: SealedParty, once: Uint8Array) {
    this.#shared = shared;
    this.#once = once;
    this.#salt = nativeSha256(utf8(`parley/carry/1\n${chainId}`));
    this.#context = concatBytes(fromHex(key), fromHex(x25519), once);
  }

  /** What the same exchange is made of again, beside the party: 64 bytes, which are as secret as what it seals. */
  get bytes(): Uint8Array {
    return concatBytes(this.#shared, this.#once);
  }

  /** The exchange that has these bytes. */
  static of(bytes: Uint8Array, party: SealedParty): CarriedExchange {
    return new CarriedExchange(bytes.slice(0, KEY_BYTES), party, bytes.slice(KEY_BYTES, EXCHANGE_BYTES));
  }

  /** Seals what goes back. A repeated request is answered under another key. */
  seal(kind: Exclude<Kind, "request">, message: Uint8Array, random: RandomBytes): Uint8Array {
    const fresh = random(KEY_BYTES);
    return concatBytes(fresh, encrypt(this.keyOf(kind, fresh), message));
  }

  /** Undefined for what the other side did not seal. */
  open(kind: Exclude<Kind, "request">, sealed: Uint8Array): Uint8Array | undefined {
    return decrypt(this.keyOf(kind, sealed.subarray(0, KEY_BYTES)), sealed.subarray(KEY_BYTES));
  }

  /** The key of one message. */
  keyOf(kind: Kind, fresh: Uint8Array = new Uint8Array()): Uint8Array {
    const info = concatBytes(utf8(`parley carry ${kind}\n`), this.#context, fresh);
    return new Uint8Array(hkdfSync("sha256", this.#shared, this.#salt, info, KEY_BYTES));
  }
}

/** Seals a request to a keeper. @throws RangeError for a message that is too long; Error for a key of small order */
export function sealRequest(
  to: SealedParty,
  message: Uint8Array,
  random: RandomBytes,
): { readonly sealed: Uint8Array; readonly exchange: CarriedExchange } {
  const secret = x25519PrivateKey(random(KEY_BYTES));
  const once = rawPublicKey(createPublicKey(secret));
  const exchange = new CarriedExchange(sharedSecret(secret, fromHex(to.x25519)), to, once);
  return { sealed: concatBytes(once, encrypt(exchange.keyOf("request"), message)), exchange };
}

/** Opens a request as its keeper; undefined for what was not sealed to it. */
export function openRequest(
  own: SealedParty & { readonly secret: KeyObject },
  sealed: Uint8Array,
): { readonly message: Uint8Array; readonly exchange: CarriedExchange } | undefined {
  if (sealed.length < KEY_BYTES) return undefined;
  const once = sealed.slice(0, KEY_BYTES);
  try {
    const exchange = new CarriedExchange(sharedSecret(own.secret, once), own, once);
    const message = decrypt(exchange.keyOf("request"), sealed.subarray(KEY_BYTES));
    return message && { message, exchange };
  } catch {
    // A key of small order shares nothing.
    return undefined;
  }
}

/** The X25519 key of a secret, hex. */
export function x25519PublicHex(secret: KeyObject): string {
  return Buffer.from(rawPublicKey(createPublicKey(secret))).toString("hex");
}

function sharedSecret(secret: KeyObject, publicKey: Uint8Array): Uint8Array {
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: "der", type: "spki" });
  return diffieHellman({ privateKey: secret, publicKey: key });
}

function rawPublicKey(key: KeyObject): Uint8Array {
  return Uint8Array.from(key.export({ format: "der", type: "spki" }).subarray(-KEY_BYTES));
}

function encrypt(key: Uint8Array, message: Uint8Array): Uint8Array {
  const length = CARRY_CLASSES.find((size) => size >= message.length + LENGTH_BYTES);
  if (length === undefined) throw new RangeError(`A message of ${message.length} bytes is too long for a carrier`);
  const padded = Buffer.alloc(length);
  padded.writeUInt32BE(message.length);
  padded.set(message, LENGTH_BYTES);
  const cipher = createCipheriv(CIPHER, key, NONCE);
  return concatBytes(cipher.update(padded), cipher.final(), cipher.getAuthTag());
}

function decrypt(key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  const length = sealed.length - TAG_BYTES;
  if (!CARRY_CLASSES.some((size) => size === length)) return undefined;
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(length));
  try {
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, length)), decipher.final()]);
    const end = LENGTH_BYTES + padded.readUInt32BE();
    // Padding is zeros, and no more of it than the class needs: a message has one form.
    const isSound =
      end <= length && CARRY_CLASSES.find((size) => size >= end) === length && padded.subarray(end).every((byte) => byte === 0);
    return isSound ? padded.subarray(LENGTH_BYTES, end) : undefined;
  } catch {
    return undefined;
  }
}
