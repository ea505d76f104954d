import { expect, it } from "vitest";
import { loadSodium } from "#node/crypto/sodium.ts";
import { boxKeyPair, boxSharedKey, openEnvelope, PORTABLE_CIPHER, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";

const boxes = loadSodium()?.boxes;
const [sender, reader] = [boxKeyPair(new Uint8Array(32).fill(1)), boxKeyPair(new Uint8Array(32).fill(2))];
const recipientPub = toHex(reader.publicKey);
const sharedKey = boxSharedKey(sender.secretKey, recipientPub);
const nonce = new Uint8Array(24).fill(3);

it.runIf(boxes !== undefined).each([0, 1, 64, 200_000])("seals and opens %i bytes as script does", (length) => {
  const plaintext = Uint8Array.from({ length }, (_, index) => index & 255);
  const input = { plaintext, recipientPub, sender, senderMasterPub: "", nonce, sentAt: 7 };
  const envelope = sealEnvelope(input, sharedKey, boxes);
  expect(envelope).toEqual(sealEnvelope(input, sharedKey));
  for (const cipher of [boxes, PORTABLE_CIPHER]) expect(openEnvelope(envelope, reader.secretKey, sharedKey, cipher)).toEqual(plaintext);
});

it.runIf(boxes !== undefined)("opens nothing that is damaged, short, or under another key, and takes no other sizes", () => {
  const sealed = boxes?.seal(Uint8Array.of(1, 2, 3), nonce, sharedKey) ?? new Uint8Array();
  const damaged = sealed.map((byte, index) => (index === 17 ? byte ^ 1 : byte));
  expect(boxes?.open(damaged, nonce, sharedKey)).toBeUndefined();
  expect(boxes?.open(sealed.subarray(0, 15), nonce, sharedKey)).toBeUndefined();
  expect(boxes?.open(sealed, nonce, new Uint8Array(32))).toBeUndefined();
  expect(() => boxes?.open(sealed, nonce.subarray(1), sharedKey)).toThrow(RangeError);
  expect(() => boxes?.seal(sealed, nonce, sharedKey.subarray(1))).toThrow(RangeError);
});
