// Fees that senders signed for another chain are forgotten; those for this one stay.
import { expect, it } from "vitest";
import { forgetForeignClaims } from "#node/relay/foreign-claims.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { feeSignBytes } from "#shared/protocol/mail/envelope.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, deviceKey } from "#test/support/worlds/ledger-world.ts";

it("forgets the claims of another chain and what is no signature", async () => {
  await using folder = await createTemporaryFolder();
  const mailbox = openMailbox(folder.path);
  try {
    const add = (id: string, chainId: string, claimed = alice): void => {
      const fee_sig = toBase64(signEd25519(feeSignBytes(chainId, id, 9), alice.seed));
      mailbox.claims.add({ id, recipient_pub: deviceKey(1), sender_ed25519_pub: claimed.pub, fee_ut: 9, fee_sig }, 1);
    };
    add("old", "parley-one");
    add("new", "parley-two");
    add("stolen", "parley-two", bob);
    mailbox.claims.add({ id: "none", recipient_pub: deviceKey(1), sender_ed25519_pub: alice.pub, fee_ut: 9, fee_sig: "?" }, 1);
    expect(forgetForeignClaims(mailbox.claims, "parley-two", verifyZip215)).toBe(3);
    expect(mailbox.claims.list(10).map(({ envelope_id }) => envelope_id)).toEqual(["new"]);
    expect(forgetForeignClaims(mailbox.claims, "parley-two", verifyZip215)).toBe(0);
  } finally {
    mailbox.close();
  }
});
