// Sealed envelopes: NaCl boxes (X25519, XSalsa20-Poly1305) for one device of the recipient. The node cannot read them.
import { hsalsa } from "@noble/ciphers/salsa.js";
import nacl from "tweetnacl";
import { CodedError } from "#shared/errors/coded-error.ts";
import { base64Length, fromHex, isBase64, isHex, toBase64, toHex, tryFromBase64, utf8 } from "#shared/util/bytes.ts";
import { type AmountUt, isAmount } from "../primitives/amount.ts";
import { domainBytes } from "../primitives/domains.ts";
import { type Hashing, hashing, type Sha256, sha256 } from "../primitives/hash.ts";
import { BOX_OVERHEAD_BYTES, MAX_ENVELOPE_BYTES, NONCE_BYTES } from "../primitives/limits.ts";
import { envelopeId } from "./envelope-id.ts";

/** Lower-case hex of an X25519 public key, 64 characters. */
export type X25519KeyHex = string;

/** An envelope as it travels in JSON. */
export interface Envelope {
  readonly id: string;
  readonly recipient_pub: X25519KeyHex;
  readonly sender_pub: X25519KeyHex;
  /** Sender's master key, or "". */
  readonly sender_ed25519_pub: string;
  readonly fee_ut: AmountUt;
  /** Base64 signature of the fee authorisation, null when the fee is 0. */
  readonly fee_sig: string | null;
  /** Base64 of 24 bytes. */
  readonly nonce: string;
  /** Base64 of the NaCl box. */
  readonly ciphertext: string;
  /** Unix seconds, the sender's claim; 0 when not given. */
  readonly sent_at: number;
}

/** An X25519 key pair, 32 bytes each. */
export interface BoxKeyPair {
  readonly publicKey: Uint8Array;
  readonly secretKey: Uint8Array;
}

/** What {@link sealEnvelope} needs. */
export interface SealInput {
  readonly plaintext: Uint8Array;
  readonly recipientPub: X25519KeyHex;
  readonly sender: BoxKeyPair;
  readonly senderMasterPub: string;
  /** 24 fresh random bytes. */
  readonly nonce: Uint8Array;
  readonly sentAt: number;
}

/** Ways to make and open a NaCl box whose shared key is known, and to hash: those here, or faster ones of a runtime with the same bytes. */
export interface BoxCipher {
  /** Nonces have 24 bytes, keys 32; the result has {@link BOX_OVERHEAD_BYTES} more than the plaintext. */
  seal(plaintext: Uint8Array, nonce: Uint8Array, sharedKey: Uint8Array): Uint8Array;
  /** Undefined for what is damaged or was sealed under another key. */
  open(ciphertext: Uint8Array, nonce: Uint8Array, sharedKey: Uint8Array): Uint8Array | undefined;
  readonly sha256: Sha256;
  /** The same of what comes in parts. */
  readonly hashing: () => Hashing;
}

/** Runs anywhere. */
export const PORTABLE_CIPHER: BoxCipher = {
  seal: (plaintext, nonce, sharedKey) => nacl.box.after(plaintext, nonce, sharedKey),
  open: (ciphertext, nonce, sharedKey) => nacl.box.open.after(ciphertext, nonce, sharedKey) ?? undefined,
  sha256,
  hashing,
};

/** Compact JSON of an envelope without its values: braces, names, commas and the quotes around six texts. */
const EMPTY_ENVELOPE_BYTES =
  '{"id":"","recipient_pub":"","sender_pub":"","sender_ed25519_pub":"","fee_ut":,"fee_sig":,"nonce":"","ciphertext":"","sent_at":}'.length;
const KEY_WORDS = 8;
const NONCE_WORDS = 4;
/** The constant of Salsa20 with 32-byte keys. */
const SIGMA = utf8("expand 32-byte k");
/** Longest id of an envelope, ASCII characters. */
export const ID_MAX_CHARS = 128;
const ID_PATTERN = /^[\x20-\x7e]{1,128}$/;
const ESCAPED_IN_ID = /["\\]/g;

/** X25519 key pair of a 32-byte secret. */
export function boxKeyPair(secretKey: Uint8Array): BoxKeyPair {
  return nacl.box.keyPair.fromSecretKey(secretKey);
}

/** Raw X25519 shared secret (32 bytes), or undefined for a key of small order. */
export function x25519(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  const shared = nacl.scalarMult(secretKey, publicKey);
  return shared.every((byte) => byte === 0) ? undefined : shared;
}

/** Key of the NaCl box between two parties (32 bytes), cached per peer. @throws CodedError ENVELOPE_INVALID for a key of small order. */
export function boxSharedKey(secretKey: Uint8Array, publicKey: X25519KeyHex): Uint8Array {
  const shared = x25519(secretKey, fromHex(publicKey));
  if (shared === undefined) throw new CodedError("ENVELOPE_INVALID", `${publicKey} is not a usable X25519 key`);
  return boxKeyOf(shared);
}

/** HSalsa20 of a shared secret: the second half of NaCl's `crypto_box_beforenm`, whose first half has been computed already. */
export function boxKeyOf(shared: Uint8Array): Uint8Array {
  const key = new Uint32Array(KEY_WORDS);
  hsalsa(wordsOf(SIGMA), wordsOf(shared), new Uint32Array(NONCE_WORDS), key);
  return new Uint8Array(key.buffer);
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

/** Seals a plaintext for one recipient key. Free of charge: `fee_ut` 0. */
export function sealEnvelope(
  input: SealInput,
  sharedKey: Uint8Array = boxSharedKey(input.sender.secretKey, input.recipientPub),
  cipher: BoxCipher = PORTABLE_CIPHER,
): Envelope {
  const ciphertext = cipher.seal(input.plaintext, input.nonce, sharedKey);
  return {
    id: envelopeId(input.nonce, ciphertext, cipher.sha256),
    recipient_pub: input.recipientPub,
    sender_pub: toHex(input.sender.publicKey),
    sender_ed25519_pub: input.senderMasterPub,
    fee_ut: 0,
    fee_sig: null,
    nonce: toBase64(input.nonce),
    ciphertext: toBase64(ciphertext),
    sent_at: input.sentAt,
  };
}

/** Plaintext of an envelope for the holder of the recipient key, or undefined when it was not sealed for it or is damaged. */
export function openEnvelope(
  envelope: Pick<Envelope, "nonce" | "ciphertext" | "sender_pub">,
  secretKey: Uint8Array,
  sharedKey?: Uint8Array,
  cipher: BoxCipher = PORTABLE_CIPHER,
): Uint8Array | undefined {
  const ciphertext = tryFromBase64(envelope.ciphertext);
  const nonce = tryFromBase64(envelope.nonce);
  if (ciphertext === undefined || nonce?.length !== NONCE_BYTES || !isHex(envelope.sender_pub, 32)) return undefined;
  if (sharedKey !== undefined) return cipher.open(ciphertext, nonce, sharedKey);
  const shared = x25519(secretKey, fromHex(envelope.sender_pub));
  return shared && cipher.open(ciphertext, nonce, boxKeyOf(shared));
}

/** Bytes of the fee authorisation: domain `parley-fee` over [id, fee_ut]. */
export function feeSignBytes(chainId: string, id: string, feeUt: AmountUt): Uint8Array {
  return domainBytes("fee", chainId, [id, feeUt]);
}

/** True for an id that a mailbox takes: printable ASCII. */
export function isEnvelopeId(id: unknown): id is string {
  return typeof id === "string" && ID_PATTERN.test(id);
}

/**
 * Checked and normalised envelope (hex in lower case, optional fields filled in) of untrusted JSON.
 * @throws CodedError ENVELOPE_INVALID naming the field. Fee signatures are not checked here.
 */
export function parseEnvelope(value: unknown): Envelope {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("envelope", "is a JSON object");
  const raw = value as Record<string, unknown>;
  const id = raw.id;
  if (!isEnvelopeId(id)) throw invalid("id", `is 1–${ID_MAX_CHARS} printable ASCII characters`);
  const fee = raw.fee_ut ?? 0;
  if (!isAmount(fee)) throw invalid("fee_ut", "is a non-negative integer");
  const sentAt = raw.sent_at ?? 0;
  if (!isAmount(sentAt)) throw invalid("sent_at", "is unix seconds");
  const envelope: Envelope = {
    id,
    recipient_pub: keyField(raw, "recipient_pub"),
    sender_pub: keyField(raw, "sender_pub"),
    sender_ed25519_pub: (raw.sender_ed25519_pub ?? "") === "" ? "" : keyField(raw, "sender_ed25519_pub"),
    fee_ut: fee,
    fee_sig: feeSignature(raw.fee_sig, fee),
    nonce: bytesField(raw, "nonce", NONCE_BYTES, NONCE_BYTES),
    ciphertext: bytesField(raw, "ciphertext", BOX_OVERHEAD_BYTES, MAX_ENVELOPE_BYTES),
    sent_at: sentAt,
  };
  if (envelopeBytes(envelope) > MAX_ENVELOPE_BYTES) throw invalid("envelope", `is larger than ${MAX_ENVELOPE_BYTES} bytes`);
  return envelope;
}

/** Size of an envelope of {@link parseEnvelope} as the limits count it: bytes of its compact JSON. Only an id can need an escape. */
export function envelopeBytes(envelope: Envelope): number {
  const { id, recipient_pub, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext, sent_at } = envelope;
  const escapes = id.match(ESCAPED_IN_ID)?.length ?? 0;
  const texts =
    id.length + escapes + recipient_pub.length + sender_pub.length + sender_ed25519_pub.length + nonce.length + ciphertext.length;
  const signature = fee_sig === null ? "null".length : fee_sig.length + 2;
  return EMPTY_ENVELOPE_BYTES + texts + signature + String(fee_ut).length + String(sent_at).length;
}

function keyField(raw: Readonly<Record<string, unknown>>, name: string): string {
  const text = raw[name];
  if (!isHex(text, 32)) throw invalid(name, "is 64 hex characters");
  return text.toLowerCase();
}

function bytesField(raw: Readonly<Record<string, unknown>>, name: string, min: number, max: number): string {
  const text = raw[name];
  const length = typeof text === "string" && isBase64(text) ? base64Length(text) : -1;
  if (typeof text === "string" && length >= min && length <= max) return text;
  throw invalid(name, min === max ? `is base64 of ${min} bytes` : `is base64 of ${min} to ${max} bytes`);
}

function feeSignature(value: unknown, fee: AmountUt): string | null {
  if (fee === 0 && (value === undefined || value === null || value === "")) return null;
  if (typeof value === "string" && tryFromBase64(value)?.length === 64) return value;
  throw invalid("fee_sig", "is base64 of a 64-byte signature, or null when fee_ut is 0");
}

function invalid(field: string, rule: string): CodedError {
  return new CodedError("ENVELOPE_INVALID", `${field} ${rule}`, { details: { field } });
}
