// Packed records: both encodings come back byte by byte, whatever they are.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordBytes, unpackedBytes } from "#node/storage/history/records/record-groups.ts";
import { packRecord, unpackRecord } from "#node/storage/history/segments/packed-record.ts";
import { encodeReceipt } from "#shared/protocol/transactions/receipt.ts";
import { TRANSACTION_TYPES } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { toHex } from "#shared/util/bytes.ts";
import { type Outcome, outcomes, randomTransfer } from "#test/support/chain/sealable-blocks.ts";
import { createRandom } from "#test/support/host/random.ts";

const TIME_MS = Date.UTC(2026, 0, 1);

function encodedOf({ tx, receipt }: Outcome): { transaction: Uint8Array; receipt: Uint8Array } {
  return { transaction: encodeTransaction(tx), receipt: encodeReceipt(receipt) };
}

describe("packed records", () => {
  it("give back transactions of every type with any receipt", () => {
    const forms = new Map<string, Set<number | undefined>>();
    fc.assert(
      fc.property(outcomes, fc.nat({ max: 999 }), (outcome, ms) => {
        const record = encodedOf(outcome);
        const packed = packRecord(record, TIME_MS + ms);
        expect(unpackRecord(packed, TIME_MS + ms)).toEqual(record);
        expect(unpackedBytes(packed, TIME_MS + ms)).toEqual(recordBytes(record));
        const isSelfCertifying = /^tx1[0-9a-f]{80}$/.test(outcome.tx.id);
        expect(packed[0]).toBe(isSelfCertifying ? 1 : 0);
        forms.set(outcome.tx.type, (forms.get(outcome.tx.type) ?? new Set()).add(packed[0]));
      }),
      { numRuns: 1_000 },
    );
    for (const type of TRANSACTION_TYPES) expect([...(forms.get(type) ?? [])].sort()).toEqual([0, 1]);
  });

  it("keep encodings that are none of ours as they are", () => {
    const odd = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(odd, odd, (transaction, receipt) => {
        expect(unpackRecord(packRecord({ transaction, receipt }, TIME_MS), TIME_MS)).toEqual({ transaction, receipt });
      }),
    );
    const outcome = randomTransfer(createRandom(1), TIME_MS);
    const record = encodedOf(outcome);
    // The receipt of another transaction does not follow from this one.
    const other = encodeReceipt({ ...outcome.receipt, txId: `tx1${"00".repeat(40)}` });
    const packed = packRecord({ ...record, receipt: other }, TIME_MS);
    expect(packed[0]).toBe(0);
    expect(unpackRecord(packed, TIME_MS)).toEqual({ ...record, receipt: other });
  });

  it("have 186 bytes at most for a transfer, whatever its amount", () => {
    const random = createRandom(3);
    for (let left = 200; left > 0; left -= 1) {
      const outcome = randomTransfer(random, TIME_MS);
      const rich = { ...outcome, tx: { ...outcome.tx, amount: Number.MAX_SAFE_INTEGER } };
      expect(packRecord(encodedOf(outcome), TIME_MS).length).toBeLessThanOrEqual(182);
      expect(packRecord(encodedOf(rich), TIME_MS).length).toBeLessThanOrEqual(186);
    }
  });

  it("have the same bytes in every version", () => {
    const tx = {
      ...{ id: `tx1${"11".repeat(40)}`, type: "CALL_CONTRACT" as const, from: "22".repeat(32), to: "33".repeat(32) as string },
      ...{ amount: 300, fee: 1_000, payload: "e30=", timestamp: "2026-01-01T00:00:05Z", signature: `${"A".repeat(86)}==` },
    };
    const receipt = {
      txId: tx.id,
      isOk: false,
      code: "X",
      feeUt: 1_007,
      gasUsed: 6_500,
      logs: [{ contractId: "ab", message: "é" }],
      touched: ["44".repeat(32)],
    };
    const packed = packRecord(encodedOf({ tx, receipt }), TIME_MS);
    const head = `01${"11"}3d`;
    const fixed = `${"11".repeat(40)}${"22".repeat(32)}${"33".repeat(32)}${"00".repeat(64)}`;
    expect(toHex(packed)).toBe(`${head}${fixed}ac02e80709ef07e432027b7d01580102616202c3a901${"44".repeat(32)}`);
  });

  it("number types as in every version", () => {
    const base = randomTransfer(createRandom(1), TIME_MS);
    const numbers = TRANSACTION_TYPES.map(
      (type) => [packRecord(encodedOf({ ...base, tx: { ...base.tx, type } }), TIME_MS)[1], type] as const,
    );
    expect(numbers.toSorted(([a = 0], [b = 0]) => a - b).map(([, type]) => type)).toEqual([
      ...[
        "TRANSFER",
        "REGISTER_KEY",
        "LINK_DEVICE",
        "UNLINK_DEVICE",
        "CONTACT_REQUEST",
        "ACCEPT_CONTACT",
        "BLOCK_CONTACT",
        "REGISTER_RELAY",
      ],
      ...["RELAY_PROOF", "HEARTBEAT", "BIND_WALLET", "ADD_VALIDATOR", "REMOVE_VALIDATOR", "SLASH", "OPEN_PAY_CHAN", "CLOSE_PAY_CHAN"],
      ...["DEPLOY_CONTRACT", "CALL_CONTRACT", "UPGRADE", "ROTATE_KEY", "SUSPEND_RELAY"],
    ]);
    expect(numbers.map(([number = 0]) => number).toSorted((a, b) => a - b)).toEqual(TRANSACTION_TYPES.map((_, at) => at));
  });

  it("are refused where their form is not known", () => {
    const packed = packRecord(encodedOf(randomTransfer(createRandom(1), TIME_MS)), TIME_MS);
    const changed = (at: number, value: number): Uint8Array => Uint8Array.from(packed, (byte, index) => (index === at ? value : byte));
    expect(() => unpackRecord(changed(0, 2), TIME_MS)).toThrow("unknown form 2");
    expect(() => unpackRecord(changed(1, 200), TIME_MS)).toThrow("unknown type");
    expect(() => unpackRecord(changed(2, 64), TIME_MS)).toThrow("unknown type");
    expect(() => unpackRecord(Uint8Array.of(...packed, 0), TIME_MS)).toThrow("further bytes");
    for (let length = 1; length < packed.length; length += 1) expect(() => unpackRecord(packed.subarray(0, length), TIME_MS)).toThrow();
  });
});
