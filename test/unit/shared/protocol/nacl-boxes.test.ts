import { describe, expect, it } from "vitest";
import { boxKeyPair, type Envelope, openEnvelope, parseEnvelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { fromBase64, fromHex, toHex } from "#shared/util/bytes.ts";
import { isEnvelopeIdAuthentic } from "#test/support/chain/envelope-id.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

/** Sealed by libsodium: test/vectors/make_messages.py makes them, and opens an envelope of ours the same way. */
const { boxes } = readVectors<{
  readonly boxes: readonly {
    readonly sender_secret: string;
    readonly recipient_secret: string;
    readonly plaintext: string;
    readonly envelope: Envelope;
  }[];
}>("nacl-boxes.json");

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
