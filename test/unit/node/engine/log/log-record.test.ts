import { describe, expect, it } from "vitest";
import type { LoggedInput } from "#node/consensus/inputs.ts";
import { decodeLogRecord, encodeLogRecord, inputHeight } from "#node/engine/log/log-record.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { EngineBench } from "../engine-bench.ts";

const hash = "ab".repeat(32);
const signature = new Uint8Array(64).fill(9);
const vote = { type: "precommit", height: 7, round: 2, blockHash: null, validatorIndex: 3, signature } as const;
const proposal = { height: 7, round: 2, validRound: -1, blockHash: hash, validatorIndex: 1, signature };

const INPUTS: readonly LoggedInput[] = [
  { type: "workAvailable", height: 7 },
  { type: "proposal", proposal, isTimely: false },
  { type: "proposal", proposal: { ...proposal, validRound: 1 }, isTimely: true },
  { type: "vote", vote },
  { type: "vote", vote: { ...vote, type: "prevote", blockHash: hash } },
  { type: "certificate", votes: [vote, { ...vote, validatorIndex: 2 }] },
  { type: "commit", commit: { height: 7, round: 1, blockHash: hash, bitmap: Uint8Array.of(7), signatures: [signature] } },
  { type: "blockValidated", height: 7, blockHash: hash, isValid: true },
  { type: "proposalBuilt", height: 7, round: 0, blockHash: hash },
  { type: "nothingToPropose", height: 7, round: 0 },
  { type: "timeoutElapsed", timeout: { kind: "precommit", height: 7, round: 3 } },
];

describe("log record", () => {
  it.each(INPUTS.map((input) => [input.type, input] as const))("round-trips %s", (_, input) => {
    expect(decodeLogRecord(encodeLogRecord({ input, block: null }))).toEqual({ input, block: null });
    expect(inputHeight(input)).toBe(7);
  });

  it("round-trips a block", () => {
    const block = new EngineBench().block("a", 0);
    expect(decodeLogRecord(encodeLogRecord({ input: { type: "workAvailable", height: 1 }, block })).block).toEqual(block);
  });

  it.each([
    ["no CBOR", Uint8Array.of(0xff)],
    ["another shape", encodeCbor([1])],
    ["an unknown type", encodeCbor([99, 1, null])],
    ["an unknown timeout", encodeCbor([7, [9, 1, 1], null])],
  ])("refuses %s", (_, bytes) => {
    expect(() => decodeLogRecord(bytes)).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
  });
});
