// Openings of boxes and what they admit: by another implementation's vectors, and refused in every changed form.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import {
  admitSignBytes,
  type BoxOpening,
  isAdmitted,
  isLaterOpening,
  isSameAdmitted,
  isSameOpening,
  isSignedOpening,
  openingSignBytes,
} from "#shared/protocol/mail/box-opening.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { edwardsKeyOf } from "#shared/protocol/mail/xeddsa.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";

interface Vector extends Omit<BoxOpening, "signature"> {
  readonly seed: string;
  readonly edwards: string;
  readonly writeSeed: string;
  readonly message: string;
  readonly signature: string;
  readonly id: string;
  readonly sender: string;
  readonly master: string;
  readonly feeUt: number;
  readonly sentAt: number;
  readonly admitMessage: string;
  readonly admit: string;
}

const FILE = new URL("../../../../vectors/box-proofs.json", import.meta.url);
const { chainId, openings } = JSON.parse(readFileSync(FILE, "utf8")) as { chainId: string; openings: readonly Vector[] };
const owner = mailboxOwner(chainId, 7);
const writer = boxWriter(chainId, 9);
const opening = owner.opening(writer.key, { untilSec: 1_800_000_000, height: 77 });

function openingOf({ mailbox, writeKey, read, untilSec, height, signature }: Vector): BoxOpening {
  return { mailbox, writeKey, read, untilSec, height, signature: toBase64(fromHex(signature)) };
}

describe("a mailbox key opens", () => {
  it.each(openings.map((vector, n) => [n, vector] as const))(
    "what another implementation opens, by an Ed25519 seed: %d",
    async (_n, vector) => {
      expect(toHex(openingSignBytes(chainId, vector))).toBe(vector.message);
      expect(toHex(edwardsKeyOf(vector.mailbox) ?? new Uint8Array())).toBe(vector.edwards);
      expect(toHex(signEd25519(fromHex(vector.message), fromHex(vector.seed)))).toBe(vector.signature);
      const { mailbox, id, sender, master, feeUt, sentAt, writeKey } = vector;
      const parts = { recipient_pub: mailbox, id, sender_pub: sender, sender_ed25519_pub: master, fee_ut: feeUt, sent_at: sentAt };
      expect(toHex(admitSignBytes(chainId, parts))).toBe(vector.admitMessage);
      expect(toHex(signEd25519(fromHex(vector.admitMessage), fromHex(vector.writeSeed)))).toBe(vector.admit);
      for (const verify of [verifyZip215, createNativeVerifier()]) {
        expect(await isSignedOpening(chainId, openingOf(vector), verify)).toBe(true);
        expect(await isAdmitted(chainId, parts, { writeKey, admit: toBase64(fromHex(vector.admit)) }, verify)).toBe(true);
      }
    },
  );

  it("nothing else: each part is bound", async () => {
    const another = mailboxOwner(chainId, 8);
    const changed: readonly BoxOpening[] = [
      { ...opening, mailbox: another.pub },
      { ...opening, writeKey: boxWriter(chainId, 10).key },
      { ...opening, read: "owner" },
      { ...opening, untilSec: opening.untilSec + 1 },
      { ...opening, height: opening.height + 1 },
      { ...opening, signature: another.opening(writer.key, opening).signature },
      { ...opening, mailbox: "00".repeat(32) },
    ];
    expect(await isSignedOpening(chainId, opening, verifyZip215)).toBe(true);
    for (const each of changed) expect(await isSignedOpening(chainId, each, verifyZip215)).toBe(false);
    expect(await isSignedOpening("another-chain", opening, verifyZip215)).toBe(false);
  });

  it("for a key that admits envelopes of this mailbox alone, as they are", async () => {
    const envelope = owner.envelope(1);
    const by = { writeKey: writer.key, admit: writer.admit(envelope) };
    const changed: readonly Partial<Envelope>[] = [
      { recipient_pub: mailboxOwner(chainId, 8).pub },
      { id: owner.envelope(2).id },
      { sender_pub: mailboxOwner(chainId, 8).pub },
      { sender_ed25519_pub: boxWriter(chainId, 10).key },
      { fee_ut: 1 },
      { sent_at: envelope.sent_at + 1 },
    ];
    expect(await isAdmitted(chainId, envelope, by, verifyZip215)).toBe(true);
    for (const change of changed) {
      expect(await isAdmitted(chainId, { ...envelope, ...change }, by, verifyZip215)).toBe(false);
      expect(isSameAdmitted(envelope, { ...envelope, ...change })).toBe(false);
    }
    for (const wrong of [{ writeKey: boxWriter(chainId, 10).key }, { admit: boxWriter(chainId, 10).admit(envelope) }, { admit: "AAAA" }])
      expect(await isAdmitted(chainId, envelope, { ...by, ...wrong }, verifyZip215)).toBe(false);
    expect(await isAdmitted("another-chain", envelope, by, verifyZip215)).toBe(false);
  });
});

describe("of several openings", () => {
  it("one holds, in whatever order they are learned", () => {
    const some = fc.record({
      mailbox: fc.constant(owner.pub),
      writeKey: fc.constantFrom("01".repeat(32), "02".repeat(32), "03".repeat(32)),
      read: fc.constantFrom("anyone" as const, "owner" as const),
      untilSec: fc.integer({ min: 0, max: 3 }),
      height: fc.integer({ min: 0, max: 3 }),
      signature: fc.constantFrom("a", "b"),
    });
    const holding = (given: readonly BoxOpening[]): BoxOpening | undefined =>
      given.reduce<BoxOpening | undefined>((held, next) => (held === undefined || isLaterOpening(next, held) ? next : held), undefined);
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), (given, order) => {
        const shuffled = given.map((each) => [order.next().value as number, each] as const).sort(([a], [b]) => a - b);
        const [one, other] = [holding(given), holding(shuffled.map(([, each]) => each))];
        expect(one !== undefined && other !== undefined && isSameOpening(one, other)).toBe(true);
      }),
      { numRuns: 300, seed: 21 },
    );
  });

  it("the one of the greater height, however short it is", () => {
    const shorter = owner.opening(boxWriter(chainId, 10).key, { untilSec: opening.untilSec - 1_000, height: opening.height + 1 });
    expect([isLaterOpening(shorter, opening), isLaterOpening(opening, shorter), isSameOpening(opening, opening)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
