import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeConsensusMessage, encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import { type ConsensusMessage, MAX_WORK_TRANSACTIONS, readBlock } from "#node/engine/consensus-network.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { EngineBench } from "./engine-bench.ts";

const key = "ab".repeat(32);
const signature = new Uint8Array(64).fill(9);
const vote = { type: "precommit", height: 7, round: 2, blockHash: null, validatorIndex: 3, signature } as const;
const commit = { height: 7, round: 1, blockHash: key, bitmap: Uint8Array.of(7), signatures: [signature] };
const block = new EngineBench().block("a", 0);
const tx: Transaction = {
  id: "t-1",
  type: "TRANSFER",
  from: key,
  to: key,
  amount: 5,
  fee: 1_000,
  payload: "",
  timestamp: "2026-01-01T00:00:00Z",
  signature: Buffer.from(signature).toString("base64"),
};

const MESSAGES: readonly ConsensusMessage[] = [
  { type: "proposal", proposal: { height: 7, round: 2, validRound: -1, blockHash: key, validatorIndex: 1, signature }, block },
  { type: "vote", vote },
  { type: "certificate", votes: [vote, { ...vote, validatorIndex: 2 }] },
  { type: "commit", commit, block },
  { type: "work", height: 7, transactions: [tx] },
];

describe("consensus message codec", () => {
  it.each(MESSAGES.map((message) => [message.type, message] as const))("round-trips %s", (_, message) => {
    expect(decodeConsensusMessage(encodeConsensusMessage(message))).toEqual(message);
  });

  it("writes a certificate of more votes than a set may have, which others refuse", () => {
    const votes = Array.from({ length: 101 }, (_, validatorIndex) => ({ ...vote, validatorIndex }));
    const bytes = encodeConsensusMessage({ type: "certificate", votes });
    expect(() => decodeConsensusMessage(bytes)).toThrow(RangeError);
    expect(decodeConsensusMessage(encodeConsensusMessage({ type: "certificate", votes: votes.slice(1) }))).toEqual({
      type: "certificate",
      votes: votes.slice(1),
    });
  });

  it.each([
    ["an unknown type", encodeCbor([9, 1])],
    ["another shape", encodeCbor([1])],
    ["a certificate without votes", encodeCbor([2, []])],
    [
      "more transactions than allowed",
      encodeCbor([4, [7, Array.from({ length: MAX_WORK_TRANSACTIONS + 1 }, () => encodeTransaction(tx))]]),
    ],
    ["a transaction that is none", encodeCbor([4, [7, [Uint8Array.of(1)]]])],
  ])("refuses %s", (_, bytes) => {
    expect(() => decodeConsensusMessage(bytes)).toThrow();
  });

  it("survives any bytes", () => {
    const encoded = MESSAGES.map(encodeConsensusMessage);
    const mutation = fc.tuple(fc.nat(encoded.length - 1), fc.nat(2_000), fc.nat(255));
    fc.assert(
      fc.property(mutation, ([which, at, value]) => {
        const bytes = encoded[which] ?? new Uint8Array();
        const changed = bytes.with(at % bytes.length, value);
        let decoded: ConsensusMessage | undefined;
        try {
          decoded = decodeConsensusMessage(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
        // What decodes has one encoding only. A block is decoded when it is read.
        const isWhole = decoded !== undefined && (!("block" in decoded) || readBlock(decoded) !== undefined);
        if (decoded !== undefined && isWhole) expect(Buffer.from(encodeConsensusMessage(decoded)).equals(changed)).toBe(true);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
