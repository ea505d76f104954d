// Public cards: a key that a device draws for everyone, once a day, so that a first content to it need not be sealed to its lasting key.
// Its keepers hold the newest one, and everyone can check it: the master key vouches for the key that signs it.
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { bytes, hex, integer } from "#shared/codec/scalars.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { certificateSignBytes } from "../mail/device-certificate.ts";
import type { X25519KeyHex } from "../mail/envelope.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { domainBytes } from "../primitives/domains.ts";
import { type VerifySignature, verifyZip215 } from "../primitives/signature.ts";
import { cardId, MAX_CARD_NUMBER } from "./card-id.ts";
import { CARD_KEY_BYTES, X_WING_PUBLIC_BYTES } from "./pair-bytes.ts";
import { isUsableCard, type PairCard } from "./pair-card.ts";

const INSTANCE_BYTES = 8;
const HOUR_MS = 3_600_000;
/** A public card is sealed to for so long after its hour, ms of block time. */
export const PUBLIC_CARD_MS: number = 7 * 86_400_000;
/** Of the clocks of two nodes: a card may be so far ahead of the newest block, ms. */
const AHEAD_MS = 2 * HOUR_MS;
/** A card is handed in while it is as young as this, ms of block time. */
const FRESH_MS = 86_400_000;
/** Bytes of an encoded card, at most. */
export const MAX_PUBLIC_CARD_BYTES = 1_478;

/** A public card, as it is stored and shown. */
export interface PublicCard {
  /** Hours of block time since 1970 when it was drawn: of two cards of a device the one with the greater number counts. */
  readonly number: number;
  /** Height of the chain then. */
  readonly height: number;
  /** Hex of 8 random bytes: of the store in which the secret is. */
  readonly instance: string;
  /** X-Wing public key, 1,216 bytes. */
  readonly kem: Uint8Array;
  /** X25519 public key, 32 bytes. */
  readonly x: Uint8Array;
  /** Whose device it is. */
  readonly masterPub: PublicKeyHex;
  /** Key of the device that signs. */
  readonly signingPub: PublicKeyHex;
  /** Hex: the master key's signature over the device's keys. */
  readonly certificate: string;
  /** Hex: the device's signature. */
  readonly signature: string;
}

/** What a device signs of its card. */
export type UnsignedPublicCard = Pick<PublicCard, "number" | "height" | "instance" | "kem" | "x" | "masterPub">;

const cardCodec = record(
  {
    number: integer(0, MAX_CARD_NUMBER),
    height: integer(),
    instance: hex(INSTANCE_BYTES),
    kem: bytes(X_WING_PUBLIC_BYTES),
    x: bytes(CARD_KEY_BYTES),
    masterPub: hex(32),
    signingPub: hex(32),
    certificate: hex(64),
    signature: hex(64),
  },
  1,
);

/** Bytes of a card: [1, number, height, instance, kem, x, master key, signing key, certificate, signature] */
export function encodePublicCard(card: PublicCard): Uint8Array {
  return encode(cardCodec, card);
}

/** The card of bytes; undefined for what is none. Nothing is checked yet. */
export function decodePublicCard(encoded: Uint8Array): PublicCard | undefined {
  return encoded.length > MAX_PUBLIC_CARD_BYTES ? undefined : tryDecode(cardCodec, encoded);
}

/** Bytes that a device signs for a card of its own: domain `parley-public` over [device key, number, height, instance, kem, x, master key]. */
export function publicCardSignBytes(
  chainId: string,
  devicePub: X25519KeyHex,
  { number, height, instance, kem, x, masterPub }: UnsignedPublicCard,
): Uint8Array {
  return domainBytes("publicCard", chainId, [fromHex(devicePub), number, height, fromHex(instance), kem, x, fromHex(masterPub)]);
}

type Verify = (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>;

/**
 * True for a card that can be sealed to, signed by the device, for whose signing key the master key vouches. Whether the chain lists the
 * device for that key is not said by it.
 */
export async function isGenuinePublicCard(
  chainId: string,
  devicePub: X25519KeyHex,
  card: PublicCard,
  verify: Verify = verifyZip215,
): Promise<boolean> {
  const { signingPub, masterPub, certificate, signature } = card;
  if (!isUsableCard(card)) return false;
  if (!(await verify(fromHex(signature), publicCardSignBytes(chainId, devicePub, card), fromHex(signingPub)))) return false;
  return await verify(fromHex(certificate), certificateSignBytes(chainId, { devicePub, signingPub }), fromHex(masterPub));
}

/** Number of a card that is drawn at a time of the chain, ms. */
export function publicCardNumber(blockMs: number): number {
  return Math.floor(blockMs / HOUR_MS);
}

/** When a card stops being valid, ms of block time. */
export function publicCardEndMs({ number }: Pick<PublicCard, "number">): number {
  return number * HOUR_MS + PUBLIC_CARD_MS;
}

/** True for a card that is valid at a time of the chain, ms. */
export function isPresentPublicCard(card: Pick<PublicCard, "number">, blockMs: number): boolean {
  return blockMs < publicCardEndMs(card) && card.number * HOUR_MS <= blockMs + AHEAD_MS;
}

/** True for a card that was drawn a short while ago: others are not taken from their owners, as a thief may have recorded them. */
export function isFreshPublicCard(card: Pick<PublicCard, "number">, blockMs: number): boolean {
  return isPresentPublicCard(card, blockMs) && blockMs < card.number * HOUR_MS + FRESH_MS;
}

/** A card as contents are sealed to it. Everyone knows it, so nothing is shared beforehand. */
export function sealableCard({ instance, number, kem, x }: Pick<PublicCard, "instance" | "number" | "kem" | "x">): PairCard {
  return { id: cardId(instance, number), kem, x, psk: new Uint8Array(CARD_KEY_BYTES) };
}

/** True for the same bytes. */
export function isSamePublicCard(one: PublicCard, other: PublicCard): boolean {
  const [a, b] = [encodePublicCard(one), encodePublicCard(other)];
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
