import { describe, expect, it } from "vitest";
import { createBlockPreparation } from "#node/crypto/block-preparation.ts";
import { RememberedSignatures } from "#node/crypto/remembered-signatures.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type Commit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { EngineBench } from "../engine/engine-bench.ts";

const bytes = (fill: number, length: number): Uint8Array => new Uint8Array(length).fill(fill);

/** A verifier that accepts a signature whose first byte is that of the message, and counts its calls. */
function counted(): { calls: number; verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean } {
  const counter = {
    calls: 0,
    verify: (signature: Uint8Array, message: Uint8Array): boolean => {
      counter.calls += 1;
      return signature[0] === message[0];
    },
  };
  return counter;
}

describe("remembered signatures", () => {
  it("asks once for a valid signature", () => {
    const counter = counted();
    const { verify } = new RememberedSignatures(counter.verify);
    for (let call = 0; call < 3; call += 1) expect(verify(bytes(1, 64), bytes(1, 20), bytes(3, 32))).toBe(true);
    expect(counter.calls).toBe(1);
  });

  it("asks each time for an invalid one", () => {
    const counter = counted();
    const { verify } = new RememberedSignatures(counter.verify);
    for (let call = 0; call < 3; call += 1) expect(verify(bytes(1, 64), bytes(2, 20), bytes(3, 32))).toBe(false);
    expect(counter.calls).toBe(3);
  });

  it("asks again for another message or key under the same signature", () => {
    const counter = counted();
    const { verify } = new RememberedSignatures(counter.verify);
    verify(bytes(1, 64), bytes(1, 20), bytes(3, 32));
    expect(verify(bytes(1, 64), bytes(2, 20), bytes(3, 32))).toBe(false);
    verify(bytes(1, 64), bytes(1, 20), bytes(4, 32));
    verify(bytes(1, 64), bytes(1, 21), bytes(4, 32));
    expect(counter.calls).toBe(4);
  });

  it("forgets the oldest beyond its capacity", () => {
    const counter = counted();
    const signatures = new RememberedSignatures(counter.verify, 2);
    for (const fill of [1, 2, 3]) signatures.verify(bytes(fill, 64), bytes(fill, 20), bytes(9, 32));
    expect(signatures.size).toBe(2);
    expect(signatures.isKnown(bytes(1, 64), bytes(1, 20), bytes(9, 32))).toBe(false);
    expect(signatures.isKnown(bytes(3, 64), bytes(3, 20), bytes(9, 32))).toBe(true);
  });
});

describe("block preparation", () => {
  const bench = new EngineBench({ size: 4, ownIndex: 0 });
  const empty = bench.block("a", 1);
  const transactions = Array.from(
    { length: 10 },
    (_, index): Transaction => ({
      id: `t-${index}`,
      type: "TRANSFER",
      from: "ab".repeat(32),
      to: "cd".repeat(32),
      amount: 1,
      fee: 1_000,
      payload: "",
      timestamp: "2026-01-01T00:00:00Z",
      signature: Buffer.from(bytes(index % 2 === 0 ? 0x7b : 1, 64).fill(index, 1)).toString("base64"),
    }),
  );
  const block: Block = { ...empty, transactions };
  const prepared = (
    isChecked: (tx: Transaction) => boolean,
  ): { signatures: RememberedSignatures; preparation: ReturnType<typeof createBlockPreparation> } => {
    const signatures = new RememberedSignatures(() => false);
    // Sign bytes begin with "{" (0x7b): only signatures that begin so are accepted.
    const verifyLater = (signature: Uint8Array, message: Uint8Array): Promise<boolean> => Promise.resolve(signature[0] === message[0]);
    return { signatures, preparation: createBlockPreparation({ chainId: "memory-1", signatures, verifyLater, isChecked }) };
  };

  it("remembers what is valid, and nothing else", async () => {
    const { signatures, preparation } = prepared(() => false);
    await preparation.prepareBlock(block);
    expect(signatures.size).toBe(5);
    expect(transactions.map(signatures.isSigned)).toEqual(transactions.map((_, index) => index % 2 === 0));
    // Another object may have been changed.
    expect(transactions.map((tx) => signatures.isSigned({ ...tx }))).not.toContain(true);
  });

  it("learns the senders whose signatures are valid, and has the other keys looked at once", async () => {
    const signatures = new RememberedSignatures(() => false);
    const verifyLater = (signature: Uint8Array, message: Uint8Array): boolean => signature[0] === message[0];
    const [signers, others]: [string[], string[][]] = [[], []];
    const keys = {
      learnSigner: (key: string): void => void signers.push(key),
      learnKeys: (named: readonly string[]): undefined => void others.push([...named]),
    };
    const parts = { chainId: "memory-1", signatures, verifyLater, keys, isChecked: (): boolean => false };
    await createBlockPreparation(parts).prepareBlock(block);
    expect(signers).toEqual(transactions.filter((_, index) => index % 2 === 0).map(({ from }) => from));
    expect(others).toEqual([[...new Set(transactions.map(({ to }) => to).filter((to) => to !== ""))]]);
  });

  it("is not worth it for few, and for those that are known", () => {
    expect(prepared(() => true).preparation.prepareBlock(block)).toBeNull();
    expect(prepared((tx) => tx.id > "t-6").preparation.prepareBlock(block)).toBeNull();
    expect(prepared(() => false).preparation.prepareBlock(empty)).toBeNull();
  });

  it("checks a commit by the validators that it names, and remembers what is valid under their keys", async () => {
    const message = voteSignBytes("memory-1", { type: "precommit", height: 1, round: 0, blockHash: "11".repeat(32) });
    const signature = bytes(message[0] ?? 0, 64);
    const commit: Commit = {
      height: 1,
      round: 0,
      blockHash: "11".repeat(32),
      bitmap: Uint8Array.of(0b101),
      signatures: [signature, signature.with(5, 9)],
    };
    const { nextValidators } = bench.chain.tip();
    const { signatures, preparation } = prepared(() => false);
    await preparation.prepareCommit({ ...commit, signatures: [new Uint8Array(64)] }, nextValidators);
    expect(signatures.size).toBe(0);
    await preparation.prepareCommit(commit, nextValidators);
    expect(signatures.isKnown(signature, message, fromHex(nextValidators[0]?.publicKey ?? ""))).toBe(true);
    expect(signatures.isKnown(signature.with(5, 9), message, fromHex(nextValidators[2]?.publicKey ?? ""))).toBe(true);
    expect(signatures.size).toBe(2);
  });
});
