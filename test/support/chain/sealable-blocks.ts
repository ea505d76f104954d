// Blocks for sealed history: transactions of every type with any outcome, each encoded as a chain has it.
import fc from "fast-check";
import type { SealableBlock } from "#node/storage/history/segments/segment-block.ts";
import { encode } from "#shared/codec/codec.ts";
import { list, nullable } from "#shared/codec/composites.ts";
import { bytesUpTo } from "#shared/codec/scalars.ts";
import { rootHex } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import { type Commit, commitCodec } from "#shared/protocol/chain/vote.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import { TRANSACTION_TYPES, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { concatBytes, toBase64, toHex } from "#shared/util/bytes.ts";
import { createRandom, type Random } from "../host/random.ts";

/** A transaction and what it did. */
export interface Outcome {
  readonly tx: Transaction;
  readonly receipt: Receipt;
}

const START_MS = Date.UTC(2026, 0, 1);
const BLOCK_MS = 1_000;

const hexOf = (bytes: number): fc.Arbitrary<string> => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex);
const amounts = fc.oneof(fc.nat({ max: 300 }), fc.maxSafeNat());
const texts = fc.string({ unit: "grapheme", maxLength: 40 }).filter((text) => text.isWellFormed());
const ids = fc.oneof(
  { weight: 4, arbitrary: hexOf(40).map((hex) => `tx1${hex}`) },
  fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/).filter((id) => !id.startsWith("reward-")),
);

/** Any transaction that can be encoded, and any receipt of it. */
export const outcomes: fc.Arbitrary<Outcome> = fc
  .record({
    id: ids,
    type: fc.constantFrom(...TRANSACTION_TYPES),
    from: hexOf(32),
    to: fc.oneof(fc.constant(""), hexOf(32)),
    amount: amounts,
    fee: amounts,
    payload: fc.uint8Array({ maxLength: 300 }).map(toBase64),
    timestamp: fc
      .oneof(fc.integer({ min: START_MS - 7_200_000, max: START_MS + 7_200_000 }), fc.integer({ min: 0, max: 253_402_300_799_000 }))
      .map(formatTimestamp),
    signature: fc.uint8Array({ minLength: 64, maxLength: 64 }).map(toBase64),
    receipt: fc.record({
      isOk: fc.boolean(),
      code: fc.oneof(fc.constant(""), texts),
      feeUt: amounts,
      gasUsed: amounts,
      logs: fc.array(fc.record({ contractId: fc.oneof(fc.constant(""), hexOf(8)), message: texts }), { maxLength: 4 }),
      touched: fc.array(hexOf(32), { maxLength: 3 }),
    }),
  })
  .map(({ receipt, ...tx }) => ({ tx, receipt: { txId: tx.id, ...receipt } }));

/** A transfer as most blocks are full of. */
export function randomTransfer(random: Random, timeMs: number): Outcome {
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.between(0, 255));
  const tx: Transaction = {
    id: `tx1${toHex(bytes(40))}`,
    type: "TRANSFER",
    from: toHex(bytes(32)),
    to: toHex(bytes(32)),
    amount: random.between(1, 1_000_000),
    fee: 1_000,
    payload: "",
    timestamp: formatTimestamp(timeMs - random.between(-1_000, 9_000)),
    signature: toBase64(bytes(64)),
  };
  return { tx, receipt: { txId: tx.id, isOk: true, code: "", feeUt: 1_000, gasUsed: 0, logs: [], touched: [] } };
}

/** The block of a height with these transactions, as the tables hold it. Nothing of it is valid but its form. */
export function sealableBlock(height: number, of: readonly Outcome[], reward: SealableBlock["reward"] = null): SealableBlock {
  const random = createRandom(height + 1);
  const hash = (): string => toHex(Uint8Array.from({ length: 32 }, () => random.between(0, 255)));
  const transactions = of.map(({ tx }) => tx);
  const lastCommit: Commit | null =
    height < 2
      ? null
      : {
          height: height - 1,
          round: 0,
          blockHash: hash(),
          bitmap: Uint8Array.of(1),
          signatures: [Uint8Array.from({ length: 64 }, () => random.between(0, 255))],
        };
  const header: BlockHeader = {
    ...{ version: 2, chainId: "sealed", height, timeMs: START_MS + height * BLOCK_MS, parentHash: hash(), lastCommitHash: hash() },
    ...{ txRoot: hash(), stateRoot: hash(), receiptsRoot: hash(), validatorsHash: hash(), nextValidatorsHash: hash(), paramsHash: hash() },
    ...{ evidenceRoot: rootHex([]), proposer: hash(), txCount: transactions.length },
  };
  const evidence = height % 5 === 4 ? [Uint8Array.of(1, 2, 3)] : [];
  return {
    ...{ height, timeMs: header.timeMs, hash: headerHash(header), reward },
    front: encode(headerCodec, header),
    tail: concatBytes(encode(list(bytesUpTo()), evidence), encode(nullable(commitCodec), lastCommit)),
    records: of.map(({ tx, receipt }) => ({ transaction: encodeTransaction(tx), receipt: encodeReceipt(receipt) })),
  };
}

/** So many blocks from a height on with so many transfers each, the same for the same seed. */
export function transferBlocks(first: number, count: number, { least = 0, most = 3, seed = 7 } = {}): readonly SealableBlock[] {
  const random = createRandom(seed + first);
  return Array.from({ length: count }, (_, at) => {
    const timeMs = START_MS + (first + at) * BLOCK_MS;
    const of = Array.from({ length: random.between(least, most) }, () => randomTransfer(random, timeMs));
    return sealableBlock(first + at, of, of.length === 0 ? null : { to: "ab".repeat(32), amountUt: 1_000 * of.length });
  });
}
