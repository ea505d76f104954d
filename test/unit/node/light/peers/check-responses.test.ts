import { describe, expect, it } from "vitest";
import { checkTransaction } from "#node/light/peers/check-responses.ts";
import type { LightResponse } from "#node/light/wire/light-responses.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { merkleProof, merkleRoot, verifyMerkleProof } from "#shared/protocol/primitives/merkle.ts";
import { encodeReceipt } from "#shared/protocol/transactions/receipt.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";
import { lightHeader } from "#test/support/worlds/light-world.ts";

/** Sizes that a false response names: more than the depth of any true one needs. */
const SIZES = 70;

/** A block of so many payments, and the true response about one of them. */
function responseAbout(
  position: number,
  size: number,
): readonly [Parameters<typeof checkTransaction>[0], string, Extract<LightResponse, { readonly kind: "transaction" }>] {
  const payments = Array.from({ length: size }, (_, index) =>
    signed(alice, { type: "TRANSFER", to: bob.pub, amount: index + 1, payload: {} }),
  );
  const leaves = payments.map(encodeTransaction);
  const receipts = payments.map(({ id }) =>
    encodeReceipt({ txId: id, isOk: true, code: "", feeUt: 1_000, gasUsed: 0, logs: [], touched: [] }),
  );
  const [payment, leaf, receipt] = [payments[position], leaves[position], receipts[position]];
  assertInvariant(payment !== undefined && leaf !== undefined && receipt !== undefined, "The position is one of the block");
  const roots = { txRoot: toHex(merkleRoot(leaves)), receiptsRoot: toHex(merkleRoot(receipts)) };
  const header = lightHeader({ height: 7, ...roots, txCount: size });
  const at = { header, hash: headerHash(header), commit: null, validators: [] };
  return [
    at,
    payment.id,
    {
      kind: "transaction",
      at,
      position,
      count: size,
      transaction: { bytes: leaf, siblings: merkleProof(leaves, position).siblings },
      receipt: { bytes: receipt, siblings: merkleProof(receipts, position).siblings },
    },
  ];
}

describe("the position of a transaction in its block", () => {
  it.each([
    [4, 5],
    [0, 1],
    [0, 3],
    [2, 3],
    [6, 7],
    [8, 9],
    [3, 8],
  ])("%i of %i is believed as nothing else, though the root would allow it", (position, size) => {
    const [at, id, response] = responseAbout(position, size);
    const { bytes, siblings } = response.transaction;
    const pairs = Array.from({ length: SIZES }, (_, count) => Array.from({ length: count }, (__, index) => [index, count] as const)).flat();
    const underRoot = pairs.filter(([index, count]) =>
      verifyMerkleProof(merkleRootOf(at), bytes, { index, size: count, siblings }, sha256),
    );
    expect(underRoot.length).toBeGreaterThan(siblings.length === 0 ? 0 : 1);
    const believed = pairs.filter(([index, count]) => "value" in checkTransaction(at, id, { ...response, position: index, count }, sha256));
    expect(believed).toEqual([[position, size]]);
  });
});

function merkleRootOf({ header }: Parameters<typeof checkTransaction>[0]): Uint8Array {
  return Buffer.from(header.txRoot, "hex");
}
