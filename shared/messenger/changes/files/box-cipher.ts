// Chunks of a file that is stored once: what lies in the mailboxes of the file, and who may put it there. The sender's secret opens the
// mailboxes, admits envelopes and deletes them; the file's key, which is in the message, opens what lies in them. Everything follows from
// the two, so a chunk that is handed in again after a crash is the same envelope.
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 as sha256Hash } from "@noble/hashes/sha2.js";
import { CHUNKS_A_BOX } from "#shared/content/content.ts";
import type { SealedEnvelope } from "#shared/keyring/keyring-api.ts";
import { admitSignBytes, type BoxOpening, openingSignBytes } from "#shared/protocol/mail/box-opening.ts";
import { type BoxDeletion, deletionSignBytes } from "#shared/protocol/mail/box-proof.ts";
import { boxKeyPair, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import { signXEd25519, XEDDSA_RANDOM_BYTES } from "#shared/protocol/mail/xeddsa.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { concatBytes, fromHex, toBase64, toHex, tryFromBase64, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { InboxEntry } from "../../model/node-port.ts";
import { chunkBytes, chunkCount } from "./chunk-sizes.ts";

/** Plaintext of every envelope of a file: as large as the largest of other mail, so that no size says that it is a part of a file. */
const PLAIN_BYTES = 192_512;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const IV_BYTES = 12;
const KEY_BYTES = 32;

/** One mailbox of a file, as its sender has it. */
export interface FileBoxKeys {
  readonly mailbox: X25519KeyHex;
  readonly secretKey: Uint8Array;
  /** Ed25519 seed that admits envelopes. */
  readonly writeSeed: Uint8Array;
}

/** What is needed of a file to read its mailboxes. */
export interface StoredFile {
  /** Hex. */
  readonly key: string;
  readonly size: number;
  readonly boxes: readonly X25519KeyHex[];
}

/** A chunk that lay in a mailbox. */
export interface StoredChunk {
  readonly index: number;
  readonly data: Uint8Array;
}

/** Mailboxes that a file of so many bytes takes. */
export function boxCount(size: number): number {
  return Math.ceil(chunkCount(size) / CHUNKS_A_BOX);
}

/** Keys of a mailbox, by its number from 0, of a file whose sender drew this secret of 32 bytes. */
export function fileBoxKeys(secret: Uint8Array, number: number): FileBoxKeys {
  const { publicKey, secretKey } = boxKeyPair(derived(secret, "parley file box", Uint8Array.of(number)));
  return { mailbox: toHex(publicKey), secretKey, writeSeed: derived(secret, "parley file box writing", Uint8Array.of(number)) };
}

/** Opens a mailbox of a file at a node. */
export function signFileOpening(
  chainId: string,
  { mailbox, secretKey, writeSeed }: FileBoxKeys,
  terms: Pick<BoxOpening, "untilSec" | "height">,
  random: RandomBytes,
): BoxOpening {
  const opening = { mailbox, writeKey: toHex(ed25519PublicKey(writeSeed)), read: "anyone", ...terms } as const;
  const signature = signXEd25519(openingSignBytes(chainId, opening), secretKey, random(XEDDSA_RANDOM_BYTES));
  return { ...opening, signature: toBase64(signature) };
}

/** Deletes envelopes of a mailbox of a file, at all nodes. */
export function signFileDeletion(
  chainId: string,
  { mailbox, secretKey }: FileBoxKeys,
  { ids, height }: Pick<BoxDeletion, "ids" | "height">,
  random: RandomBytes,
): BoxDeletion {
  const signature = signXEd25519(deletionSignBytes(chainId, { mailbox, ids, height }), secretKey, random(XEDDSA_RANDOM_BYTES));
  return { mailbox, ids, height, signature: toBase64(signature) };
}

/** The envelope of a chunk, always the same one. `sentAtS`: unix seconds, one for all of a file. */
export async function sealStoredChunk(
  chainId: string,
  keys: FileBoxKeys,
  { fileKey, index, data, sentAtS }: StoredChunk & { readonly fileKey: string; readonly sentAtS: number },
): Promise<SealedEnvelope> {
  const reading = await readingKeys(fileKey, keys.mailbox, "encrypt");
  const nonce = nonceOf(reading.names, index);
  const plain = new Uint8Array(PLAIN_BYTES);
  new DataView(plain.buffer).setUint32(0, data.length);
  plain.set(data, LENGTH_BYTES);
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(parameters(nonce, index), reading.key, plain));
  const sender = boxKeyPair(derived(keys.writeSeed, "parley file box sender", numberBytes(index)));
  const envelope = {
    id: envelopeId(nonce, ciphertext),
    recipient_pub: keys.mailbox,
    sender_pub: toHex(sender.publicKey),
    sender_ed25519_pub: "",
    fee_ut: 0,
    fee_sig: null,
    nonce: toBase64(nonce),
    ciphertext: toBase64(ciphertext),
    sent_at: sentAtS,
  };
  return { ...envelope, admit: toBase64(signEd25519(admitSignBytes(chainId, envelope), keys.writeSeed)) };
}

/** Opens what lies in one mailbox of a file. */
export class StoredChunkOpener {
  readonly #key: CryptoKey;
  readonly #size: number;
  /** Numbers of chunks by the nonces of their envelopes: of anything else nothing is decrypted. */
  readonly #indexes: ReadonlyMap<string, number>;

  private constructor(key: CryptoKey, size: number, indexes: ReadonlyMap<string, number>) {
    this.#key = key;
    this.#size = size;
    this.#indexes = indexes;
  }

  /** `number`: of the mailbox, from 0. */
  static async of({ key: fileKey, size, boxes }: StoredFile, number: number): Promise<StoredChunkOpener> {
    const { key, names } = await readingKeys(fileKey, boxes[number] ?? "", "decrypt");
    const first = number * CHUNKS_A_BOX;
    const count = Math.min(CHUNKS_A_BOX, chunkCount(size) - first);
    const indexes = Array.from({ length: count }, (_, at): [string, number] => [toBase64(nonceOf(names, first + at)), first + at]);
    return new StoredChunkOpener(key, size, new Map(indexes));
  }

  /** The chunk of an envelope; undefined for what the sender of the file did not put there. */
  async open({ nonce, ciphertext }: Pick<InboxEntry, "nonce" | "ciphertext">): Promise<StoredChunk | undefined> {
    const index = this.#indexes.get(nonce);
    const sealed = index === undefined ? undefined : tryFromBase64(ciphertext);
    if (index === undefined || sealed?.length !== PLAIN_BYTES + TAG_BYTES) return undefined;
    const own = parameters(tryFromBase64(nonce) ?? new Uint8Array(NONCE_BYTES), index);
    const plain = await crypto.subtle.decrypt(own, this.#key, new Uint8Array(sealed)).catch(() => undefined);
    if (plain === undefined || new DataView(plain).getUint32(0) !== chunkBytes(this.#size, index)) return undefined;
    return { index, data: new Uint8Array(plain).slice(LENGTH_BYTES, LENGTH_BYTES + chunkBytes(this.#size, index)) };
  }
}

/** What who has the file's key knows of a mailbox: a key for its chunks, and one by which their nonces are found. */
async function readingKeys(
  fileKey: string,
  mailbox: X25519KeyHex,
  use: "encrypt" | "decrypt",
): Promise<{ readonly key: CryptoKey; readonly names: Uint8Array }> {
  const secret = derived(fromHex(fileKey), "parley file box reading", fromHex(mailbox), 2 * KEY_BYTES);
  const key = await crypto.subtle.importKey("raw", new Uint8Array(secret.slice(0, KEY_BYTES)), "AES-GCM", false, [use]);
  return { key, names: secret.slice(KEY_BYTES) };
}

/** Looks random to everyone without the file's key. A key encrypts one chunk under each, so it is no nonce twice for two texts. */
function nonceOf(names: Uint8Array, index: number): Uint8Array {
  return sha256(concatBytes(names, numberBytes(index))).slice(0, NONCE_BYTES);
}

function parameters(
  nonce: Uint8Array,
  index: number,
): { readonly name: "AES-GCM"; readonly iv: Uint8Array<ArrayBuffer>; readonly additionalData: Uint8Array<ArrayBuffer> } {
  return { name: "AES-GCM", iv: new Uint8Array(nonce.slice(0, IV_BYTES)), additionalData: new Uint8Array(numberBytes(index)) };
}

function numberBytes(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

function derived(secret: Uint8Array, purpose: string, salt: Uint8Array, length = KEY_BYTES): Uint8Array {
  return hkdf(sha256Hash, secret, salt, utf8(purpose), length);
}
