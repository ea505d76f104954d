import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { openReplaceableFile, type ReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { comparePositions, type SignPosition } from "#node/engine/log/sign-guard.ts";
import { encodeMemory, NOTHING_SIGNED, SignerMemory, type SigningOutcome } from "#node/signer/memory/signer-memory.ts";
import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { toHex } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { runProgram } from "#test/support/nodes/run-program.ts";

const CHAIN = "parley-1";
const SEED = new Uint8Array(32).fill(3);
const signer = createValidatorSigner(SEED);
const [ONE, TWO] = ["11".repeat(32), "22".repeat(32)];
const [A, B] = ["aa".repeat(32), "bb".repeat(32)];

const at = (height: number, round: number, step: SignPosition["step"]): SignPosition => ({ height, round, step });

function bytesOf({ height, round, step }: SignPosition, blockHash: string): Uint8Array {
  return step === "proposal"
    ? proposalSignBytes(CHAIN, { height, round, validRound: -1, blockHash })
    : voteSignBytes(CHAIN, { type: step, height, round, blockHash });
}

function sign(memory: SignerMemory, node: string, position: SignPosition, blockHash: string): SigningOutcome {
  return memory.sign(node, { position, blockHash, signBytes: bytesOf(position, blockHash) });
}

const isSigned = (outcome: SigningOutcome): boolean => "signature" in outcome;

class MemoryFile implements ReplaceableFile {
  content: Uint8Array | undefined;
  isFull = false;
  read(): Uint8Array | undefined {
    return this.content;
  }
  replace(bytes: Uint8Array): void {
    if (this.isFull) throw new Error("ENOSPC");
    this.content = bytes;
  }
}

type Request = readonly [node: string, position: SignPosition, blockHash: string, isRestarted: boolean];

interface Signed {
  readonly node: string;
  readonly position: SignPosition;
  readonly blockHash: string;
}

/** What nodes that ask for these signatures get anew, with restarts in between. What they get again must be the same. */
function play(requests: readonly Request[]): readonly Signed[] {
  const file = new MemoryFile();
  const signed: Signed[] = [];
  let memory = new SignerMemory(file, CHAIN, signer);
  for (const [node, position, blockHash, isRestarted] of requests) {
    if (isRestarted) memory = new SignerMemory(file, CHAIN, signer);
    if (!isSigned(sign(memory, node, position, blockHash))) continue;
    const before = signed.find((each) => comparePositions(each.position, position) === 0);
    if (before === undefined) signed.push({ node, position, blockHash });
    else expect(before.blockHash).toBe(blockHash);
  }
  return signed;
}

describe("the signer's memory", () => {
  it("signs rising positions, gives the same signature again, and nothing else at or below the last", () => {
    const memory = new SignerMemory(new MemoryFile(), CHAIN, signer);
    const first = sign(memory, ONE, at(5, 1, "prevote"), A);
    expect(isSigned(first)).toBe(true);
    expect(sign(memory, ONE, at(5, 1, "prevote"), A)).toEqual(first);
    for (const position of [at(5, 1, "prevote"), at(5, 1, "proposal"), at(5, 0, "precommit"), at(4, 9, "precommit")])
      expect(sign(memory, ONE, position, B)).toMatchObject({ refusal: expect.stringContaining("contradict") });
    expect(isSigned(sign(memory, ONE, at(5, 1, "precommit"), B))).toBe(true);
  });

  it("gives two nodes together no two signatures of a position, and no height to both", () => {
    const steps = ["proposal", "prevote", "precommit"] as const;
    const request = fc.tuple(
      fc.constantFrom(ONE, TWO),
      fc.record({ height: fc.integer({ min: 1, max: 4 }), round: fc.nat({ max: 2 }), step: fc.constantFrom(...steps) }),
      fc.constantFrom(A, B),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        const signed = play(requests);
        for (const [index, { node, position }] of signed.entries())
          for (const earlier of signed.slice(0, index)) {
            expect(comparePositions(earlier.position, position)).toBeLessThan(0);
            if (earlier.position.height === position.height) expect(earlier.node).toBe(node);
          }
      }),
    );
  });

  it("lets another node sign from the next height on, also after a restart", () => {
    const file = new MemoryFile();
    sign(new SignerMemory(file, CHAIN, signer), ONE, at(7, 0, "prevote"), A);
    const memory = new SignerMemory(file, CHAIN, signer);
    expect(sign(memory, TWO, at(7, 1, "prevote"), B)).toMatchObject({ refusal: expect.stringContaining("another node") });
    // The same bytes say nothing new.
    expect(isSigned(sign(memory, TWO, at(7, 0, "prevote"), A))).toBe(true);
    expect(isSigned(sign(memory, TWO, at(8, 0, "prevote"), B))).toBe(true);
    expect(isSigned(sign(memory, ONE, at(8, 0, "precommit"), B))).toBe(false);
  });

  it("gives no signature that it could not store, and goes on when there is room again", () => {
    const file = new MemoryFile();
    const memory = new SignerMemory(file, CHAIN, signer);
    sign(memory, ONE, at(1, 0, "prevote"), A);
    const stored = file.content;
    file.isFull = true;
    expect(() => sign(memory, ONE, at(2, 0, "prevote"), A)).toThrow("ENOSPC");
    expect(memory.last?.position).toEqual(at(1, 0, "prevote"));
    file.isFull = false;
    expect(file.content).toBe(stored);
    // No one has seen the first one, so this is not a second.
    expect(isSigned(sign(memory, ONE, at(2, 0, "prevote"), B))).toBe(true);
  });

  it("refuses for good when another process changed its file", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "signed");
    const [one, two] = [openReplaceableFile(path), openReplaceableFile(path)].map((file) => new SignerMemory(file, CHAIN, signer));
    if (one === undefined || two === undefined) throw new Error("two memories");
    sign(one, ONE, at(1, 0, "prevote"), A);
    expect(() => sign(two, ONE, at(1, 0, "prevote"), B)).toThrow(expect.objectContaining({ code: "STORAGE_LOCKED" }));
    expect(() => sign(two, ONE, at(2, 0, "prevote"), B)).toThrow(expect.objectContaining({ code: "STORAGE_LOCKED" }));
  });

  it("is of one key and one chain, and refuses what is damaged", () => {
    const stored = encodeMemory(NOTHING_SIGNED, CHAIN, signer.publicKey);
    const fileOf = (content: Uint8Array): MemoryFile => Object.assign(new MemoryFile(), { content });
    expect(new SignerMemory(fileOf(stored), CHAIN, signer).last).toEqual(NOTHING_SIGNED);
    const unsafe = expect.objectContaining({ code: "VALIDATOR_UNSAFE" });
    expect(() => new SignerMemory(fileOf(stored), "parley-2", signer)).toThrow(unsafe);
    expect(() => new SignerMemory(fileOf(stored), CHAIN, createValidatorSigner(new Uint8Array(32)))).toThrow(unsafe);
    for (let index = 0; index < stored.length; index += 1) {
      const damaged = Uint8Array.from(stored);
      damaged[index] = (damaged[index] ?? 0) ^ 1;
      expect(() => new SignerMemory(fileOf(damaged), CHAIN, signer)).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
    }
  });

  it("signs the parts of the proposal that it signed, of no other block, round or height, and none after a restart", () => {
    const file = new MemoryFile();
    const memory = new SignerMemory(file, CHAIN, signer);
    const parts = Uint8Array.of(1);
    expect(memory.signParts({ height: 3, round: 0, blockHash: A }, parts)).toMatchObject({ refusal: expect.any(String) });
    sign(memory, ONE, at(3, 0, "proposal"), A);
    expect(isSigned(memory.signParts({ height: 3, round: 0, blockHash: A }, parts))).toBe(true);
    sign(memory, ONE, at(3, 0, "prevote"), A);
    expect(isSigned(memory.signParts({ height: 3, round: 0, blockHash: A }, parts))).toBe(true);
    for (const other of [
      { height: 3, round: 0, blockHash: B },
      { height: 3, round: 1, blockHash: A },
      { height: 4, round: 0, blockHash: A },
    ])
      expect(isSigned(memory.signParts(other, parts))).toBe(false);
    expect(isSigned(new SignerMemory(file, CHAIN, signer).signParts({ height: 3, round: 0, blockHash: A }, parts))).toBe(false);
  });
});

describe("a signer that is killed between disk and answer", () => {
  it("gives after its restart the signature that no one saw, and none for another block", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "signed");
    const run = (hash: string, way: string): ReturnType<typeof runProgram> =>
      runProgram(process.execPath, ["test/support/nodes/killed-signer.ts", path, toHex(SEED), CHAIN, hash, way]);
    const killed = await run(A, "kill");
    expect(killed).toMatchObject({ code: null, stdout: "" });
    expect((await run(B, "answer")).stdout).toContain("refused: ");
    const again = await run(A, "answer");
    expect(again.stdout).toBe(toHex(signer.sign(bytesOf(at(12, 0, "precommit"), A))));
    // What a crash tore off the temporary file is not read.
    writeFileSync(`${path}.new`, readFileSync(path).subarray(0, 9));
    expect((await run(B, "answer")).stdout).toContain("refused: ");
  });
});
