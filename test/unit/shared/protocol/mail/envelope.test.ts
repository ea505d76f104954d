import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boxKeyPair,
  boxSharedKey,
  type Envelope,
  envelopeBytes,
  openEnvelope,
  parseEnvelope,
  sealEnvelope,
} from "#shared/protocol/mail/envelope.ts";
import { fromBase64, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { isEnvelopeIdAuthentic } from "#test/support/chain/envelope-id.ts";

const sender = boxKeyPair(new Uint8Array(32).fill(3));
const recipient = boxKeyPair(new Uint8Array(32).fill(4));
const seal = (plaintext: Uint8Array, nonce = new Uint8Array(24)): Envelope =>
  sealEnvelope({ plaintext, recipientPub: toHex(recipient.publicKey), sender, senderMasterPub: "", nonce, sentAt: 5 });
const SMALL_ORDER = "00".repeat(32);

describe("envelopes", () => {
  it("open for the recipient and the sender, and for no one else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.uint8Array({ minLength: 24, maxLength: 24 }), (plaintext, nonce) => {
        const envelope = seal(plaintext, nonce);
        expect(openEnvelope(envelope, recipient.secretKey)).toEqual(plaintext);
        expect(openEnvelope(envelope, recipient.secretKey, boxSharedKey(recipient.secretKey, envelope.sender_pub))).toEqual(plaintext);
        expect(openEnvelope(envelope, new Uint8Array(32).fill(9))).toBeUndefined();
        expect(parseEnvelope(JSON.parse(JSON.stringify(envelope)))).toEqual(envelope);
        expect(isEnvelopeIdAuthentic(envelope)).toBe(true);
      }),
      { seed: 1, numRuns: 20 },
    );
  });

  it("count as the bytes of their JSON", () => {
    const optional = fc.record({
      fee_ut: fc.maxSafeNat(),
      sent_at: fc.maxSafeNat(),
      id: fc.stringMatching(/^[\x20-\x7e]{1,128}$/),
      sender_ed25519_pub: fc.constantFrom("", "ab".repeat(32)),
    });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 200 }), optional, (ciphertext, fields) => {
        const fee_sig = fields.fee_ut === 0 ? null : toBase64(new Uint8Array(64).fill(7));
        const envelope = parseEnvelope({ ...seal(utf8("hi")), ...fields, fee_sig, ciphertext: toBase64(ciphertext) });
        expect(envelopeBytes(envelope)).toBe(utf8(JSON.stringify(envelope)).length);
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it("a damaged one does not open, and does not throw", () => {
    const envelope = seal(utf8("hello"));
    const flipped = fromBase64(envelope.ciphertext).with(3, 0);
    const damages = [
      { ciphertext: toBase64(flipped) },
      { ciphertext: "?" },
      { ciphertext: "" },
      { nonce: "AAAA" },
      { nonce: "?" },
      { sender_pub: SMALL_ORDER },
      { sender_pub: "x" },
    ];
    for (const damage of damages) expect(openEnvelope({ ...envelope, ...damage }, recipient.secretKey)).toBeUndefined();
    expect(isEnvelopeIdAuthentic({ ...envelope, ciphertext: toBase64(flipped) })).toBe(false);
  });

  it("none is sealed for a key of small order", () => {
    expect(() => boxSharedKey(sender.secretKey, SMALL_ORDER)).toThrow("not a usable X25519 key");
  });

  it("optional fields are filled in and hex is normalised", () => {
    const { id, recipient_pub, sender_pub, nonce, ciphertext } = seal(utf8("x"));
    const minimal = {
      id,
      recipient_pub: recipient_pub.toUpperCase(),
      sender_pub,
      nonce,
      ciphertext,
      fee_sig: "",
      sender_ed25519_pub: null,
    };
    expect(parseEnvelope(minimal)).toEqual({ ...seal(utf8("x")), sent_at: 0 });
  });

  it.each<[string, unknown]>([
    ["envelope", null],
    ["id", { id: "" }],
    ["id", { id: "a\u00e9" }],
    ["id", { id: "a\n" }],
    ["id", { id: "a".repeat(129) }],
    ["recipient_pub", { recipient_pub: "ab" }],
    ["sender_pub", { sender_pub: undefined }],
    ["sender_ed25519_pub", { sender_ed25519_pub: "x" }],
    ["fee_ut", { fee_ut: -1 }],
    ["fee_sig", { fee_ut: 5 }],
    ["fee_sig", { fee_sig: "AAAA" }],
    ["nonce", { nonce: "AAAA" }],
    ["ciphertext", { ciphertext: "AAAA" }],
    ["ciphertext", { ciphertext: 7 }],
    ["sent_at", { sent_at: 1.5 }],
    ["envelope", { ciphertext: toBase64(new Uint8Array(200_000)) }],
  ])("a wrong %s is named", (field, change) => {
    const raw = change === null ? null : { ...seal(utf8("x")), ...(change as object) };
    expect(() => parseEnvelope(raw)).toThrow(field);
  });
});
