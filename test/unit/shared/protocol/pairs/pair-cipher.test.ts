// The key schedule of a pair by vectors of another implementation, and envelopes that are not what they should be.
import { describe, expect, it } from "vitest";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import { boxKeyPair, x25519 } from "#shared/protocol/mail/envelope.ts";
import { cardId, cardNumber } from "#shared/protocol/pairs/card-id.ts";
import { isMlKemPublicKey } from "#shared/protocol/pairs/pair-bytes.ts";
import { cardDigest, cardSignBytes, isGenuineCard, type PairCard } from "#shared/protocol/pairs/pair-card.ts";
import { type CardSecret, hedgeOf, openPair, type PairContext, pairKey, sealPair } from "#shared/protocol/pairs/pair-cipher.ts";
import {
  MAX_PAIR_CONTENT_BYTES,
  PAIR_SIZES,
  padContent,
  pairSize,
  readPair,
  unpadContent,
  writePair,
} from "#shared/protocol/pairs/pair-wire.ts";
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
    | "psk"
    | "kem_secret"
    | "hedge_key"
    | "randomness"
    | "content"
    | "hedge"
    | "key"
    | "card_sign_digest"
    | "plaintext_sha256"
    | "sealed_head"
    | "tag",
    string
  >
> & { readonly number: number; readonly plaintext_length: number; readonly wing: number };

const { cases } = readVectors<{ readonly cases: readonly Case[] }>("pairs.json");
const wings = readVectors<readonly { readonly ct: string; readonly ss: string }[]>("x-wing.json");
const publicOf = (secret: string): Uint8Array => boxKeyPair(fromHex(secret)).publicKey;

function contextOf(vector: Case): PairContext {
  const recipient = { masterPub: vector.recipient_master, devicePub: toHex(publicOf(vector.recipient_secret)) };
  const sender = { masterPub: vector.sender_master, devicePub: toHex(publicOf(vector.sender_secret)) };
  return { chainId: vector.chain, mailbox: recipient.devicePub, sender, recipient };
}

/** The keys of the card of a vector, public and secret. */
function cardOf(vector: Case): { readonly shown: PairCard; readonly secret: CardSecret } {
  const kem = xWingPublicKey(scriptKem, fromHex(vector.kem_secret));
  const x = publicOf(vector.x_secret);
  const shown = { id: vector.card_id, kem, x, psk: fromHex(vector.psk) };
  const secret = { ...shown, kem: fromHex(vector.kem_secret), x: fromHex(vector.x_secret), digest: cardDigest(shown) };
  return { shown, secret };
}

const agreeing =
  (secret: string) =>
  (publicKey: Uint8Array): Uint8Array | undefined =>
    x25519(fromHex(secret), publicKey);

describe.each(cases)("the vector of $chain", (vector) => {
  const context = contextOf(vector);
  const { shown, secret } = cardOf(vector);
  const { ct = "", ss = "" } = wings[vector.wing] ?? {};

  it("has the id, the signed bytes, the hedge and the key", () => {
    expect([cardId(vector.instance, vector.number), cardNumber(vector.instance, vector.card_id)]).toEqual([vector.card_id, vector.number]);
    const owner = { chainId: vector.chain, devicePub: context.recipient.devicePub, instance: vector.instance };
    expect(toHex(sha256(cardSignBytes(owner, shown)))).toBe(vector.card_sign_digest);
    const content = fromHex(vector.content);
    expect(toHex(hedgeOf(fromHex(vector.hedge_key), fromHex(vector.randomness), content))).toBe(vector.hedge);
    const agree = agreeing(vector.sender_secret);
    const key = pairKey(
      context,
      { cardId: vector.card_id, hedge: fromHex(vector.hedge), ciphertext: fromHex(ct) },
      {
        secret: fromHex(ss),
        withCard: agree(shown.x) ?? new Uint8Array(),
        withDevice: agree(publicOf(vector.recipient_secret)) ?? new Uint8Array(),
        psk: shown.psk,
        digest: secret.digest,
      },
    );
    expect(toHex(key)).toBe(vector.key);
  });

  it("opens, byte by byte as it was made elsewhere", async () => {
    const frame = padContent(fromHex(vector.content));
    const key = await crypto.subtle.importKey("raw", fromHex(vector.key) as Uint8Array<ArrayBuffer>, "AES-GCM", false, ["encrypt"]);
    const algorithm = { name: "AES-GCM", iv: new Uint8Array(12) };
    const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, frame as Uint8Array<ArrayBuffer>));
    expect([toHex(sealed.subarray(0, 32)), toHex(sealed.subarray(-16))]).toEqual([vector.sealed_head, vector.tag]);
    const parts = { cardId: vector.card_id, hedge: fromHex(vector.hedge), ciphertext: fromHex(ct), sealed };
    const plaintext = writePair(parts);
    expect([plaintext.length, toHex(sha256(plaintext))]).toEqual([vector.plaintext_length, vector.plaintext_sha256]);
    expect(readPair(plaintext)).toEqual(parts);
    for (const kem of [scriptKem, nativeKem() ?? scriptKem]) {
      const opened = openPair(kem, context, { parts, card: secret, agree: agreeing(vector.recipient_secret) });
      expect(toHex(opened ?? utf8("closed"))).toBe(vector.content);
    }
  });
});

describe("a sealed content", () => {
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
  const parts = sealPair(scriptKem, context, sealing);
  const opening = { parts, card: secret, agree: agreeing(vector.recipient_secret) };

  it("opens for the recipient's device and the card, and is never sealed the same way twice", () => {
    expect(openPair(scriptKem, context, opening)).toEqual(utf8("Hello"));
    expect(sealPair(scriptKem, context, sealing).hedge).not.toEqual(parts.hedge);
  });

  it("has another key for another content where the randomness repeats", () => {
    const stuck = (length: number): Uint8Array => new Uint8Array(length).fill(7);
    const [one, two] = ["One", "Two"].map((text) => sealPair(scriptKem, context, { ...sealing, content: utf8(text), random: stuck }));
    expect(one?.hedge).not.toEqual(two?.hedge);
  });

  it.each([
    ["another chain", { ...context, chainId: "parley-other" }],
    ["another mailbox", { ...context, mailbox: "11".repeat(32) }],
    ["another person of the sender", { ...context, sender: { ...context.sender, masterPub: "12".repeat(32) } }],
    ["another person of the recipient", { ...context, recipient: { ...context.recipient, masterPub: "12".repeat(32) } }],
    ["another device of the sender", { ...context, sender: { ...context.sender, devicePub: toHex(publicOf("77".repeat(32))) } }],
  ])("does not open for %s", (_, other) => {
    expect(openPair(scriptKem, other, opening)).toBeUndefined();
  });

  it.each([
    ["the shown key", { ...secret, psk: new Uint8Array(32) }],
    ["the digest of the keys", { ...secret, digest: "00".repeat(32) }],
    ["the X25519 key", { ...secret, x: systemRandom(32) }],
    ["the X-Wing key", { ...secret, kem: systemRandom(32) }],
  ])("does not open with another %s of the card", (_, card) => {
    expect(openPair(scriptKem, context, { ...opening, card })).toBeUndefined();
  });

  it.each(["hedge", "ciphertext", "sealed"] as const)("does not open when a byte of its %s changes", (name) => {
    const changed = parts[name].slice();
    changed[3] = (changed[3] ?? 0) ^ 0x80;
    expect(openPair(scriptKem, context, { ...opening, parts: { ...parts, [name]: changed } })).toBeUndefined();
  });

  it("is not made for a card whose pre-shared key has another length", () => {
    for (const length of [0, 31, 33])
      expect(() => sealPair(scriptKem, context, { ...sealing, card: { ...shown, psk: new Uint8Array(length) } })).toThrow("32 bytes");
  });

  it("is not made for a card whose key is of small order", () => {
    expect(() => sealPair(scriptKem, context, { ...sealing, card: { ...shown, x: new Uint8Array(32) } })).toThrow("small order");
  });
});

describe("the frame", () => {
  it("has one of four sizes, whatever is inside", () => {
    for (const length of [0, 1, 1_903, 1_904, 11_119, 11_120, 47_983, 47_984, MAX_PAIR_CONTENT_BYTES]) {
      const frame = padContent(new Uint8Array(length).fill(1));
      expect(PAIR_SIZES).toContain(frame.length + 1_165);
      expect(unpadContent(frame)).toEqual(new Uint8Array(length).fill(1));
    }
    expect(pairSize(MAX_PAIR_CONTENT_BYTES + 1)).toBeUndefined();
    expect(() => padContent(new Uint8Array(MAX_PAIR_CONTENT_BYTES + 1))).toThrow(RangeError);
  });

  it.each([
    ["padding that is not zero", (frame: Uint8Array): Uint8Array => frame.fill(1, frame.length - 1)],
    ["a length beyond its end", (frame: Uint8Array): Uint8Array => frame.fill(0xff, 0, 4)],
    ["a length of another class", (frame: Uint8Array): Uint8Array => frame.fill(8, 2, 3)],
    ["the size of a larger class", (frame: Uint8Array): Uint8Array => concatBytes(frame, new Uint8Array(12_288 - 3_072))],
    ["no length", (): Uint8Array => new Uint8Array(3)],
  ])("is refused with %s", (_, change) => {
    expect(unpadContent(change(padContent(utf8("Hello"))))).toBeUndefined();
  });

  it("is told from other plaintexts, from later forms, and from other lengths", () => {
    const head = Uint8Array.of(0xff, 0x50, 0x4c, 0x51, 2);
    expect(readPair(utf8("plain text"))).toBe("other");
    expect(readPair(new Uint8Array())).toBe("other");
    expect(readPair(concatBytes(head.subarray(0, 4), Uint8Array.of(5), new Uint8Array(3_067)))).toBe("newer");
    for (const length of [0, 3_066, 3_068, 200_000]) expect(readPair(concatBytes(head, new Uint8Array(length)))).toBe("invalid");
  });
});

describe("a shown card", () => {
  const [vector] = cases as [Case];
  const { shown } = cardOf(vector);
  const owner = { chainId: vector.chain, devicePub: contextOf(vector).recipient.devicePub, instance: vector.instance };
  const seed = systemRandom(32);
  const signingPub = toHex(ed25519PublicKey(seed));
  const card = { ...shown, signature: signEd25519(cardSignBytes(owner, shown), seed) };

  it("counts for the device, the instance and the id that were signed", () => {
    expect(isGenuineCard(owner, card, signingPub)).toBe(true);
    expect(isGenuineCard({ ...owner, instance: "ff".repeat(8) }, card, signingPub)).toBe(false);
    expect(isGenuineCard({ ...owner, devicePub: "11".repeat(32) }, card, signingPub)).toBe(false);
    expect(isGenuineCard({ ...owner, chainId: "parley-other" }, card, signingPub)).toBe(false);
    expect(isGenuineCard(owner, { ...card, id: cardId(vector.instance, 8) }, signingPub)).toBe(false);
    expect(isGenuineCard(owner, { ...card, x: systemRandom(32) }, signingPub)).toBe(false);
    expect(isGenuineCard(owner, { ...card, kem: card.kem.subarray(1) }, signingPub)).toBe(false);
    expect(isGenuineCard(owner, card, "22".repeat(32))).toBe(false);
  });

  it.each([
    ["a coefficient of ML-KEM that is not reduced", { kem: concatBytes(Uint8Array.of(0xff, 0xff, 0xff), shown.kem.subarray(3)) }],
    ["the modulus as a coefficient", { kem: concatBytes(Uint8Array.of(0x01, 0x0d), shown.kem.subarray(2)) }],
    ["the modulus as every second coefficient", { kem: concatBytes(Uint8Array.of(0, 0x10, 0xd0), shown.kem.subarray(3)) }],
    ["an X25519 half of zeros", { kem: concatBytes(shown.kem.subarray(0, 1_184), new Uint8Array(32)) }],
    ["an X25519 half of small order", { kem: concatBytes(shown.kem.subarray(0, 1_184), Uint8Array.of(1), new Uint8Array(31)) }],
    ["an X25519 key of zeros", { x: new Uint8Array(32) }],
    ["an X25519 key with two encodings", { x: new Uint8Array(32).fill(0xff) }],
  ])("does not count with %s, which could not be sealed to, also where it is signed", (_, keys) => {
    const changed = { ...shown, ...keys };
    const signed = { ...changed, signature: signEd25519(cardSignBytes(owner, changed), seed) };
    expect(isGenuineCard(owner, signed, signingPub)).toBe(false);
  });

  it.each([
    ["script", scriptKem],
    ["native", nativeKem() ?? scriptKem],
  ])("has ML-KEM keys exactly where the implementation in %s takes them", (_, implementation) => {
    const kem = shown.kem.subarray(0, 1_184);
    const takes = (key: Uint8Array): boolean => {
      try {
        return implementation.mlKemEncapsulate(key).secret.length === 32;
      } catch {
        return false;
      }
    };
    // One below the modulus, and the modulus: as the first and as the second coefficient of three bytes.
    const pairs = ["000d00", "010d00", "0000d0", "0010d0"].map(fromHex);
    const judged = [0, 600, 1_149].flatMap((at) =>
      pairs.map((three) => concatBytes(kem.subarray(0, at), three, kem.subarray(at + 3))).map((key) => [isMlKemPublicKey(key), takes(key)]),
    );
    expect(judged).toEqual([0, 600, 1_149].flatMap(() => [true, false, true, false].map((is) => [is, is])));
    expect([isMlKemPublicKey(kem), isMlKemPublicKey(kem.subarray(1))]).toEqual([true, false]);
  });

  it.each([-1, 0.5, 2 ** 32])("has no number %d", (number) => {
    expect(() => cardId(vector.instance, number)).toThrow(RangeError);
  });
});
