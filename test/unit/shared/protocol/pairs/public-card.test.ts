// Public cards and what is sealed to them, by vectors of another implementation, and cards that are not what they should be.
import { describe, expect, it } from "vitest";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import { certificateSignBytes } from "#shared/protocol/mail/device-certificate.ts";
import { boxKeyPair, x25519 } from "#shared/protocol/mail/envelope.ts";
import { cardDigest, type PairCard } from "#shared/protocol/pairs/pair-card.ts";
import {
  type CardSecret,
  openPair,
  openPublic,
  type PairContext,
  pairKey,
  sealPair,
  senderKey,
} from "#shared/protocol/pairs/pair-cipher.ts";
import {
  MAX_PUBLIC_CONTENT_BYTES,
  PAIR_SIZES,
  PUBLIC_FORM,
  PUBLIC_PAIR_FORM,
  readPair,
  writePair,
} from "#shared/protocol/pairs/pair-wire.ts";
import {
  decodePublicCard,
  encodePublicCard,
  isFreshPublicCard,
  isGenuinePublicCard,
  isPresentPublicCard,
  isSamePublicCard,
  MAX_PUBLIC_CARD_BYTES,
  type PublicCard,
  publicCardNumber,
  publicCardSignBytes,
  sealableCard,
} from "#shared/protocol/pairs/public-card.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";
import { xWingPublicKey } from "#shared/protocol/pairs/x-wing.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

type Case = Readonly<
  Record<
    | "chain"
    | "sender_secret"
    | "recipient_secret"
    | "sender_master"
    | "recipient_master"
    | "instance"
    | "card_id"
    | "x_secret"
    | "kem_secret"
    | "signing"
    | "certificate"
    | "signature"
    | "sign_digest"
    | "encoded_digest"
    | "content"
    | "hedge"
    | "from_key"
    | "key"
    | "plaintext_sha256"
    | "from",
    string
  >
> & {
  readonly number: number;
  readonly height: number;
  readonly encoded_length: number;
  readonly plaintext_length: number;
  readonly wing: number;
};

const { public: cases, public_pair: inPairs } = readVectors<{ readonly public: readonly Case[]; readonly public_pair: readonly Case[] }>(
  "pairs.json",
);
const forms = [...cases.map((vector) => ({ form: 3, vector })), ...inPairs.map((vector) => ({ form: 4, vector }))];
const wings = readVectors<readonly { readonly ct: string; readonly ss: string }[]>("x-wing.json");
const publicOf = (secret: string): Uint8Array => boxKeyPair(fromHex(secret)).publicKey;
const agreeing =
  (secret: string) =>
  (publicKey: Uint8Array): Uint8Array | undefined =>
    x25519(fromHex(secret), publicKey);

function contextOf(vector: Case): PairContext {
  const recipient = { masterPub: vector.recipient_master, devicePub: toHex(publicOf(vector.recipient_secret)) };
  const sender = { masterPub: vector.sender_master, devicePub: toHex(publicOf(vector.sender_secret)) };
  return { chainId: vector.chain, mailbox: recipient.devicePub, sender, recipient };
}

function cardOf(vector: Case): { readonly card: PublicCard; readonly shown: PairCard; readonly secret: CardSecret } {
  const { number, height, instance, recipient_master: masterPub, signing: signingPub, certificate, signature } = vector;
  const keys = { kem: xWingPublicKey(scriptKem, fromHex(vector.kem_secret)), x: publicOf(vector.x_secret) };
  const card = { number, height, instance, ...keys, masterPub, signingPub, certificate, signature };
  const shown = sealableCard(card);
  const secret = { ...shown, kem: fromHex(vector.kem_secret), x: fromHex(vector.x_secret), digest: cardDigest(shown) };
  return { card, shown, secret };
}

describe.each(forms)("the vector of $vector.chain in form $form", ({ form, vector }) => {
  const context = contextOf(vector);
  const { card, shown, secret } = cardOf(vector);
  const { ct = "", ss = "" } = wings[vector.wing] ?? {};
  const isOfPair = form === PUBLIC_PAIR_FORM && ({ isOfPair: true } as const);
  const head = { cardId: vector.card_id, hedge: fromHex(vector.hedge), ciphertext: fromHex(ct), ...isOfPair };

  it("has the bytes of the card, those that are signed, and both keys", () => {
    const encoded = encodePublicCard(card);
    expect([encoded.length, toHex(sha256(encoded))]).toEqual([vector.encoded_length, vector.encoded_digest]);
    expect(decodePublicCard(encoded)).toEqual(card);
    expect(shown.id).toBe(vector.card_id);
    expect(toHex(sha256(publicCardSignBytes(vector.chain, context.recipient.devicePub, card)))).toBe(vector.sign_digest);
    expect(toHex(senderKey(context, head, fromHex(ss)))).toBe(vector.from_key);
    const agree = agreeing(vector.sender_secret);
    const key = pairKey(
      context,
      { ...head, from: fromHex(vector.from) },
      {
        secret: fromHex(ss),
        withCard: agree(shown.x) ?? new Uint8Array(),
        withDevice: agree(publicOf(vector.recipient_secret)) ?? new Uint8Array(),
        psk: new Uint8Array(32),
        digest: secret.digest,
      },
    );
    expect(toHex(key)).toBe(vector.key);
  });

  it("opens, byte by byte as it was made elsewhere, and says who sealed it", async () => {
    const key = await crypto.subtle.importKey("raw", fromHex(vector.key) as Uint8Array<ArrayBuffer>, "AES-GCM", false, ["encrypt"]);
    const content = fromHex(vector.content);
    const frame = new Uint8Array(vector.plaintext_length - 1_149 - 80 - 16);
    new DataView(frame.buffer).setUint32(0, content.length);
    frame.set(content, 4);
    const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, frame));
    const parts = { ...head, from: fromHex(vector.from), sealed };
    const plaintext = writePair(parts);
    expect([plaintext.length, toHex(sha256(plaintext))]).toEqual([vector.plaintext_length, vector.plaintext_sha256]);
    expect(readPair(plaintext)).toEqual(parts);
    const { sender: _, ...toRecipient } = context;
    for (const kem of [scriptKem, nativeKem() ?? scriptKem]) {
      const opened = openPublic(kem, toRecipient, { parts, card: secret, agree: agreeing(vector.recipient_secret) });
      expect(opened).toEqual({ content, sender: context.sender });
    }
  });
});

describe("a content for a public card", () => {
  const [vector] = cases as [Case];
  const context = contextOf(vector);
  const { shown, secret } = cardOf(vector);
  const sealing = {
    content: utf8("Hello"),
    card: shown,
    hedgeKey: systemRandom(32),
    random: systemRandom,
    agree: agreeing(vector.sender_secret),
  };
  const parts = sealPair(scriptKem, context, { ...sealing, form: PUBLIC_FORM });
  const opening = { parts, card: secret, agree: agreeing(vector.recipient_secret) };

  it("opens for the recipient's device alone, and for no pair", () => {
    expect(openPublic(scriptKem, context, opening)).toEqual({ content: utf8("Hello"), sender: context.sender });
    const ofPair = sealPair(scriptKem, context, sealing);
    expect(openPublic(scriptKem, context, { ...opening, parts: { ...parts, isOfPair: true } })).toBeUndefined();
    expect(openPublic(scriptKem, context, { ...opening, parts: ofPair })).toBeUndefined();
    expect(openPair(scriptKem, context, { ...opening, parts: { ...parts, sealed: ofPair.sealed } })).toBeUndefined();
  });

  it.each([
    ["another chain", { chainId: "parley-other" }],
    ["another mailbox", { mailbox: "11".repeat(32) }],
    ["another person of the recipient", { recipient: { ...context.recipient, masterPub: "12".repeat(32) } }],
  ])("does not open for %s", (_, other) => {
    expect(openPublic(scriptKem, { ...context, ...other }, opening)).toBeUndefined();
  });

  it("names no other sender than the one who sealed it", () => {
    const thief = { masterPub: vector.sender_master, devicePub: toHex(publicOf("77".repeat(32))) };
    // The sender's keys of one with the words of another: both come from the same card.
    const forged = sealPair(
      scriptKem,
      { ...context, sender: thief },
      { ...sealing, agree: agreeing(vector.sender_secret), form: PUBLIC_FORM },
    );
    expect(openPublic(scriptKem, context, { ...opening, parts: forged })).toBeUndefined();
  });

  it.each(["hedge", "ciphertext", "from", "sealed"] as const)("does not open when a byte of its %s changes", (name) => {
    const changed = (parts[name] ?? new Uint8Array()).slice();
    changed[3] = (changed[3] ?? 0) ^ 0x80;
    expect(openPublic(scriptKem, context, { ...opening, parts: { ...parts, [name]: changed } })).toBeUndefined();
  });

  it("of a pair opens in its own form alone", () => {
    const inPair = sealPair(scriptKem, context, { ...sealing, form: PUBLIC_PAIR_FORM });
    expect(readPair(writePair(inPair))).toEqual(inPair);
    expect(openPublic(scriptKem, context, { ...opening, parts: inPair })).toEqual({ content: utf8("Hello"), sender: context.sender });
    const { isOfPair: _, ...asFirst } = inPair;
    expect(openPublic(scriptKem, context, { ...opening, parts: asFirst })).toBeUndefined();
    expect(openPair(scriptKem, context, { ...opening, parts: asFirst })).toBeUndefined();
  });

  it("has one of the four sizes", () => {
    for (const length of [0, 1_823, 1_824, 11_039, 11_040, MAX_PUBLIC_CONTENT_BYTES])
      expect(PAIR_SIZES).toContain(
        writePair(sealPair(nativeKem() ?? scriptKem, context, { ...sealing, content: new Uint8Array(length), form: PUBLIC_FORM })).length,
      );
    const tooLong = { ...sealing, content: new Uint8Array(MAX_PUBLIC_CONTENT_BYTES + 1), form: PUBLIC_FORM };
    expect(() => sealPair(scriptKem, context, tooLong)).toThrow(RangeError);
  });
});

describe("a public card", () => {
  const [vector] = cases as [Case];
  const chainId = vector.chain;
  const devicePub = contextOf(vector).recipient.devicePub;
  const [master, seed] = [systemRandom(32), systemRandom(32)];
  const [masterPub, signingPub] = [toHex(ed25519PublicKey(master)), toHex(ed25519PublicKey(seed))];
  const certificate = toHex(signEd25519(certificateSignBytes(chainId, { devicePub, signingPub }), master));
  const signed = (changes: Partial<PublicCard> = {}): PublicCard => {
    const unsigned = { ...cardOf(vector).card, masterPub, signingPub, certificate, ...changes };
    return { ...unsigned, signature: toHex(signEd25519(publicCardSignBytes(chainId, devicePub, unsigned), seed)) };
  };
  const card = signed();

  it("counts for the device and the person who signed it", async () => {
    expect(await isGenuinePublicCard(chainId, devicePub, card)).toBe(true);
    expect(await isGenuinePublicCard("parley-other", devicePub, card)).toBe(false);
    expect(await isGenuinePublicCard(chainId, "11".repeat(32), card)).toBe(false);
  });

  it.each([
    ["another number", { number: card.number + 1 }],
    ["another height", { height: card.height + 1 }],
    ["another instance", { instance: "ff".repeat(8) }],
    ["another key", { x: systemRandom(32) }],
    ["another signature", { signature: "00".repeat(64) }],
    ["a signing key that no one vouches for", { signingPub: "22".repeat(32) }],
  ])("does not count with %s than was signed", async (_, changes) => {
    expect(await isGenuinePublicCard(chainId, devicePub, { ...card, ...changes })).toBe(false);
  });

  it("does not count for another person, or with keys that cannot be sealed to, also where its device signs that", async () => {
    const other = toHex(ed25519PublicKey(systemRandom(32)));
    expect(await isGenuinePublicCard(chainId, devicePub, signed({ masterPub: other }))).toBe(false);
    expect(await isGenuinePublicCard(chainId, devicePub, signed({ x: new Uint8Array(32) }))).toBe(false);
    const unreduced = concatBytes(Uint8Array.of(0xff, 0xff, 0xff), card.kem.subarray(3));
    expect(await isGenuinePublicCard(chainId, devicePub, signed({ kem: unreduced }))).toBe(false);
  });

  it("is read from its bytes alone", () => {
    const encoded = encodePublicCard(card);
    const longest = encodePublicCard({ ...card, number: 2 ** 32 - 1, height: Number.MAX_SAFE_INTEGER });
    expect(longest).toHaveLength(MAX_PUBLIC_CARD_BYTES);
    expect(decodePublicCard(longest)).toBeDefined();
    for (const bytes of [
      new Uint8Array(),
      encoded.subarray(1),
      encoded.subarray(0, -1),
      concatBytes(encoded, Uint8Array.of(0)),
      new Uint8Array(2_000),
    ])
      expect(decodePublicCard(bytes)).toBeUndefined();
    const later = encoded.slice();
    later[1] = 2;
    expect(decodePublicCard(later)).toBeUndefined();
    expect([isSamePublicCard(card, { ...card }), isSamePublicCard(card, { ...card, height: 1 })]).toEqual([true, false]);
  });

  it("is valid for seven days of block time from its hour, and handed in within one", () => {
    const hour = 3_600_000;
    const at = 500_000 * hour;
    const drawn = { number: publicCardNumber(at + 1_234) };
    expect(drawn.number).toBe(500_000);
    const times = [-2 * hour - 1, -2 * hour, 0, 24 * hour - 1, 24 * hour, 168 * hour - 1, 168 * hour];
    expect(times.map((ms) => isPresentPublicCard(drawn, at + ms))).toEqual([false, true, true, true, true, true, false]);
    expect(times.map((ms) => isFreshPublicCard(drawn, at + ms))).toEqual([false, true, true, true, false, false, false]);
  });
});
