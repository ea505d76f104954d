// Headers, blocks, validators, votes and commits.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "#shared/codec/codec.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import { isMoreThanThird, isQuorum, sortValidators, type ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitCodec, commitSigners, verifyCommit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { ed25519PublicKey, isAcceptablePublicKey, signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { strictlyDecoded } from "#test/support/codec/strict-cbor.ts";

const CHAIN_ID = "parley-test";
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
const header: fc.Arbitrary<BlockHeader> = fc.record({
  version: fc.nat(),
  chainId: fc.string({ maxLength: 64 }),
  height: fc.maxSafeNat(),
  timeMs: fc.maxSafeNat(),
  parentHash: hash,
  lastCommitHash: hash,
  txRoot: hash,
  stateRoot: hash,
  receiptsRoot: hash,
  validatorsHash: hash,
  nextValidatorsHash: hash,
  paramsHash: hash,
  evidenceRoot: hash,
  proposer: hash,
  txCount: fc.nat(),
});
const commit: fc.Arbitrary<Commit> = fc.record({
  height: fc.maxSafeNat(),
  round: fc.nat(),
  blockHash: hash,
  bitmap: fc.uint8Array({ maxLength: 4 }),
  signatures: fc.array(fc.uint8Array({ minLength: 64, maxLength: 64 }), { maxLength: 4 }),
});
const block: fc.Arbitrary<Block> = fc.record({
  header,
  transactions: fc.constant([]),
  evidence: fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 3 }),
  lastCommit: fc.option(commit),
});

const TRANSFER: Transaction = {
  id: "",
  type: "TRANSFER",
  from: "ab".repeat(32),
  to: "cd".repeat(32),
  amount: 1,
  fee: 1_000,
  payload: "",
  timestamp: "2026-01-01T00:00:00Z",
  signature: Buffer.alloc(64, 7).toString("base64"),
};

describe("blocks", () => {
  it("decoding takes back what encoding wrote", () => {
    fc.assert(
      fc.property(block, (value) => {
        expect(decodeBlock(encodeBlock(value))).toEqual(value);
        expect(decode(headerCodec, encode(headerCodec, value.header))).toEqual(value.header);
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  it("every field of a header changes its hash", () => {
    const [first, second] = fc.sample(header, { seed: 2, numRuns: 2 });
    if (first === undefined || second === undefined) throw new Error("no samples");
    const hashes = (Object.keys(first) as (keyof BlockHeader)[]).map((name) => headerHash({ ...first, [name]: second[name] }));
    expect(new Set([...hashes, headerHash(first)]).size).toBe(16);
  });

  it("no other shape decodes", () => {
    const [value] = fc.sample(block, { seed: 3, numRuns: 1 });
    if (value === undefined) throw new Error("no sample");
    const fields = strictlyDecoded(encodeBlock(value)) as readonly CborValue[];
    const [headerFields] = fields as readonly (readonly CborValue[])[];
    const wrong: readonly CborValue[] = [
      [],
      null,
      [...fields, null],
      fields.with(0, null),
      fields.with(1, "x"),
      fields.with(1, [null]),
      fields.with(2, [1]),
      fields.with(3, []),
      fields.with(0, headerFields?.with(0, -1) ?? null),
      fields.with(0, headerFields?.with(1, 1) ?? null),
      fields.with(0, headerFields?.with(4, new Uint8Array(31)) ?? null),
      fields.with(0, headerFields?.slice(1) ?? null),
    ];
    for (const item of wrong) expect(() => decodeBlock(encodeCbor(item))).toThrow();
  });

  it("decodes no transaction again that is known with the same bytes", () => {
    const [value] = fc.sample(block, { seed: 5, numRuns: 1 });
    if (value === undefined) throw new Error("no sample");
    const transfer = (id: string, amount: number): Transaction => ({ ...TRANSFER, id, amount });
    const transactions = ["a", "b", "c"].map((id) => transfer(id, 1));
    const bytes = encodeBlock({ ...value, transactions });
    const pool = new Map([transfer("a", 1), transfer("b", 2)].map((tx) => [tx.id, tx]));
    const decoded = decodeBlock(bytes, (id) => pool.get(id));
    expect(decoded).toEqual({ ...value, transactions });
    expect(decoded.transactions.map((tx) => tx === pool.get(tx.id))).toEqual([true, false, false]);
    const cut = encodeBlock({ ...value, transactions: transactions.slice(0, 1), evidence: [], lastCommit: null });
    for (const end of [cut.length - 1, cut.length - 3, cut.length - 40])
      expect(() => decodeBlock(cut.subarray(0, end), (id) => pool.get(id))).toThrow();
  });

  it("decodes no block in another form than the deterministic one", () => {
    const [value] = fc.sample(block, { seed: 4, numRuns: 1 });
    if (value === undefined) throw new Error("no sample");
    const bytes = Buffer.from(encodeBlock({ ...value, header: { ...value.header, version: 1 } }));
    // A list of four with a header of fifteen fields, the first of which is 1.
    expect(bytes.toString("hex", 0, 3)).toBe("848f01");
    expect(decodeBlock(bytes).header.version).toBe(1);
    for (const other of ["1801", "190001", "f93c00", "fb3ff0000000000000"])
      expect(() => decodeBlock(Buffer.concat([bytes.subarray(0, 2), Buffer.from(other, "hex"), bytes.subarray(3)]))).toThrow();
    expect(() => decodeBlock(Buffer.concat([Buffer.from("9804", "hex"), bytes.subarray(1)]))).toThrow();
    expect(() => decodeBlock(Buffer.concat([bytes, Buffer.of(0)]))).toThrow();
  });
});

describe("validators", () => {
  it("stand in byte order", () => {
    const keys = ["ff", "00", "80"].map((byte) => ({ publicKey: byte.repeat(32), bondUt: 1 }));
    expect(sortValidators(keys).map(({ publicKey }) => publicKey.slice(0, 2))).toEqual(["00", "80", "ff"]);
  });

  it.each([
    [1, 1, true, true],
    [2, 3, false, true],
    [3, 4, true, true],
    [1, 3, false, false],
    [2, 4, false, true],
    [0, 0, false, false],
  ])("%i of %i: quorum %s, more than a third %s", (count, size, quorum, third) => {
    expect([isQuorum(count, size), isMoreThanThird(count, size)]).toEqual([quorum, third]);
  });
});

describe("commits", () => {
  const seeds = [1, 2, 3, 4].map((n) => new Uint8Array(32).fill(n));
  const signers = seeds
    .map((seed) => ({ seed, publicKey: toHex(ed25519PublicKey(seed)) }))
    .sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
  const set: ValidatorSet = signers.map(({ publicKey }) => ({ publicKey, bondUt: 1 }));
  const blockHash = "ab".repeat(32);
  const sign = (index: number, round = 0): Uint8Array =>
    signEd25519(voteSignBytes(CHAIN_ID, { type: "precommit", height: 5, round, blockHash }), signers[index]?.seed ?? new Uint8Array(32));
  const good: Commit = { height: 5, round: 0, blockHash, bitmap: Uint8Array.of(0b1101), signatures: [sign(0), sign(2), sign(3)] };

  it("of three of four validators holds", () => {
    expect(verifyCommit(CHAIN_ID, set, good, verifyZip215)).toBe(true);
    expect(commitSigners(good, 4)).toEqual([0, 2, 3]);
    expect(decode(commitCodec, encode(commitCodec, good))).toEqual(good);
  });

  it.each<[string, Partial<Commit>]>([
    ["two of four", { bitmap: Uint8Array.of(0b101), signatures: [sign(0), sign(2)] }],
    ["signatures in another order", { signatures: [sign(2), sign(0), sign(3)] }],
    ["one signature twice", { signatures: [sign(0), sign(0), sign(3)] }],
    ["a signature of another round", { signatures: [sign(0), sign(2), sign(3, 1)] }],
    ["another round", { round: 1 }],
    ["another height", { height: 6 }],
    ["another block", { blockHash: "cd".repeat(32) }],
    ["a bit for a validator that is not there", { bitmap: Uint8Array.of(0b11101) }],
    ["a bitmap that is too long", { bitmap: Uint8Array.of(0b1101, 0) }],
    ["a signature missing", { signatures: [sign(0), sign(2)] }],
    ["a signature too many", { signatures: [sign(0), sign(2), sign(3), sign(1)] }],
  ])("with %s does not hold", (_name, change) => {
    expect(verifyCommit(CHAIN_ID, set, { ...good, ...change }, verifyZip215)).toBe(false);
  });

  it("of another chain does not hold", () => {
    expect(verifyCommit("parley-other", set, good, verifyZip215)).toBe(false);
  });
});

describe("Ed25519 keys", () => {
  const P = 2n ** 255n - 19n;
  const encode = (y: bigint): string => Buffer.from(y.toString(16).padStart(64, "0"), "hex").reverse().toString("hex");

  it.each([
    ["the identity", encode(1n)],
    ["order 2", encode(P - 1n)],
    ["order 4", encode(0n)],
    ["order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"],
    ["the identity not reduced", encode(P + 1n)],
    ["a point not reduced", encode(P + 3n)],
    ["no point", encode(2n)],
    ["a wrong length", "00".repeat(31)],
    ["no hex", "zz".repeat(32)],
  ])("%s is refused", (_name, key) => expect(isAcceptablePublicKey(key)).toBe(false));

  it("keys of seeds are accepted", () => {
    for (let n = 0; n < 8; n += 1) expect(isAcceptablePublicKey(toHex(ed25519PublicKey(new Uint8Array(32).fill(n))))).toBe(true);
  });

  it("verification answers false to anything else than 64 and 32 bytes", () => {
    expect(verifyZip215(new Uint8Array(63), new Uint8Array(), new Uint8Array(32))).toBe(false);
    expect(verifyZip215(new Uint8Array(64), new Uint8Array(), new Uint8Array(31))).toBe(false);
  });
});
