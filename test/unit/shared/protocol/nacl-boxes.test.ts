import { describe, expect, it } from "vitest";
import { boxKeyPair, type Envelope, openEnvelope, parseEnvelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { fromBase64, fromHex, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { isEnvelopeIdAuthentic } from "#test/support/chain/envelope-id.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { createTestKeyring, systemRandom } from "#test/support/worlds/keyring-world.ts";

/** Sealed by libsodium: test/vectors/make_messages.py makes them, and opens an envelope of ours the same way. */
interface SealedBox {
  readonly sender_secret: string;
  readonly recipient_secret: string;
  readonly plaintext: string;
  readonly envelope: Envelope;
}

const { boxes, hidden } = readVectors<{ readonly boxes: readonly SealedBox[]; readonly hidden: readonly SealedBox[] }>("nacl-boxes.json");

/** By section 5 of docs/protocol.md, as a program does that knows no more: the device key of the sender, and what it wrote. */
function openHidden(envelope: Envelope, secret: Uint8Array): { readonly sender: string; readonly plaintext: string } {
  const opened = openEnvelope(envelope, secret) ?? new Uint8Array();
  expect(toHex(opened.subarray(0, 5))).toBe("ff504c4801");
  const sender = toHex(opened.subarray(5, 37));
  const [nonce, ciphertext] = [toBase64(opened.subarray(37, 61)), toBase64(opened.subarray(61))];
  const plaintext = openEnvelope({ ...envelope, sender_pub: sender, nonce, ciphertext }, secret);
  return { sender, plaintext: toHex(plaintext ?? new Uint8Array()) };
}

describe("an envelope that hides its sender", () => {
  it.each(hidden)("of libsodium is opened in two steps ($envelope.id)", ({ sender_secret, recipient_secret, plaintext, envelope }) => {
    const sender = toHex(boxKeyPair(fromHex(sender_secret)).publicKey);
    expect(envelope.sender_pub).not.toBe(sender);
    expect(openHidden(parseEnvelope(envelope), fromHex(recipient_secret))).toEqual({ sender, plaintext });
  });

  it("is what a device gets that has shown nothing but its key on the chain, with no more than such an envelope has", async () => {
    const { keyring } = createTestKeyring();
    await keyring.create({ password: "correct horse battery" });
    const recipient = boxKeyPair(systemRandom(32));
    const plaintext = utf8("Hello");
    const request = { plaintext, recipients: [toHex(recipient.publicKey)], sentAt: 1_800_000_123, hidesSender: true };
    const [envelope] = await keyring.seal({ requests: [request] });
    if (envelope === undefined) throw new Error("nothing was sealed");
    expect(Object.keys(envelope).sort()).toEqual(Object.keys(hidden[0]?.envelope ?? {}).sort());
    expect(envelope).toMatchObject({ sender_ed25519_pub: "", fee_ut: 0, fee_sig: null, sent_at: 1_800_000_000 });
    const { account } = await keyring.status();
    expect(openHidden(envelope, recipient.secretKey)).toEqual({ sender: account?.devicePub, plaintext: toHex(plaintext) });
  });
});

describe("envelopes and libsodium", () => {
  it.each(boxes)("opens a box of libsodium ($envelope.id)", ({ recipient_secret, plaintext, envelope }) => {
    const parsed = parseEnvelope(envelope);
    expect(isEnvelopeIdAuthentic(parsed)).toBe(true);
    const opened = openEnvelope(parsed, fromHex(recipient_secret));
    expect(opened && toHex(opened)).toBe(plaintext);
  });

  it.each(boxes)("seals the very bytes that libsodium opened ($envelope.id)", ({ sender_secret, plaintext, envelope }) => {
    const sealed = sealEnvelope({
      plaintext: fromHex(plaintext),
      recipientPub: envelope.recipient_pub,
      sender: boxKeyPair(fromHex(sender_secret)),
      senderMasterPub: "",
      nonce: fromBase64(envelope.nonce),
      sentAt: envelope.sent_at,
    });
    expect(sealed).toEqual(envelope);
  });

  it("opens nothing with another key or a changed byte", () => {
    const [first] = boxes;
    if (first === undefined) throw new Error("no vectors");
    expect(openEnvelope(first.envelope, fromHex(first.sender_secret))).toBeUndefined();
    const ciphertext = fromBase64(first.envelope.ciphertext);
    ciphertext[0] = (ciphertext[0] ?? 0) ^ 1;
    expect(
      openEnvelope({ ...first.envelope, ciphertext: Buffer.from(ciphertext).toString("base64") }, fromHex(first.recipient_secret)),
    ).toBeUndefined();
  });
});
