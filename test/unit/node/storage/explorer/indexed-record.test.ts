// Lists and details are read straight from stored bytes: they must say what decoding the transaction and its receipt says.
import { describe, expect, it } from "vitest";
import { readDetail, readEntry } from "#node/storage/explorer/indexed-record.ts";
import { indexTransaction } from "#node/storage/explorer/indexed-transaction.ts";
import { readRecord, recordBytes } from "#node/storage/history/records/record-groups.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const BLOCK = { blockHeight: 7, blockHash: "ab".repeat(32), blockTimeMs: 1_700_000_000_000 };
const BLOCKS = 25;

async function records(): Promise<readonly Uint8Array[]> {
  await using folder = await createTemporaryFolder();
  using chain = openTestChain(folder.path);
  const found: Uint8Array[] = [];
  for (let height = 1; height <= BLOCKS; height += 1) {
    chain.commit(mixedBlock(height, createRandom(height)));
    found.push(...chain.database.blocks.encodedRecords(height).map(recordBytes));
  }
  return found;
}

describe("a stored record", () => {
  it("is read as its transaction and its receipt say", async () => {
    const all = await records();
    expect(all.length).toBeGreaterThanOrEqual(BLOCKS);
    for (const record of all) {
      const { transaction, receipt } = readRecord(record);
      const detail = { ...indexTransaction(transaction, receipt), ...BLOCK };
      expect(readDetail(record, BLOCK)).toEqual(detail);
      const { payload: _payload, signature: _signature, ...entry } = detail;
      expect(readEntry(record, BLOCK)).toEqual(entry);
    }
  });

  it("is refused where it is cut off", async () => {
    const [record = new Uint8Array(0)] = await records();
    const bytes = encodeTransaction(readRecord(record).transaction).length;
    expect(bytes).toBeGreaterThan(200);
    for (let length = 0; length <= bytes; length += 1) {
      expect(() => readDetail(record.subarray(0, length), BLOCK)).toThrow(TypeError);
      expect(() => readEntry(record.subarray(0, length), BLOCK)).toThrow(TypeError);
    }
  });
});
