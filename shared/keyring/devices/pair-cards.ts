// Cards of pairs: drawn, signed, sealed to and opened with. Loaded with the first of them. The secrets of cards lie outside of the vault, with
// what their owner stores, under a key in it: when that key is renewed and the one before goes, no older copy of them opens any more.
import { decode, encode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { bytes, hex } from "#shared/codec/scalars.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { admitSignBytes } from "#shared/protocol/mail/box-opening.ts";
import { boxKeyOf, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { cardNumber } from "#shared/protocol/pairs/card-id.ts";
import { type KemWork, X25519_BASE } from "#shared/protocol/pairs/kem-ahead.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import { CARD_ID_BYTES, CARD_KEY_BYTES, X_WING_SECRET_BYTES } from "#shared/protocol/pairs/pair-bytes.ts";
import { cardDigest, cardSignBytes } from "#shared/protocol/pairs/pair-card.ts";
import {
  type CardSecret,
  type DrawnSeal,
  drawSeal,
  openingWork,
  openPair,
  type PairSide,
  sealingWork,
  sealPair,
} from "#shared/protocol/pairs/pair-cipher.ts";
import { readPair, writePair } from "#shared/protocol/pairs/pair-wire.ts";
import { xWingPublicKey } from "#shared/protocol/pairs/x-wing.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { isAcceptableX25519Key } from "#shared/protocol/primitives/x25519-key.ts";
import { concatBytes, fromHex, toBase64, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { DrawCardsRequest, DrawnCard, OpenPairsRequest, PairSealRequest, SealedEnvelope, SealRequest } from "../keyring-api.ts";
import { deriveKey } from "../vault/derivation.ts";
import type { DeviceCredentials } from "../vault/device-credentials.ts";
import { openPart, sealPart } from "../vault/vault-cipher.ts";
import { wipe } from "../vault/vault-secrets.ts";

const HOUR_S = 3_600;

const secretCodec = record({
  id: hex(CARD_ID_BYTES),
  kem: bytes(X_WING_SECRET_BYTES),
  x: bytes(CARD_KEY_BYTES),
  psk: bytes(CARD_KEY_BYTES),
  digest: hex(32),
});

/** The open device, and what seals and opens with. */
export interface PairContext {
  readonly own: PairSide;
  readonly kem: KemPrimitives;
  readonly random: RandomBytes;
}

/** New cards, signed, with their secrets sealed; null while the master key has not vouched for this device on the network. */
export function drawCards(
  context: PairContext,
  credentials: DeviceCredentials,
  { chainId, cards }: DrawCardsRequest,
  cardKey: Uint8Array,
): readonly DrawnCard[] | null {
  const { own, kem, random } = context;
  const drawn: DrawnCard[] = [];
  for (const { instance, id } of cards) {
    if (cardNumber(instance, id) === undefined) throw new CodedError("BAD_REQUEST", "The id is not one of a card of this instance");
    const [kemSecret, xSecret, psk] = [random(X_WING_SECRET_BYTES), random(CARD_KEY_BYTES), random(CARD_KEY_BYTES)];
    const keys = { id, kem: xWingPublicKey(kem, kemSecret), x: kem.x25519PublicKey(xSecret) };
    const signature = credentials.signCard(chainId, cardSignBytes({ chainId, devicePub: own.devicePub, instance }, keys));
    if (signature === null) return null;
    const secret = { id, kem: kemSecret, x: xSecret, psk, digest: cardDigest(keys) };
    drawn.push({ card: { ...keys, psk: psk.slice(), signature }, secret: sealSecret(context, cardKey, secret) });
    wipe(kemSecret, xSecret, psk);
  }
  return drawn;
}

/** A request to seal to a card. */
export type CardSealRequest = SealRequest & { readonly pair: PairSealRequest };

/** Randomness of one envelope. */
export interface DrawnEnvelope extends DrawnSeal {
  /** Secret of the outer box, 32 bytes; wiped. */
  readonly once: Uint8Array;
}

/** Draws the randomness of one envelope. */
export function drawEnvelope(random: RandomBytes): DrawnEnvelope {
  return { once: random(CARD_KEY_BYTES), ...drawSeal(random) };
}

/** What {@link sealToCard} computes with primitives; nothing for a request that is refused. */
export function sealToCardWork(
  { recipients: [device], pair: { card, box } }: CardSealRequest,
  drawn: DrawnEnvelope,
  deviceSecret: Uint8Array,
): KemWork {
  const mailbox = box?.mailbox ?? device;
  if (device === undefined || mailbox === undefined) return { agreements: [] };
  const { agreements, encapsulations } = sealingWork(card, drawn, { deviceSecret, recipientPub: device });
  const outer = [fromHex(mailbox), X25519_BASE].map((publicKey) => ({ secretKey: drawn.once, publicKey }));
  return { agreements: [...agreements, ...outer], encapsulations };
}

/** An envelope for the card of a pair, for a box of the recipient's device or its lasting mailbox. The device secret stays the caller's. @throws CodedError ENVELOPE_INVALID for unusable keys. */
export function sealToCard(
  { own, kem, random }: PairContext,
  deviceSecret: Uint8Array,
  request: CardSealRequest,
  drawn: DrawnEnvelope = drawEnvelope(random),
): SealedEnvelope {
  const { plaintext: content, recipients, sentAt, pair } = request;
  const [device] = recipients;
  const { chainId, recipientMasterPub, card, box, form } = pair;
  const mailbox = box?.mailbox ?? device;
  if (device === undefined || mailbox === undefined || recipients.length > 1 || ![device, mailbox].every(isAcceptableX25519Key))
    throw new CodedError("ENVELOPE_INVALID", "A card is for one device, with a usable X25519 key");
  const context = { chainId, mailbox, sender: own, recipient: { masterPub: recipientMasterPub, devicePub: device } };
  const hedgeKey = deriveKey(deviceSecret, "message hedge");
  const { once } = drawn;
  try {
    const agree = (publicKey: Uint8Array): Uint8Array | undefined => kem.x25519(deviceSecret, publicKey);
    const parts = sealPair(kem, context, { content, card, agree, hedgeKey, random, drawn, form });
    const sender = { publicKey: kem.x25519PublicKey(once), secretKey: once };
    const shared = kem.x25519(once, fromHex(mailbox));
    if (shared === undefined) throw new RangeError("The mailbox key is of small order");
    const sharedKey = boxKeyOf(shared);
    const input = { plaintext: writePair(parts), recipientPub: mailbox, sender, senderMasterPub: "", nonce: random(NONCE_BYTES) };
    const envelope = sealEnvelope({ ...input, sentAt: sentAt - (sentAt % HOUR_S) }, sharedKey);
    wipe(shared, sharedKey);
    return box === undefined ? envelope : { ...envelope, admit: toBase64(signEd25519(admitSignBytes(chainId, envelope), box.writeSeed)) };
  } catch (cause) {
    throw new CodedError("ENVELOPE_INVALID", `The content cannot be sealed: ${(cause as Error).message}`, { cause });
  } finally {
    wipe(hedgeKey, once);
  }
}

/** What {@link openWithCards} computes with primitives. */
export function openWithCardsWork(
  context: PairContext,
  deviceSecret: Uint8Array,
  { items }: OpenPairsRequest,
  cardKeys: readonly Uint8Array[],
): KemWork {
  const secrets = items.map(({ secret }) => openSecret(context, cardKeys, secret));
  const works = items.map(({ pair, sender }, at): KemWork => {
    const [parts, card] = [readPair(pair), secrets[at]];
    if (typeof parts === "string" || card?.id !== parts.cardId) return { agreements: [] };
    return openingWork({ parts, card }, { deviceSecret, senderPub: sender.devicePub });
  });
  return {
    agreements: works.flatMap(({ agreements }) => agreements),
    decapsulations: works.flatMap(({ decapsulations = [] }) => decapsulations),
    secrets: [...works.flatMap((work) => work.secrets ?? []), ...secrets.flatMap((card) => (card ? [card.kem, card.x, card.psk] : []))],
  };
}

/** Contents of opened envelopes, in order; null for what was not sealed by that device to that card. */
export function openWithCards(
  context: PairContext,
  deviceSecret: Uint8Array,
  { chainId, items }: OpenPairsRequest,
  cardKeys: readonly Uint8Array[],
): readonly (Uint8Array | null)[] {
  const { own, kem } = context;
  return items.map(({ pair, secret: sealed, sender, mailbox = own.devicePub }) => {
    const parts = readPair(pair);
    const secret = openSecret(context, cardKeys, sealed);
    if (typeof parts === "string" || secret === undefined || secret.id !== parts.cardId) return null;
    const agree = (publicKey: Uint8Array): Uint8Array | undefined => kem.x25519(deviceSecret, publicKey);
    const opened = openPair(kem, { chainId, mailbox, sender, recipient: own }, { parts, card: secret, agree });
    wipeSecret(secret);
    return opened ?? null;
  });
}

/** Secrets of cards under the newest key, in order; null for what is under none of these. */
export function resealSecrets(
  context: PairContext,
  secrets: readonly Uint8Array[],
  cardKeys: readonly Uint8Array[],
): readonly (Uint8Array | null)[] {
  const [newest] = cardKeys;
  return secrets.map((sealed) => {
    const secret = openSecret(context, cardKeys, sealed);
    if (secret === undefined || newest === undefined) return null;
    const resealed = sealSecret(context, newest, secret);
    wipeSecret(secret);
    return resealed;
  });
}

/** A secret under the key of the vault. */
export function sealSecret(context: PairContext, cardKey: Uint8Array, secret: CardSecret): Uint8Array {
  const plaintext = encode(secretCodec, secret);
  const sealed = sealPart(cardKey, plaintext, associated(context), context.random);
  wipe(plaintext);
  return sealed;
}

/** A secret of this device that lies under one of the keys. */
export function openSecret(context: PairContext, cardKeys: readonly Uint8Array[], sealed: Uint8Array): CardSecret | undefined {
  for (const key of cardKeys) {
    const plaintext = openPart(key, sealed, associated(context));
    if (plaintext === undefined) continue;
    const secret = decode(secretCodec, plaintext);
    wipe(plaintext);
    return secret;
  }
  return undefined;
}

function associated({ own }: PairContext): Uint8Array {
  return concatBytes(utf8("parley card secret\n"), fromHex(own.devicePub));
}

/** Wipes what opens. */
export function wipeSecret({ kem, x, psk }: CardSecret): void {
  wipe(kem, x, psk);
}

/** A new key of the vault for secrets of cards. */
export function newCardKey(random: RandomBytes): Uint8Array {
  return random(CARD_KEY_BYTES);
}
