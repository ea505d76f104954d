// Public cards in the keyring: drawn and signed for everyone, and opened with. Their secrets lie where those of other cards do.
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import { CARD_KEY_BYTES, X_WING_SECRET_BYTES } from "#shared/protocol/pairs/pair-bytes.ts";
import { cardDigest } from "#shared/protocol/pairs/pair-card.ts";
import { openPublic } from "#shared/protocol/pairs/pair-cipher.ts";
import { readPair } from "#shared/protocol/pairs/pair-wire.ts";
import { encodePublicCard, publicCardSignBytes } from "#shared/protocol/pairs/public-card.ts";
import { xWingPublicKey } from "#shared/protocol/pairs/x-wing.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { DrawnPublicCard, DrawPublicRequest, OpenedPublic, OpenPublicRequest } from "../keyring-api.ts";
import type { DeviceCredentials } from "../vault/device-credentials.ts";
import { openSecret, type PairContext, sealSecret, wipeSecret } from "./pair-cards.ts";

/** A new public card, signed, with its secret sealed; null while the master key has not vouched for this device on the network. */
export function drawPublicCard(
  context: PairContext,
  credentials: DeviceCredentials,
  { chainId, instance, number, height }: DrawPublicRequest,
  cardKey: Uint8Array,
): DrawnPublicCard | null {
  const { own, kem, random } = context;
  const { masterPub, devicePub } = own;
  const [kemSecret, xSecret] = [random(X_WING_SECRET_BYTES), random(CARD_KEY_BYTES)];
  const keys = { kem: xWingPublicKey(kem, kemSecret), x: kem.x25519PublicKey(xSecret) };
  const secret = {
    id: cardId(instance, number),
    kem: kemSecret,
    x: xSecret,
    psk: new Uint8Array(CARD_KEY_BYTES),
    digest: cardDigest(keys),
  };
  const unsigned = { number, height, instance, ...keys, masterPub };
  const proof = credentials.publicCardProof(chainId, publicCardSignBytes(chainId, devicePub, unsigned));
  const sealed = sealSecret(context, cardKey, secret);
  wipeSecret(secret);
  if (proof === null) return null;
  const { signingPub, certificate, signature } = proof;
  const card = encodePublicCard({ ...unsigned, signingPub, certificate: toHex(certificate), signature: toHex(signature) });
  return { card, secret: sealed };
}

/** Contents of opened envelopes with their senders, in order; null for what was not sealed to that public card. */
export function openToPublic(
  context: PairContext,
  deviceSecret: Uint8Array,
  { chainId, items }: OpenPublicRequest,
  cardKeys: readonly Uint8Array[],
): readonly (OpenedPublic | null)[] {
  const { own, kem } = context;
  return items.map(({ pair, secret: sealed }) => {
    const parts = readPair(pair);
    const secret = typeof parts === "string" ? undefined : openSecret(context, cardKeys, sealed);
    if (typeof parts === "string" || secret === undefined) return null;
    const agree = (publicKey: Uint8Array): Uint8Array | undefined => kem.x25519(deviceSecret, publicKey);
    const isForIt = secret.id === parts.cardId;
    const opened = isForIt
      ? openPublic(kem, { chainId, mailbox: own.devicePub, recipient: own }, { parts, card: secret, agree })
      : undefined;
    wipeSecret(secret);
    return opened ?? null;
  });
}
