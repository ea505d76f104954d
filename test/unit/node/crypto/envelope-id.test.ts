// The native check of an envelope's id gives the result of the portable rule.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import { toHex } from "#shared/util/bytes.ts";
import { isEnvelopeIdAuthentic } from "#test/support/chain/envelope-id.ts";

describe("the id of an envelope", () => {
  it("is checked as the portable rule checks it", () => {
    const sender = boxKeyPair(new Uint8Array(32).fill(3));
    const recipientPub = toHex(boxKeyPair(new Uint8Array(32).fill(4)).publicKey);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ minLength: 24, maxLength: 24 }),
        fc.nat({ max: 2 }),
        (plaintext, nonce, n) => {
          const sealed = sealEnvelope({ plaintext, recipientPub, sender, senderMasterPub: "", nonce, sentAt: 5 });
          const id = [sealed.id, sealed.id.toUpperCase(), envelopeId(nonce, plaintext)][n] ?? "";
          expect(isAuthenticEnvelope({ ...sealed, id })).toBe(isEnvelopeIdAuthentic({ ...sealed, id }));
          expect(isAuthenticEnvelope(sealed)).toBe(true);
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });
});
