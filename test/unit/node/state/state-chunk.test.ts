import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import {
  CHUNK_BYTES,
  type ChunkRecord,
  type LeafSource,
  MOST_LEVELS,
  provenLeaves,
  readChunk,
  recordBytes,
  type StateChunk,
} from "#node/state/state-chunk.ts";
import { isTreePlace, isWithin, partsOf, pathsOf, ROOT_PLACE, type TreePlace } from "#node/state/tree-place.ts";
import { snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { readVectors } from "../../../support/codec/read-vectors.ts";
import { type TestState, testRecords, testState } from "../../../support/worlds/snapshot-world.ts";
import { naiveChunk } from "./naive-chunk.ts";
import { naiveStateRoot } from "./naive-state-root.ts";

const SEED = 20_261_123;

function placeOf(bits: string): TreePlace {
  const prefix = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [at, bit] of [...bits].entries()) if (bit === "1") prefix[at >> 3] = (prefix[at >> 3] ?? 0) | (0x80 >> (at & 7));
  return { depth: bits.length, prefix };
}

function chunkAt(state: LeafSource, place: TreePlace): StateChunk {
  const chunk = readChunk(state, place);
  if ("levels" in chunk) throw new Error("The place is split");
  return chunk;
}

function leavesAt(state: TestState, place: TreePlace): readonly ChunkRecord[] {
  const leaves = provenLeaves(state.root, place, chunkAt(state, place));
  if (typeof leaves === "string") throw new Error(leaves);
  return leaves;
}

const bitsArbitrary = fc.array(fc.constantFrom("0", "1"), { maxLength: 14 }).map((bits) => bits.join(""));
const countArbitrary = fc.nat({ max: 70 });

describe("places of the state tree", () => {
  it("partition what they are part of", () => {
    fc.assert(
      fc.property(bitsArbitrary, fc.integer({ min: 1, max: 6 }), fc.uint8Array({ minLength: 32, maxLength: 32 }), (bits, levels, path) => {
        const place = placeOf(bits);
        const parts = partsOf(place, levels);
        expect(parts.every(isTreePlace)).toBe(true);
        expect(parts.filter((part) => isWithin(path, part))).toHaveLength(isWithin(path, place) ? 1 : 0);
        expect(toHex(pathsOf(parts[0] ?? place).first)).toBe(toHex(pathsOf(place).first));
        expect(toHex(pathsOf(parts.at(-1) ?? place).last)).toBe(toHex(pathsOf(place).last));
      }),
      { seed: SEED },
    );
  });

  it("end at the last level", () => {
    const deep = placeOf("1".repeat(254));
    expect(partsOf(deep, MOST_LEVELS).map(({ depth }) => depth)).toEqual([256, 256, 256, 256]);
    expect(partsOf(placeOf("0".repeat(256)), 3)).toHaveLength(1);
  });

  it("have no bits beyond their depth", () => {
    expect(isTreePlace({ depth: 3, prefix: Uint8Array.of(0b1011_0000) })).toBe(false);
    expect(isTreePlace({ depth: 4, prefix: Uint8Array.of(0b1011_0000) })).toBe(true);
    expect(isTreePlace({ depth: 9, prefix: Uint8Array.of(1) })).toBe(false);
    expect(isTreePlace({ depth: 257, prefix: new Uint8Array(33) })).toBe(false);
  });
});

describe("chunk of the state", () => {
  it("is what the definition says, and proven by the root", () => {
    fc.assert(
      fc.property(countArbitrary, bitsArbitrary, (count, bits) => {
        const state = testState(testRecords(count));
        expect(toHex(state.root)).toBe(naiveStateRoot(state.records));
        const place = placeOf(bits);
        const chunk = chunkAt(state, place);
        const naive = naiveChunk(state.records, bits);
        expect(chunk.siblings.map(toHex)).toEqual(naive.siblings);
        const isShort = naive.siblings.length < bits.length && naive.leaves.length > 0;
        const here = naive.leaves.filter((leaf) => leaf.bits.startsWith(bits));
        expect(chunk.records.map(({ key }) => toHex(key))).toEqual((isShort ? naive.leaves : here).map(({ key }) => toHex(key)));
        const leaves = provenLeaves(state.root, place, chunk);
        expect(typeof leaves === "string" ? leaves : leaves.map(({ key }) => toHex(key))).toEqual(here.map(({ key }) => toHex(key)));
        const sent = encode(snapshotResponseCodec, { kind: "chunk", ...chunk });
        expect(toHex(encode(snapshotResponseCodec, decode(snapshotResponseCodec, sent)))).toBe(toHex(sent));
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it("gives the whole state over any partition", () => {
    fc.assert(
      fc.property(countArbitrary, fc.integer({ min: 0, max: 7 }), (count, levels) => {
        const state = testState(testRecords(count));
        const found = partsOf(ROOT_PLACE, levels).flatMap((place) => leavesAt(state, place));
        expect(found).toHaveLength(count);
        expect(naiveStateRoot(found)).toBe(toHex(state.root));
      }),
      { seed: SEED, numRuns: 40 },
    );
  });

  it("is refused in any other form", () => {
    const state = testState(testRecords(60));
    for (const bits of ["", "1", "010", "0110", "10110", "111111111"]) {
      const place = placeOf(bits);
      const chunk = chunkAt(state, place);
      expect(provenLeaves(state.root, place, chunk), bits).toBeInstanceOf(Array);
      for (const [what, mutant] of mutants(chunk)) {
        const leaves = provenLeaves(state.root, place, mutant);
        expect(typeof leaves, `${bits}: ${what}`).toBe("string");
      }
    }
  });

  it("is refused for another place and another root", () => {
    const state = testState(testRecords(60));
    const chunk = chunkAt(state, placeOf("010"));
    expect(provenLeaves(state.root, placeOf("011"), chunk)).toBe("a leaf belongs to another place");
    expect(provenLeaves(state.root, placeOf("01"), chunk)).toBe("it has more siblings than the place has levels");
    expect(provenLeaves(nativeSha256(utf8("other")), placeOf("010"), chunk)).toBe("it does not lead to the state root");
    const records = chunk.records.slice(0, 2);
    expect(provenLeaves(state.root, placeOf("010"), { siblings: chunk.siblings.slice(1), records })).toBe(
      "several leaves stand where the tree ends",
    );
  });

  it("cannot hide leaves behind the end of the tree", () => {
    const state = testState(testRecords(60));
    const place = placeOf("010");
    const [lone] = chunkAt(state, place).records;
    const records = lone === undefined ? [] : [lone];
    for (let depth = 0; depth <= 3; depth += 1) {
      const { siblings } = chunkAt(state, place);
      expect(typeof provenLeaves(state.root, place, { siblings: siblings.slice(3 - depth), records })).toBe("string");
      expect(typeof provenLeaves(state.root, place, { siblings: siblings.slice(3 - depth), records: [] })).toBe("string");
    }
  });

  it("reads no more than two leaves where damaged pages say that the tree ends far above", () => {
    const state = testState(testRecords(200));
    let count = 0;
    const damaged: LeafSource = {
      getPage: (): undefined => undefined,
      *leaves(range): ReturnType<LeafSource["leaves"]> {
        for (const leaf of state.leaves(range)) {
          count += 1;
          yield leaf;
        }
      },
    };
    const empty = { depth: 256, prefix: new Uint8Array(32) };
    expect(typeof provenLeaves(state.root, empty, chunkAt(damaged, empty))).toBe("string");
    expect(count).toBeLessThanOrEqual(2);
  });

  it("is split above its size, into parts that fit", () => {
    const state = testState(testRecords(12_000, 200));
    const root = readChunk(state, ROOT_PLACE);
    expect(root).toEqual({ levels: expect.any(Number) });
    const parts = partsOf(ROOT_PLACE, "levels" in root ? root.levels : 0).map((place) => readChunk(state, place));
    expect(parts.length).toBeLessThanOrEqual(32);
    for (const part of parts) {
      expect(part).toHaveProperty("records");
      const bytes = "records" in part ? part.records.reduce((sum, record) => sum + recordBytes(record), 0) : 0;
      expect(bytes).toBeGreaterThan(CHUNK_BYTES / 4);
      expect(bytes).toBeLessThanOrEqual(CHUNK_BYTES);
    }
  });

  it("holds one record of any size", () => {
    const large = { namespace: "contract" as const, key: utf8("large"), value: new Uint8Array(CHUNK_BYTES + 1) };
    const state = testState([large]);
    const leaves = provenLeaves(state.root, ROOT_PLACE, chunkAt(state, ROOT_PLACE));
    expect(leaves).toHaveLength(1);
    expect(readChunk(testState([large, ...testRecords(3)]), ROOT_PLACE)).toHaveProperty("levels");
  });
});

describe("vectors of chunks", () => {
  interface Vector {
    readonly name: string;
    readonly entries: readonly { readonly namespace: "account"; readonly key: string; readonly value: string }[];
    readonly place: { readonly depth: number; readonly prefix: string };
    readonly root: string;
    readonly response: string;
    readonly keys: readonly string[];
  }
  const vectors = readVectors<readonly Vector[]>("state-chunks.json");

  it.each(vectors)("$name", ({ entries, place: { depth, prefix }, root, response, keys }) => {
    const state = testState(entries.map(({ namespace, key, value }) => ({ namespace, key: fromHex(key), value: fromHex(value) })));
    expect(toHex(state.root)).toBe(root);
    const place = { depth, prefix: fromHex(prefix) };
    const chunk = chunkAt(state, place);
    expect(toHex(encode(snapshotResponseCodec, { kind: "chunk", ...chunk }))).toBe(response);
    const leaves = provenLeaves(fromHex(root), place, chunk);
    expect(typeof leaves === "string" ? leaves : leaves.map(({ key }) => toHex(key))).toEqual(keys);
  });
});

function* mutants({ siblings, records }: StateChunk): Generator<readonly [what: string, chunk: StateChunk]> {
  const [first] = records;
  for (const [index, record] of records.entries()) {
    const changed = { ...record, value: Uint8Array.of(...record.value, 1) };
    const renamed = { ...record, key: Uint8Array.of(...record.key, 1) };
    const moved = { ...record, namespace: record.namespace === "account" ? ("contact" as const) : ("account" as const) };
    yield [`record ${index} dropped`, { siblings, records: records.toSpliced(index, 1) }];
    yield [`record ${index} twice`, { siblings, records: records.toSpliced(index, 0, record) }];
    for (const other of [changed, renamed, moved]) yield [`record ${index} changed`, { siblings, records: records.with(index, other) }];
    const next = records[index + 1];
    if (next !== undefined) yield [`record ${index} swapped`, { siblings, records: records.with(index, next).with(index + 1, record) }];
  }
  yield ["a record added", { siblings, records: [...records, { namespace: "account", key: utf8("added"), value: utf8("1") }] }];
  yield ["a record added in front", { siblings, records: [{ namespace: "account", key: utf8("added"), value: utf8("1") }, ...records] }];
  for (const [index, sibling] of siblings.entries()) {
    const other = Uint8Array.from(sibling);
    other[31] = (other[31] ?? 0) ^ 1;
    yield [`sibling ${index} changed`, { siblings: siblings.with(index, other), records }];
    yield [
      `sibling ${index} empty`,
      { siblings: siblings.with(index, new Uint8Array(32).fill(toHex(sibling) === "00".repeat(32) ? 1 : 0)), records },
    ];
    yield [`sibling ${index} dropped`, { siblings: siblings.toSpliced(index, 1), records }];
    yield [`sibling ${index} twice`, { siblings: siblings.toSpliced(index, 0, sibling), records }];
    const next = siblings[index + 1];
    if (next !== undefined && toHex(next) !== toHex(sibling))
      yield [`sibling ${index} swapped`, { siblings: siblings.with(index, next).with(index + 1, sibling), records }];
  }
  if (first !== undefined) yield ["everything dropped", { siblings, records: [] }];
}
