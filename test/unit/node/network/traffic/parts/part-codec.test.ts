// Bytes of proposals in parts: what a proposer signs, and what any bytes of strangers are read as.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { cutIntoParts, PartAssembly } from "#node/network/traffic/parts/part-assembly.ts";
import {
  bitPositions,
  bitsAt,
  decodePartMessage,
  encodePartMessage,
  isPartMessage,
  type PartMessage,
  type PartsHead,
  partsHeadCodec,
  partsSignBytes,
} from "#node/network/traffic/parts/part-codec.ts";
import { goesWhole, partBytesOf, partCount, relayOrder, relayRank } from "#node/network/traffic/parts/part-layout.ts";
import { tryDecodeConsensus } from "#node/network/wire/wire-codec.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { verifyMerkleProof } from "#shared/protocol/primitives/merkle.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";
import { extent } from "#test/support/host/test-extent.ts";

const KEY = "ab".repeat(32);
const proposal = { height: 7, round: 2, validRound: -1, blockHash: KEY, validatorIndex: 1, signature: new Uint8Array(64).fill(9) };
const BLOCK = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 31 + (index >> 8) * 7) & 255);
const { root, parts } = cutIntoParts(BLOCK, 1_024, nativeSha256);
const unsigned = { proposal, size: BLOCK.length, partBytes: 1_024, root, relays: Uint8Array.of(0b1101) };
const head: PartsHead = {
  ...unsigned,
  signature: createValidatorSigner(new Uint8Array(32).fill(3)).sign(partsSignBytes("parley-1", unsigned)),
};
const encodedHead = encode(partsHeadCodec, head);
const [first] = parts;
if (first === undefined) throw new Error("A block has a part");

const MESSAGES: readonly PartMessage[] = [
  { type: "part", head: encodedHead, ...first },
  { type: "head", head: encodedHead },
  { type: "missing", root, parts: bitsAt([0, 3, 4]) },
];

function sha256(...pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

/** RFC 6962 by its recursive definition. */
function rfcRoot(leaves: readonly Uint8Array[]): Buffer {
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return sha256(Buffer.of(0), only);
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sha256(Buffer.of(1), rfcRoot(leaves.slice(0, split)), rfcRoot(leaves.slice(split)));
}

describe("messages of parts", () => {
  it("have the bytes that the document says", () => {
    const { height, round, validRound, validatorIndex, signature } = proposal;
    const hash = fromHex(KEY);
    const headValue = [[height, round, validRound, hash, validatorIndex, signature], 5_000, 1_024, root, Buffer.of(13), head.signature];
    expect(Buffer.from(encodedHead).equals(miniCbor(headValue))).toBe(true);
    const signed = miniCbor([height, round, hash, 5_000, 1_024, root, Buffer.of(13)]);
    expect(Buffer.from(partsSignBytes("parley-1", head)).equals(Buffer.concat([Buffer.from("parley-parts\nparley-1\n"), signed]))).toBe(
      true,
    );
    const values = [
      [5, [encodedHead, 0, first.siblings, first.bytes]],
      [6, encodedHead],
      [7, [root, Buffer.of(0b11001)]],
    ];
    for (const [at, message] of MESSAGES.entries()) expect(Buffer.from(encodePartMessage(message)).equals(miniCbor(values[at]))).toBe(true);
  });

  it("stay the same", () => {
    expect(toHex(root)).toBe("7e3fdc527711eb3ba31ac22d536e1642268e38113a7a6d621790b22829fb0db4");
    expect(MESSAGES.map((message) => toHex(sha256(encodePartMessage(message))))).toEqual([
      "a4ec977d7b0b26021be41fb2782c7681d055f6c934b1fd4f36c3002fb905ede0",
      "4dd5c6e217f846ed7a47faf7bbc6c2dc3bb5c842f568d554066868ebfcca54f6",
      "0e951cf402d74f6875ae654988ee8486940b37d7c8440edbf0e11ae5e245c110",
    ]);
  });

  it("are distinguished from those of the engine by their type", () => {
    for (const message of MESSAGES) {
      const bytes = encodePartMessage(message);
      expect(isPartMessage(bytes)).toBe(true);
      expect(tryDecodeConsensus(bytes)).toBeUndefined();
      const decoded = decodePartMessage(bytes);
      expect(decoded?.type).toBe(message.type);
      expect(decoded === undefined ? undefined : Buffer.from(encodePartMessage(decoded)).equals(bytes)).toBe(true);
    }
    for (const other of [[4, [7, []]], [8, encodedHead], 5, []]) expect(decodePartMessage(miniCbor(other))).toBeUndefined();
  });

  it.each([
    ["a block of no bytes", { size: 0 }],
    ["a block that is too large", { size: 5_242_881, partBytes: 65_536 }],
    ["parts that are too small", { partBytes: 1_023 }],
    ["parts that are too large", { partBytes: 65_537 }],
    ["more relays than validators", { relays: new Uint8Array(14) }],
  ])("refuse %s", (_, change) => {
    expect(() => encode(partsHeadCodec, { ...head, ...change })).toThrow(RangeError);
  });

  it("answer changed bytes, and give every value one encoding", () => {
    const frames = MESSAGES.map(encodePartMessage);
    fc.assert(
      fc.property(fc.nat(2), fc.nat(), fc.nat(255), (which, at, value) => {
        const frame = frames[which] ?? new Uint8Array();
        const changed = frame.with(at % frame.length, value);
        const message = decodePartMessage(changed);
        if (message !== undefined) expect(Buffer.from(encodePartMessage(message)).equals(changed)).toBe(true);
        tryDecode(partsHeadCodec, changed);
      }),
      { numRuns: extent(200, 600), seed: 5 },
    );
  });
});

describe("parts of a block", () => {
  it("have the Merkle root of RFC 6962, and each its proof, for every number of them", () => {
    for (let count = 1; count <= 20; count += 1) {
      const block = BLOCK.subarray(0, count * 200 - 7);
      const cut = cutIntoParts(block, 200, nativeSha256);
      expect(cut.parts).toHaveLength(count);
      expect(toHex(cut.root)).toBe(toHex(rfcRoot(cut.parts.map(({ bytes }) => bytes))));
      for (const { index, siblings, bytes } of cut.parts)
        expect(verifyMerkleProof(cut.root, bytes, { index, size: count, siblings }, nativeSha256)).toBe(true);
    }
  });

  it("make the block again in any order, and nothing else does", () => {
    const assembly = new PartAssembly(head, nativeSha256);
    const wrong = [
      { ...first, bytes: first.bytes.map((byte) => byte ^ 1) },
      { ...first, bytes: first.bytes.subarray(1) },
      { ...first, index: 1 },
      { ...first, index: 5 },
      { ...first, index: 255 },
      { ...first, siblings: first.siblings.slice(1) },
      { ...first, siblings: first.siblings.toReversed() },
    ];
    for (const part of wrong) expect(assembly.add(part)).toBe("invalid");
    for (const part of parts.toReversed()) expect(assembly.add(part)).toBe("added");
    expect(assembly.isComplete).toBe(true);
    expect(Buffer.from(assembly.bytes()).equals(BLOCK)).toBe(true);
    expect(assembly.add(first)).toBe("known");
    for (const part of wrong) expect(assembly.add(part)).toBe("invalid");
  });

  it("are bits by their positions", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(255), { minLength: 1 }), (positions) => {
        const sorted = positions.toSorted((a, b) => a - b);
        expect(bitPositions(bitsAt(positions), 256)).toEqual(sorted);
      }),
      { seed: 8 },
    );
    expect(bitPositions(Uint8Array.of(255), 3)).toEqual([0, 1, 2]);
  });
});

describe("the layout of parts", () => {
  it("has about as many parts as there are others, within its limits", () => {
    for (const others of [3, 6, 20, 99, 300])
      for (const size of [20_000, 262_144, 1_048_576, 2_100_000, 4_194_304]) {
        const count = partCount(size, partBytesOf(size, others));
        expect(count).toBeLessThanOrEqual(256);
        expect(count).toBeGreaterThanOrEqual(Math.min(others - 3, 20));
      }
  });

  it("sends small blocks whole, and all of them in a small network", () => {
    expect(goesWhole(4_000_000, 2)).toBe(true);
    expect(goesWhole(10_000, 99)).toBe(true);
    expect(goesWhole(262_144, 99)).toBe(false);
    expect(goesWhole(300_000, 3)).toBe(true);
    expect(goesWhole(600_000, 3)).toBe(false);
  });

  it("gives all relays as much to do, in an order that root and round decide", () => {
    const relays = Array.from({ length: 99 }, (_, index) => `v${index}`);
    const order = relayOrder(relays, root, 2, nativeSha256);
    expect([...order].sort()).toEqual([...relays].sort());
    expect(order).toEqual(relayOrder(relays, root, 2, nativeSha256));
    expect(order).not.toEqual(relayOrder(relays, root, 3, nativeSha256));
    const firsts = Array.from({ length: 99 }, (_, part) => relays.find((relay) => relayRank(order, relay, part) === 0));
    expect(new Set(firsts).size).toBe(99);
    expect(relayRank(order, "stranger", 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
