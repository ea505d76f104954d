// Receipts of keepers: the bytes that they sign, written down by a second encoder, and what no other key or content passes for.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { isSignedReceipt, receiptMark, receiptSignBytes, signReceipt } from "#shared/protocol/mail/mail-receipt.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { emptyEnvelope } from "#test/support/chain/envelope-id.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const marks = ["00".repeat(16), "ab".repeat(16)];
const untilSec = 1_800_000_000;

it("sign marks and time in a domain of their own", () => {
  const content = miniCbor([marks.map((mark) => Buffer.from(mark, "hex")), untilSec]);
  const expected = Buffer.concat([utf8(`parley-receipt\n${CHAIN_ID}\n`), content]);
  expect(Buffer.from(receiptSignBytes(CHAIN_ID, { marks, untilSec }))).toEqual(expected);
});

it("verify under the keeper's key alone, and as they are", async () => {
  const [keeper, other] = [actor(1), actor(2)];
  const receipt = signReceipt(CHAIN_ID, { marks, untilSec }, { publicKey: keeper.pub, secret: keeper.seed });
  const isSigned = (changed: Partial<typeof receipt>, chainId = CHAIN_ID): Promise<boolean> =>
    isSignedReceipt(chainId, { ...receipt, ...changed }, verifyZip215);
  const changes = [{ from: other.pub }, { marks: marks.slice(1) }, { untilSec: untilSec + 1 }];
  expect(await Promise.all([isSigned({}), ...changes.map((each) => isSigned(each)), isSigned({}, "another")])).toEqual([
    true,
    ...changes.map(() => false),
    false,
  ]);
});

it("name envelopes by all that is read of them but their time", () => {
  const envelope = { ...emptyEnvelope({ recipientPub: "ab".repeat(32), nonce: new Uint8Array(24), bytes: 20, sentAt: 5 }), fee_sig: null };
  const text = JSON.stringify([envelope.recipient_pub, envelope.id, envelope.sender_pub, envelope.sender_ed25519_pub, 0, null, null]);
  const mark = createHash("sha256").update(text).digest("hex").slice(0, 32);
  expect(receiptMark({ envelope, admit: null })).toBe(mark);
  expect(receiptMark({ envelope: { ...envelope, sent_at: 6 }, admit: null })).toBe(mark);
  const others = [{ sender_pub: "cd".repeat(32) }, { sender_ed25519_pub: "cd".repeat(32) }, { fee_ut: 1 }, { fee_sig: "AA==" }];
  const marksOf = [
    ...others.map((each) => receiptMark({ envelope: { ...envelope, ...each }, admit: null })),
    receiptMark({ envelope, admit: "AA==" }),
  ];
  expect(new Set([mark, ...marksOf]).size).toBe(6);
});
