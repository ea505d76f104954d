// Records in groups: each gives its bytes again, alone and with the others, whatever their sizes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countOf,
  type EncodedRecord,
  encodedRecord,
  GROUP_BYTES,
  packGroups,
  readReceipt,
  readRecord,
  recordAt,
  recordId,
  recordKind,
  recordsOf,
} from "#node/storage/history/records/record-groups.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import { TRANSACTION_TYPES, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { plainRecord } from "#test/support/chain/plain-records.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { extent } from "#test/support/host/test-extent.ts";

const hexOf = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((part) => Buffer.from(part).toString("hex"));
const base64Of = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength, maxLength, size: "max" }).map((part) => Buffer.from(part).toString("base64"));

const id = fc.oneof(fc.stringMatching(/^[A-Za-z0-9._:]{1,40}$/), fc.stringMatching(new RegExp(`^[a-f0-9]{23,${MAX_TX_ID_CHARS}}$`)));
const transaction: fc.Arbitrary<Transaction> = fc.record({
  id,
  type: fc.constantFrom(...TRANSACTION_TYPES),
  from: hexOf(32),
  to: fc.oneof(fc.constant(""), hexOf(32)),
  amount: fc.maxSafeNat(),
  fee: fc.maxSafeNat(),
  payload: fc.oneof({ weight: 4, arbitrary: base64Of(0, 300) }, { weight: 1, arbitrary: base64Of(2_000, 70_000) }),
  timestamp: fc.constant("2026-11-23T10:00:00Z"),
  signature: base64Of(64, 64),
});
const outcome = fc.record({
  isOk: fc.boolean(),
  code: fc.constantFrom("", "TX_INSUFFICIENT_BALANCE"),
  feeUt: fc.maxSafeNat(),
  gasUsed: fc.nat(),
  logs: fc.array(fc.record({ contractId: fc.constant("00".repeat(8)), message: fc.string() }), { maxLength: 3 }),
  touched: fc.array(hexOf(32), { maxLength: 3 }),
});

interface Made {
  readonly tx: Transaction;
  readonly receipt: Receipt;
  readonly encoded: EncodedRecord;
}

const made: fc.Arbitrary<Made> = fc.tuple(transaction, outcome).map(([tx, rest]) => {
  const receipt = { txId: tx.id, ...rest };
  return { tx, receipt, encoded: { transaction: encodeTransaction(tx), receipt: encodeReceipt(receipt) } };
});

describe("groups of records", () => {
  it("give every record again, by its place and in order", () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 30 }), (records) => {
        const groups = packGroups(records.map(({ encoded }) => encoded));
        const found = groups.flatMap(recordsOf);
        expectEqual(
          found.map(encodedRecord),
          records.map(({ encoded }) => encoded),
        );
        expectEqual(
          found.map(readRecord),
          records.map(({ tx, receipt }) => ({ transaction: tx, receipt })),
        );
        expectEqual(
          found.map(readReceipt),
          records.map(({ receipt }) => receipt),
        );
        expect(found.map(recordId)).toEqual(records.map(({ tx }) => tx.id));
        expect(found.map(recordKind)).toEqual(records.map(({ tx, receipt }) => ({ type: tx.type, isOk: receipt.isOk })));
        for (const group of groups) {
          expectEqual(
            Array.from({ length: countOf(group) }, (_, at) => recordAt(group, at)),
            recordsOf(group),
          );
          expect(countOf(group) === 1 || group.length <= GROUP_BYTES).toBe(true);
        }
      }),
      { seed: 20_261_123, numRuns: extent(20, 60) },
    );
  });

  it("are as few as their size allows", () => {
    const groups = packGroups(Array.from({ length: 2_000 }, (_, n) => plainRecord(`tx-${n}`)));
    const bytes = groups.reduce((sum, { length }) => sum + length, 0);
    expect(groups.length).toBeLessThan((1.12 * bytes) / GROUP_BYTES);
  });

  it("take no receipt of another transaction", () => {
    const [one, other] = [plainRecord("one"), plainRecord("two")];
    expect(() => packGroups([{ transaction: one.transaction, receipt: other.receipt }])).toThrow("in the order of their transactions");
  });

  it("have no record beyond their number", () => {
    const [group = new Uint8Array()] = packGroups([plainRecord("one")]);
    expect(() => recordAt(group, 1)).toThrow("has none at 1");
  });
});
