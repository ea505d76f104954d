// Seals and opens envelopes with the key of one device. Shared keys are cached per peer: deriving one costs more than the box itself.
import { CodedError } from "#shared/errors/coded-error.ts";
import {
  type BoxKeyPair,
  boxKeyOf,
  boxKeyPair,
  type Envelope,
  openEnvelope,
  sealEnvelope,
  type X25519KeyHex,
  x25519,
} from "#shared/protocol/mail/envelope.ts";
import type { KemWork } from "#shared/protocol/pairs/kem-ahead.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { isAcceptableX25519Key } from "#shared/protocol/primitives/x25519-key.ts";
import { fromHex, toHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { BoxName, OpenedItem, SealedItem, SealRequest } from "../keyring-api.ts";
import { wipe } from "../vault/vault-secrets.ts";
import { contactBoxKeys } from "./contact-boxes.ts";
import { type EpochKeys, epochHint } from "./epoch-keys.ts";
import { hideSender, readHidden } from "./hidden-sender.ts";

const KEY_BYTES = 32;
/** What a hidden sender's envelope says of the time, seconds. */
const HOUR_S = 3_600;
/** First bytes of the forms for cards, without their number: 2 for a pair of devices, 3 and 4 for a public card, others of later versions. */
const CARD_HEAD = Uint8Array.of(0xff, 0x50, 0x4c, 0x51);
/** Plaintext of an item that is sealed to an epoch key, or undefined. */
function openToEpoch(item: SealedItem, epochs: Pick<EpochKeys, "secretFor">, agree: Agree): Uint8Array | undefined {
  const nonce = tryFromBase64(item.nonce);
  const secret = nonce && epochs.secretFor(nonce);
  if (secret === undefined) return undefined;
  try {
    return openEnvelope(item, secret, keyBetween(agree, secret, item.sender_pub));
  } catch {
    return undefined;
  }
}

/** Raw X25519 secret of two keys, or undefined for a public key of small order: native where a host has it. */
export type Agree = (secretKey: Uint8Array, publicKey: Uint8Array) => Uint8Array | undefined;

/** Key of the NaCl box between two parties. @throws CodedError ENVELOPE_INVALID for an unusable key. */
function keyBetween(agree: Agree, secretKey: Uint8Array, publicKey: X25519KeyHex): Uint8Array {
  const shared = isAcceptableX25519Key(publicKey) ? agree(secretKey, fromHex(publicKey)) : undefined;
  if (shared === undefined) throw new CodedError("ENVELOPE_INVALID", "The key is not a usable X25519 key");
  const key = boxKeyOf(shared);
  wipe(shared);
  return key;
}

/** True for what is sealed to a card of a pair, or in a form of a later version. */
function isPairForm(plaintext: Uint8Array): boolean {
  const form = plaintext[CARD_HEAD.length] ?? 0;
  return CARD_HEAD.every((byte, at) => plaintext[at] === byte) && (form === 2 || form > 4);
}

/** True for what is sealed to a public card. */
function isPublicForm(plaintext: Uint8Array): boolean {
  const form = plaintext[CARD_HEAD.length];
  return CARD_HEAD.every((byte, at) => plaintext[at] === byte) && (form === 3 || form === 4);
}

/** Peers whose shared keys are cached. */
const MAX_CACHED_PEERS = 1_024;
/** Boxes whose secrets are cached. */
const MAX_CACHED_BOXES = 256;
/** Nodes whose raw secrets are cached: one is in use, another while a device moves. */
const MAX_CACHED_NODES = 4;

/** The device's side of all its boxes. */
export class DeviceBox {
  readonly #keys: BoxKeyPair;
  readonly #random: RandomBytes;
  readonly #agree: Agree;
  readonly #sharedKeys = new Map<X25519KeyHex, Uint8Array>();
  readonly #agreed = new Map<X25519KeyHex, Uint8Array>();
  readonly #boxes = new Map<string, Uint8Array>();

  /** Takes the secret over: {@link close} wipes it. */
  constructor(secretKey: Uint8Array, random: RandomBytes, agree: Agree = x25519) {
    this.#keys = boxKeyPair(secretKey);
    this.#random = random;
    this.#agree = agree;
    wipe(secretKey);
  }

  get publicKey(): X25519KeyHex {
    return toHex(this.#keys.publicKey);
  }

  /** One envelope per recipient, in order. @throws CodedError ENVELOPE_INVALID for an unusable recipient key. */
  seal(requests: readonly SealRequest[], senderMasterPub: PublicKeyHex): readonly Envelope[] {
    return requests.flatMap(({ plaintext, recipients, sentAt, hidesSender = false, epochPub }) =>
      recipients.map((recipientPub) => {
        const nonce = this.#random(NONCE_BYTES);
        const input = { plaintext, recipientPub, sender: this.#keys, senderMasterPub, nonce, sentAt };
        const envelope = sealEnvelope(input, this.#sharedKey(recipientPub));
        return hidesSender || epochPub !== undefined ? this.#wrap(envelope, epochPub) : envelope;
      }),
    );
  }

  /** The envelope inside another one that is sealed with a key used once, to the recipient's epoch key where one is known. It names the hour alone. */
  #wrap({ sent_at: sentAt, ...envelope }: Envelope, epochPub: string | undefined): Envelope {
    const once = boxKeyPair(this.#random(KEY_BYTES));
    const nonce = this.#random(NONCE_BYTES);
    if (epochPub !== undefined) nonce.set(epochHint(epochPub));
    const input = { recipientPub: envelope.recipient_pub, sender: once, senderMasterPub: "", nonce, sentAt: sentAt - (sentAt % HOUR_S) };
    const sharedKey = keyBetween(this.#agree, once.secretKey, epochPub ?? envelope.recipient_pub);
    const wrapped = sealEnvelope({ ...input, plaintext: hideSender(envelope) }, sharedKey);
    wipe(once.secretKey, sharedKey);
    return wrapped;
  }

  /** Agreements that {@link open} makes for these items first, as far as they are with keys that were used once. */
  openingWork(items: readonly SealedItem[], epochs: Pick<EpochKeys, "secretFor">): KemWork {
    const agreements = items.flatMap(({ sender_pub: sender, nonce, box }) => {
      if (!isAcceptableX25519Key(sender)) return [];
      const hint = box === undefined ? tryFromBase64(nonce) : undefined;
      const secretKey = box === undefined ? hint && epochs.secretFor(hint) : this.#boxSecret(box);
      if (secretKey === undefined && this.#sharedKeys.has(sender.toLowerCase())) return [];
      return [{ secretKey: secretKey ?? this.#keys.secretKey, publicKey: fromHex(sender) }];
    });
    return { agreements };
  }

  /** Opens items in order; what is damaged or meant for another key gives null. `agree`: with what was made before. */
  open(items: readonly SealedItem[], epochs: Pick<EpochKeys, "secretFor">, agree: Agree = this.#agree): readonly OpenedItem[] {
    return items.map((item) => {
      if (item.box !== undefined) return this.#openInBox(item, item.box, agree);
      const plaintext = openToEpoch(item, epochs, agree) ?? this.#openOne(item, agree);
      if (plaintext !== null && (isPairForm(plaintext) || isPublicForm(plaintext)))
        return { plaintext: null, senderPub: item.sender_pub, pair: plaintext };
      const hidden = plaintext === null ? undefined : readHidden(plaintext);
      if (hidden === undefined) return { plaintext, senderPub: item.sender_pub };
      return { plaintext: this.#openOne(hidden, this.#agree), senderPub: hidden.sender_pub };
    });
  }

  /** What lay in a box for one person: only what is sealed to cards, which says who sealed it. */
  #openInBox(item: SealedItem, name: BoxName, agree: Agree): OpenedItem {
    let plaintext: Uint8Array | undefined;
    try {
      const secret = this.#boxSecret(name);
      plaintext = openEnvelope(item, secret, keyBetween(agree, secret, item.sender_pub));
    } catch {
      // Damaged.
    }
    const opened = { plaintext: null, senderPub: item.sender_pub };
    return plaintext !== undefined && isPairForm(plaintext) ? { ...opened, pair: plaintext } : opened;
  }

  #boxSecret(name: BoxName): Uint8Array {
    const key = [name.chainId, name.peer, name.generation].join(" ");
    const secret = this.#boxes.get(key) ?? contactBoxKeys(this.#keys.secretKey, name).secretKey;
    this.#boxes.delete(key);
    this.#boxes.set(key, secret);
    dropOldest(this.#boxes, MAX_CACHED_BOXES);
    return secret;
  }

  #openOne(item: SealedItem, agree: Agree): Uint8Array | null {
    try {
      return openEnvelope(item, this.#keys.secretKey, this.#sharedKey(item.sender_pub, agree)) ?? null;
    } catch {
      return null;
    }
  }

  /** Raw X25519 secret with another key, which the caller wipes. @throws CodedError BAD_REQUEST for an unusable key. */
  agree(publicKey: X25519KeyHex): Uint8Array {
    const known = this.#agreed.get(publicKey);
    if (known !== undefined) return known.slice();
    const secret = isAcceptableX25519Key(publicKey) ? this.#agree(this.#keys.secretKey, fromHex(publicKey)) : undefined;
    if (secret === undefined) throw new CodedError("BAD_REQUEST", "relayPub is not a usable X25519 key");
    this.#agreed.set(publicKey, secret);
    dropOldest(this.#agreed, MAX_CACHED_NODES);
    return secret.slice();
  }

  /** A copy of the secret, to be sealed into the vault. */
  exportSecret(): Uint8Array {
    return this.#keys.secretKey.slice();
  }

  /** Calls with a copy of the secret, which is wiped afterwards. */
  withSecret<T>(use: (secret: Uint8Array) => T): T {
    const secret = this.exportSecret();
    try {
      return use(secret);
    } finally {
      wipe(secret);
    }
  }

  /** A copy of the secret of a box, or of the device; the caller wipes it. */
  secretOf(box: BoxName | undefined): Uint8Array {
    return box === undefined ? this.exportSecret() : this.#boxSecret(box).slice();
  }

  close(): void {
    wipe(this.#keys.secretKey, ...this.#sharedKeys.values(), ...this.#agreed.values(), ...this.#boxes.values());
    this.#boxes.clear();
    this.#sharedKeys.clear();
    this.#agreed.clear();
  }

  #sharedKey(peer: X25519KeyHex, agree: Agree = this.#agree): Uint8Array {
    const name = peer.toLowerCase();
    const key = this.#sharedKeys.get(name) ?? keyBetween(agree, this.#keys.secretKey, name);
    this.#sharedKeys.delete(name);
    this.#sharedKeys.set(name, key);
    dropOldest(this.#sharedKeys, MAX_CACHED_PEERS);
    return key;
  }
}

function dropOldest(keys: Map<string, Uint8Array>, most: number): void {
  const [oldest] = keys;
  if (keys.size <= most || oldest === undefined) return;
  wipe(oldest[1]);
  keys.delete(oldest[0]);
}
