// Sealing and opening for a card. The key of a content comes from a fresh encapsulation to the card, from two key agreements that prove the
// sender's device, and from what only who was shown the card knows. There is no signature: both sides could have made it. A public card is
// shown to everyone, and says nothing of who seals to it: the sender's keys come along, sealed to it as well.
import { gcm } from "@noble/ciphers/aes.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { X25519KeyHex } from "../mail/envelope.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import type { KemWork } from "./kem-ahead.ts";
import type { KemPrimitives } from "./kem-primitives.ts";
import { CARD_KEY_BYTES } from "./pair-bytes.ts";
import { cardDigest, type PairCard } from "./pair-card.ts";
import { formOf, HEDGE_BYTES, PAIR_FORM, type PairForm, type PairParts, PUBLIC_PAIR_FORM, padContent, unpadContent } from "./pair-wire.ts";
import { decapsulationWork, encapsulationWork, type SealingWork, xWingDecapsulate, xWingEncapsulate } from "./x-wing.ts";

const NONCE = new Uint8Array(12);
const KEY_BYTES = 32;

/** One side of a pair. */
export interface PairSide {
  readonly masterPub: PublicKeyHex;
  readonly devicePub: X25519KeyHex;
}

/** Whose pair it is. */
export interface PairContext {
  readonly chainId: string;
  /** Key of the mailbox that the envelope is for. */
  readonly mailbox: X25519KeyHex;
  readonly sender: PairSide;
  readonly recipient: PairSide;
}

/** What the owner of a card keeps of it. */
export interface CardSecret {
  /** Hex of 8 bytes. */
  readonly id: string;
  /** Secret key of X-Wing, 32 bytes. */
  readonly kem: Uint8Array;
  /** Secret key of X25519, 32 bytes. */
  readonly x: Uint8Array;
  readonly psk: Uint8Array;
  /** Hex: {@link cardDigest} of the public keys. */
  readonly digest: string;
}

/** Both agreements of the lasting keys, as {@link pairKey} takes them; 32 bytes each. */
interface Agreements {
  readonly withCard: Uint8Array;
  readonly withDevice: Uint8Array;
}

/** Randomness of one content, 32 bytes each. */
export interface DrawnSeal {
  /** Secret of the X25519 key of X-Wing; wiped. */
  readonly x25519Secret: Uint8Array;
  /** What the hedge is over, beside the content. */
  readonly hedge: Uint8Array;
}

/** Draws the randomness of one content. */
export function drawSeal(random: RandomBytes): DrawnSeal {
  return { x25519Secret: random(KEY_BYTES), hedge: random(KEY_BYTES) };
}

/** What {@link sealPair} needs beside the context. */
export interface PairSealInput {
  readonly content: Uint8Array;
  readonly card: PairCard;
  /** X25519 secret of the sender's device with the card's key and with the recipient's device; undefined for keys of small order. */
  readonly agree: (publicKey: Uint8Array) => Uint8Array | undefined;
  /** A key of the sender's device, 32 bytes. */
  readonly hedgeKey: Uint8Array;
  readonly random: RandomBytes;
  /** Drawn before; otherwise it is drawn here. */
  readonly drawn?: DrawnSeal | undefined;
  /** The form; that of a pair by default. With those of a public card the sender's keys go along. */
  readonly form?: PairForm | undefined;
}

/** Seals a content. @throws RangeError for a content that is too long, or keys that are unusable. */
export function sealPair(kem: KemPrimitives, context: PairContext, input: PairSealInput): PairParts {
  const { content, card, agree, hedgeKey, random, form = PAIR_FORM, drawn = drawSeal(random) } = input;
  // Whoever was shown another one could not open it, and would not say why.
  if (card.psk.length !== CARD_KEY_BYTES) throw new RangeError(`The pre-shared key of a card has ${CARD_KEY_BYTES} bytes`);
  const frame = padContent(content, form);
  const withCard = agree(card.x);
  const withDevice = agree(fromHex(context.recipient.devicePub));
  if (withCard === undefined || withDevice === undefined) throw new RangeError("A key of the card or of the device is of small order");
  const { ciphertext, secret } = xWingEncapsulate(kem, card.kem, { x25519Secret: drawn.x25519Secret });
  const hedge = hedgeOf(hedgeKey, drawn.hedge, content);
  const head = { cardId: card.id, hedge, ciphertext };
  const isOfPair = form === PUBLIC_PAIR_FORM && ({ isOfPair: true } as const);
  const parts = form === PAIR_FORM ? head : { ...head, from: sealSender(context, head, secret), ...isOfPair };
  const key = pairKey(context, parts, { secret, withCard, withDevice, psk: card.psk, digest: cardDigest(card) });
  const sealed = gcm(key, NONCE).encrypt(frame);
  wipe(secret, withCard, withDevice, key, frame);
  return { ...parts, sealed };
}

/** What {@link sealPair} computes with primitives, by the device's secret: the caller's. */
export function sealingWork(
  card: PairCard,
  drawn: DrawnSeal,
  { deviceSecret, recipientPub }: { readonly deviceSecret: Uint8Array; readonly recipientPub: X25519KeyHex },
): SealingWork {
  const { agreements, encapsulations } = encapsulationWork(card.kem, drawn.x25519Secret);
  const own = [card.x, fromHex(recipientPub)].map((publicKey) => ({ secretKey: deviceSecret, publicKey }));
  return { agreements: [...agreements, ...own], encapsulations };
}

/** What {@link openPair} needs beside the context. */
export interface PairOpenInput {
  readonly parts: PairParts;
  readonly card: CardSecret;
  /** X25519 secret of the recipient's device with another device's key. */
  readonly agree: (publicKey: Uint8Array) => Uint8Array | undefined;
}

/** The content of an envelope; undefined when it was not sealed to this card by that device, or is damaged. Never throws. */
export function openPair(kem: KemPrimitives, context: PairContext, { parts, card, agree }: PairOpenInput): Uint8Array | undefined {
  const sender = fromHex(context.sender.devicePub);
  const secret = xWingDecapsulate(kem, card.kem, parts.ciphertext);
  const withCard = kem.x25519(card.x, sender);
  const withDevice = agree(sender);
  if (secret === undefined || withCard === undefined || withDevice === undefined) return undefined;
  const key = pairKey(context, parts, { secret, withCard, withDevice, psk: card.psk, digest: card.digest });
  wipe(secret, withCard, withDevice);
  try {
    const frame = gcm(key, NONCE).decrypt(parts.sealed);
    const content = unpadContent(frame, formOf(parts));
    wipe(frame);
    return content;
  } catch {
    return undefined;
  } finally {
    wipe(key);
  }
}

/** What {@link openPair} computes with primitives, by the device's secret: the caller's. */
export function openingWork(
  { parts, card }: Pick<PairOpenInput, "parts" | "card">,
  { deviceSecret, senderPub }: { readonly deviceSecret: Uint8Array; readonly senderPub: X25519KeyHex },
): Required<Omit<KemWork, "encapsulations">> {
  const { agreements, ...work } = decapsulationWork(card.kem, parts.ciphertext);
  const publicKey = fromHex(senderPub);
  const own = [card.x, deviceSecret].map((secretKey) => ({ secretKey, publicKey }));
  return { ...work, agreements: [...agreements, ...own] };
}

/** A content that was sealed to a public card, and whose device sealed it; undefined for what was not sealed to it, or is damaged. Never throws. */
export function openPublic(
  kem: KemPrimitives,
  context: Omit<PairContext, "sender">,
  input: PairOpenInput,
): { readonly content: Uint8Array; readonly sender: PairSide } | undefined {
  const { parts, card } = input;
  const secret = parts.from && xWingDecapsulate(kem, card.kem, parts.ciphertext);
  if (parts.from === undefined || secret === undefined) return undefined;
  const sender = openSender(context, { ...parts, from: parts.from }, secret);
  wipe(secret);
  const content = sender && openPair(kem, { ...context, sender }, input);
  return content && { content, sender };
}

/** First bytes of HMAC-SHA-256 over randomness and content: where the randomness repeats, other contents have other keys. */
export function hedgeOf(hedgeKey: Uint8Array, randomness: Uint8Array, content: Uint8Array): Uint8Array {
  return hmac(sha256, hedgeKey, concatBytes(randomness, sha256(content))).slice(0, HEDGE_BYTES);
}

/** Key of one content, 32 bytes. */
export function pairKey(
  { chainId, mailbox, sender, recipient }: PairContext,
  parts: Omit<PairParts, "sealed">,
  card: Agreements & Pick<CardSecret, "psk" | "digest"> & { readonly secret: Uint8Array },
): Uint8Array {
  const { cardId, hedge, ciphertext } = parts;
  const keys = [mailbox, sender.masterPub, sender.devicePub, recipient.masterPub, recipient.devicePub, cardId, card.digest];
  const domain = utf8(`parley/2 seal\n${chainId}\n`);
  const salt = sha256(concatBytes(domain, Uint8Array.of(formOf(parts)), ...keys.map(fromHex), hedge, sha256(ciphertext)));
  const input = concatBytes(card.secret, card.withCard, card.withDevice, card.psk);
  const key = hkdf(sha256, input, salt, utf8("parley/2 content"), KEY_BYTES);
  wipe(input);
  return key;
}

type Head = Pick<PairParts, "cardId" | "hedge" | "ciphertext">;

/** The sender's keys, for the holder of the card alone. */
function sealSender(context: PairContext, head: Head, secret: Uint8Array): Uint8Array {
  const { masterPub, devicePub } = context.sender;
  const key = senderKey(context, head, secret);
  const sealed = gcm(key, NONCE).encrypt(concatBytes(fromHex(masterPub), fromHex(devicePub)));
  wipe(key);
  return sealed;
}

function openSender(
  context: Omit<PairContext, "sender">,
  parts: Head & { readonly from: Uint8Array },
  secret: Uint8Array,
): PairSide | undefined {
  const key = senderKey(context, parts, secret);
  try {
    const keys = gcm(key, NONCE).decrypt(parts.from);
    return { masterPub: toHex(keys.subarray(0, KEY_BYTES)), devicePub: toHex(keys.subarray(KEY_BYTES)) };
  } catch {
    return undefined;
  } finally {
    wipe(key);
  }
}

/** Key under which the sender's keys are, 32 bytes. */
export function senderKey(
  { chainId, mailbox }: Pick<PairContext, "chainId" | "mailbox">,
  { cardId, hedge, ciphertext }: Head,
  secret: Uint8Array,
): Uint8Array {
  const salt = sha256(concatBytes(utf8(`parley/2 from\n${chainId}\n`), fromHex(mailbox), fromHex(cardId), hedge, sha256(ciphertext)));
  return hkdf(sha256, secret, salt, utf8("parley/2 from"), KEY_BYTES);
}

function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}
