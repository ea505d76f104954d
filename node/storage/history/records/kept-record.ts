// An entry of an own account whose block was dropped: the transaction with all that proves it offline, or the reward of a block. The
// validators who signed the block are in their own table.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { decode, encode, type TypeOf } from "#shared/codec/codec.ts";
import { list, nullable, record } from "#shared/codec/composites.ts";
import { bytesUpTo, hex, integer } from "#shared/codec/scalars.ts";
import { headerCodec } from "#shared/protocol/chain/header.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import { merkleTree } from "#shared/protocol/primitives/merkle.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { EncodedRecord } from "./record-groups.ts";

const provenCodec = record({
  position: integer(),
  count: integer(1),
  transaction: bytesUpTo(),
  transactionSiblings: list(bytesUpTo(32)),
  receipt: bytesUpTo(),
  receiptSiblings: list(bytesUpTo(32)),
});

const keptCodec = record({
  header: headerCodec,
  commit: nullable(commitCodec),
  /** Null for a reward, which follows from the fees of its block and has no proof of its own. */
  proven: nullable(provenCodec),
  reward: nullable(record({ to: hex(32), amountUt: integer() })),
});

/** A kept entry, as it was decoded. */
export type KeptRecord = TypeOf<typeof keptCodec>;

/** Transactions among the records of their block, each by its position: what proves them is hashed once. */
export function provenRecords(records: readonly EncodedRecord[]): (position: number) => NonNullable<KeptRecord["proven"]> {
  const [transactions, receipts] = (["transaction", "receipt"] as const).map(
    (part) =>
      merkleTree(
        records.map((record) => record[part]),
        nativeSha256,
      ).proofs,
  );
  return (position) => {
    const [found, transaction, receipt] = [records[position], transactions?.[position], receipts?.[position]];
    assertInvariant(found !== undefined && transaction !== undefined && receipt !== undefined, "An entry names a transaction of its block");
    return {
      position,
      count: records.length,
      ...found,
      transactionSiblings: [...transaction.siblings],
      receiptSiblings: [...receipt.siblings],
    };
  };
}

/** Its bytes. */
export function packKept(kept: KeptRecord): Uint8Array {
  return encode(keptCodec, kept);
}

/** A kept entry of its bytes. @throws Error on bytes that are none */
export function readKept(bytes: Uint8Array): KeptRecord {
  return decode(keptCodec, bytes);
}
