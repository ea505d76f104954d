// Receipts of keepers: the bytes that they sign, written down by a second encoder, and what no other key or content passes for.
import { expect, it } from "vitest";
import { isSignedReceipt, receiptSignBytes, signReceipt } from "#shared/protocol/mail/mail-receipt.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const ids = ["00".repeat(16), "ab".repeat(16)];
const untilSec = 1_800_000_000;

it("sign ids and time in a domain of their own", () => {
  const content = miniCbor([ids.map((id) => Buffer.from(id, "hex")), untilSec]);
  const expected = Buffer.concat([utf8(`parley-receipt\n${CHAIN_ID}\n`), content]);
  expect(Buffer.from(receiptSignBytes(CHAIN_ID, { ids, untilSec }))).toEqual(expected);
});

it("verify under the keeper's key alone, and as they are", async () => {
  const [keeper, other] = [actor(1), actor(2)];
  const receipt = signReceipt(CHAIN_ID, { ids, untilSec }, { publicKey: keeper.pub, secret: keeper.seed });
  const isSigned = (changed: Partial<typeof receipt>, chainId = CHAIN_ID): Promise<boolean> =>
    isSignedReceipt(chainId, { ...receipt, ...changed }, verifyZip215);
  const changes = [{ from: other.pub }, { ids: ids.slice(1) }, { untilSec: untilSec + 1 }];
  expect(await Promise.all([isSigned({}), ...changes.map((each) => isSigned(each)), isSigned({}, "another")])).toEqual([
    true,
    ...changes.map(() => false),
    false,
  ]);
});
