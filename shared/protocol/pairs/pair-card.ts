// Cards of a pair of devices: a key that one device drew for another one, and to which that one seals what it sends.
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import type { X25519KeyHex } from "../mail/envelope.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { domainBytes } from "../primitives/domains.ts";
import { sha256 } from "../primitives/hash.ts";
import { verifyZip215 } from "../primitives/signature.ts";
import { isAcceptableX25519Key } from "../primitives/x25519-key.ts";
import { cardNumber } from "./card-id.ts";
import { CARD_KEY_BYTES, isMlKemPublicKey, ML_KEM_PUBLIC_BYTES, X_WING_PUBLIC_BYTES } from "./pair-bytes.ts";

/** What is sealed to. */
export interface PairCard {
  /** Hex of 8 bytes. */
  readonly id: string;
  /** X-Wing public key, 1,216 bytes. */
  readonly kem: Uint8Array;
  /** X25519 public key, 32 bytes: keeps a thief of the recipient's lasting key from forging to its owner. */
  readonly x: Uint8Array;
  /** 32 bytes that only who was shown the card knows. */
  readonly psk: Uint8Array;
}

/** A card as it is shown, with the signature of the device that drew it. */
export interface ShownCard extends PairCard {
  /** Of the device's signing key, 64 bytes. */
  readonly signature: Uint8Array;
}

/** What a card is signed for. */
export interface CardOwner {
  readonly chainId: string;
  readonly devicePub: X25519KeyHex;
  /** Hex of 8 bytes. */
  readonly instance: string;
}

/** Bytes that a device signs for a card of its own: domain `parley-card` over [device key, instance, id, kem, x]. */
export function cardSignBytes({ chainId, devicePub, instance }: CardOwner, { id, kem, x }: Omit<PairCard, "psk">): Uint8Array {
  return domainBytes("card", chainId, [fromHex(devicePub), fromHex(instance), fromHex(id), kem, x]);
}

/**
 * True for a card that belongs to the instance, can be sealed to, and is signed by the device's signing key. Never throws for cards of the
 * right lengths.
 */
export function isGenuineCard(owner: CardOwner, card: ShownCard, signingPub: PublicKeyHex): boolean {
  const hasShape = card.kem.length === X_WING_PUBLIC_BYTES && card.x.length === CARD_KEY_BYTES && card.psk.length === CARD_KEY_BYTES;
  if (!hasShape || !isUsableCard(card) || cardNumber(owner.instance, card.id) === undefined) return false;
  return verifyZip215(card.signature, cardSignBytes(owner, card), fromHex(signingPub));
}

/** Who signs keys that are none takes the place of a card that was good, and stops whatever is sealed together with what is for them. */
export function isUsableCard({ kem, x }: Pick<PairCard, "kem" | "x">): boolean {
  const halves = [kem.subarray(ML_KEM_PUBLIC_BYTES), x];
  return isMlKemPublicKey(kem.subarray(0, ML_KEM_PUBLIC_BYTES)) && halves.every((key) => isAcceptableX25519Key(toHex(key)));
}

/** Hex of SHA-256 over both public keys of a card: two cards of one id that differ in it were drawn by two copies of a device. */
export function cardDigest({ kem, x }: Pick<PairCard, "kem" | "x">): string {
  return toHex(sha256(concatBytes(kem, x)));
}
