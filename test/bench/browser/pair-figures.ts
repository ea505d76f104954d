// Messages of version 2, sealed to and opened with cards: processor time and size, with the primitives that are given. Runs anywhere.
import { decodePlaintext, encodeContent } from "#shared/content/content-codec.ts";
import { sealToCard } from "#shared/keyring/devices/pair-cards.ts";
import type { SealedEnvelope } from "#shared/keyring/keyring-api.ts";
import { boxKeyOf, boxKeyPair, openEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import { cardDigest } from "#shared/protocol/pairs/pair-card.ts";
import { type CardSecret, openPair, type PairSide } from "#shared/protocol/pairs/pair-cipher.ts";
import { readPair } from "#shared/protocol/pairs/pair-wire.ts";
import { xWingPublicKey } from "#shared/protocol/pairs/x-wing.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";

/** Of a short message, alone or in a backlog of as many as were measured. */
export interface PairFigures {
  readonly sealMs: number;
  readonly openMs: number;
  /** Of the request that hands one envelope in, JSON. */
  readonly bytes: number;
}

const CHAIN_ID = "bench";
const TEXT = "See you on Friday at the harbour";

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** Seals and opens so many messages for one device. */
export function measurePairs(kem: KemPrimitives, count: number): PairFigures {
  const [ann, bob] = [device(), device()];
  const secrets = { kem: random(32), x: random(32), psk: random(32) };
  const card = { id: "05".repeat(8), kem: xWingPublicKey(kem, secrets.kem), x: kem.x25519PublicKey(secrets.x), psk: secrets.psk };
  const secret: CardSecret = { ...secrets, id: card.id, digest: cardDigest(card) };
  const plaintext = encodeContent({
    ...{ id: "01".repeat(16), from: ann.side.masterPub, fromDevice: ann.side.devicePub, to: bob.side.masterPub, chainId: CHAIN_ID, at: 1 },
    body: { kind: "text", text: TEXT },
  });
  const pair = { chainId: CHAIN_ID, recipientMasterPub: bob.side.masterPub, card };
  const request = { plaintext, recipients: [bob.side.devicePub], sentAt: 1_800_000_000, pair };
  const context = { own: ann.side, kem, random };
  const seal = (): SealedEnvelope => sealToCard(context, ann.secretKey, request);
  const open = (envelope: SealedEnvelope): void => {
    const shared = kem.x25519(bob.secretKey, fromHex(envelope.sender_pub));
    const boxed = shared && openEnvelope(envelope, bob.secretKey, boxKeyOf(shared));
    const parts = boxed === undefined ? "invalid" : readPair(boxed);
    if (typeof parts === "string") throw new Error("An envelope of the benchmark is none");
    const agree = (publicKey: Uint8Array): Uint8Array | undefined => kem.x25519(bob.secretKey, publicKey);
    const whose = { chainId: CHAIN_ID, mailbox: bob.side.devicePub, sender: ann.side, recipient: bob.side };
    const content = openPair(kem, whose, { parts, card: secret, agree });
    if (content === undefined) throw new Error("A message of the benchmark did not open");
    decodePlaintext(content);
  };
  // The first ones are compiled.
  for (let n = 0; n < WARM_UP; n += 1) open(seal());
  const envelopes: SealedEnvelope[] = [];
  const sealMs = timed(count, () => void envelopes.push(seal()));
  const openMs = timed(count, (n) => {
    const envelope = envelopes[n];
    if (envelope !== undefined) open(envelope);
  });
  return { sealMs, openMs, bytes: JSON.stringify({ envelope: envelopes[0] }).length };
}

const WARM_UP = 20;

function device(): { readonly side: PairSide; readonly secretKey: Uint8Array } {
  const { publicKey, secretKey } = boxKeyPair(random(32));
  return { side: { masterPub: toHex(random(32)), devicePub: toHex(publicKey) }, secretKey };
}

/** Milliseconds of one. */
function timed(count: number, work: (n: number) => void): number {
  const start = performance.now();
  for (let n = 0; n < count; n += 1) work(n);
  return (performance.now() - start) / count;
}
