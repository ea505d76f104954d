// Requests and responses of light nodes are bytes of strangers: both decoders answer any of them, and give each value one encoding.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { type LightRequest, lightRequestCodec, UNVERIFIED_READ } from "#node/light/wire/light-requests.ts";
import { errorResponse, type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { encode, tryDecode, type Codec as WireCodec } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { blockOf, constantSets, lightChain, untrusted } from "#test/support/worlds/light-world.ts";

const KEY = "0a".repeat(32);
const HASH = new Uint8Array(32).fill(5);
const CHAIN = lightChain(constantSets([1, 2, 3], 2)).map(untrusted);
const [GENESIS] = CHAIN;
const AT = untrusted(blockOf(lightChain(constantSets([1], 1)), 1));
if (GENESIS === undefined) throw new Error("a chain begins with genesis");

const REQUESTS: readonly LightRequest[] = [
  { kind: "blocks", from: 0, count: LIGHT_LIMITS.blocksPerRequest },
  {
    kind: "records",
    keys: [
      { namespace: "account", key: HASH },
      { namespace: "supply", key: new Uint8Array() },
    ],
  },
  { kind: "block", height: 7, knownSet: null },
  { kind: "block", height: 7, knownSet: HASH },
  { kind: "header", height: 7 },
  { kind: "body", height: 7 },
  { kind: "transaction", id: "tx-1" },
  { kind: "history", account: KEY, last: 9, count: 9 },
  { kind: UNVERIFIED_READ, operation: "getNetstats", input: '{"ü":1}' },
  { kind: "submit", transaction: Uint8Array.of(1, 2, 3) },
  { kind: "fork", first: AT, second: AT },
];

const RESPONSES: readonly LightResponse[] = [
  { kind: "blocks", blocks: [] },
  { kind: "blocks", blocks: CHAIN },
  {
    kind: "records",
    at: AT,
    records: [
      { value: HASH, proof: { siblings: [ZERO_HASH, HASH], otherLeaf: null } },
      { value: undefined, proof: { siblings: [], otherLeaf: { path: HASH, valueHash: HASH } } },
    ],
  },
  { kind: "block", ...AT },
  { kind: "block", ...AT, validators: null },
  { kind: "header", header: AT.header },
  { kind: "body", block: Uint8Array.of(1), receipts: Uint8Array.of(0x80) },
  {
    kind: "transaction",
    at: AT,
    position: 1,
    count: 2,
    transaction: { bytes: Uint8Array.of(9), siblings: [HASH] },
    receipt: { bytes: Uint8Array.of(8), siblings: [HASH] },
  },
  { kind: "history", before: HASH, entryIds: ["a", "b"] },
  { kind: UNVERIFIED_READ, json: "{}" },
  { kind: "accepted", warning: null },
  { kind: "accepted", warning: "mind" },
  { kind: "unknown" },
  { kind: "error", code: "TX_DUPLICATE", message: "known" },
];

interface Codec {
  readonly name: string;
  readonly encoded: Uint8Array;
  readonly value: unknown;
  readonly decode: (bytes: Uint8Array) => unknown;
  readonly encode: (value: never) => Uint8Array;
}

function caseOf<T>(name: string, codec: WireCodec<T>, value: T): Codec {
  return { name, encoded: encode(codec, value), value, decode: (bytes) => tryDecode(codec, bytes), encode: (read) => encode(codec, read) };
}

const CODECS: readonly Codec[] = [
  ...REQUESTS.map((value) => caseOf(`request for ${value.kind}`, lightRequestCodec, value)),
  ...RESPONSES.map((value, index) => caseOf(`answer ${index} (${value.kind})`, lightResponseCodec, value)),
];

const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }), kind: fc.constantFrom("set", "cut", "insert") });

function changed(
  bytes: Uint8Array,
  { at, value, kind }: { readonly at: number; readonly value: number; readonly kind: string },
): Uint8Array {
  const index = at % bytes.length;
  if (kind === "set") return bytes.with(index, value);
  const rest = bytes.subarray(kind === "cut" ? index + 1 : index);
  return Buffer.concat([bytes.subarray(0, index), kind === "cut" ? new Uint8Array() : Uint8Array.of(value), rest]);
}

describe.each(CODECS)("codec of the $name", ({ encoded, value, decode, encode }) => {
  it("gives back what was encoded", () => {
    expect(decode(encoded)).toEqual(value);
  });

  it("takes no other version and no other shape", () => {
    for (const bytes of [
      encodeCbor(1),
      encodeCbor([]),
      encodeCbor([1]),
      encodeCbor([1, "toString"]),
      encodeCbor([2, "unknown"]),
      encoded.subarray(1),
    ])
      expect(decode(bytes)).toBeUndefined();
  });

  it("answers changed bytes, and gives every value one encoding", () => {
    fc.assert(
      fc.property(change, (how) => {
        const bytes = changed(encoded, how);
        const read = decode(bytes);
        if (read !== undefined) expect(Buffer.from(encode(read as never)).equals(bytes)).toBe(true);
      }),
      { numRuns: extent(100, 300), seed: 31 },
    );
  });
});

describe("messages of light nodes", () => {
  const request = (...fields: readonly CborValue[]): unknown => tryDecode(lightRequestCodec, encodeCbor([1, ...fields]));
  const response = (...fields: readonly CborValue[]): unknown => tryDecode(lightResponseCodec, encodeCbor([1, ...fields]));

  it("answer any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        tryDecode(lightRequestCodec, bytes);
        tryDecode(lightResponseCodec, bytes);
      }),
      { numRuns: extent(250, 1_000), seed: 32 },
    );
    const deep = new Uint8Array(200_000).fill(0x81);
    expect([tryDecode(lightRequestCodec, deep), tryDecode(lightResponseCodec, deep)]).toEqual([undefined, undefined]);
  });

  it("keep every limit of a request", () => {
    const { blocksPerRequest, keysPerRequest, keyBytes, entriesPerRequest, inputBytes } = LIGHT_LIMITS;
    const keys = (count: number, bytes = 1): CborValue => Array.from({ length: count }, () => ["account", new Uint8Array(bytes)]);
    const account = new Uint8Array(32);
    const within: readonly CborValue[][] = [
      ["blocks", 1, blocksPerRequest],
      ["records", keys(keysPerRequest, keyBytes)],
      ["history", account, entriesPerRequest, entriesPerRequest],
      ["told", "x".repeat(64), "x".repeat(inputBytes)],
      ["transaction", "x".repeat(MAX_TX_ID_CHARS)],
    ];
    const beyond: readonly CborValue[][] = [
      ["blocks", 1, blocksPerRequest + 1],
      ["blocks", 1, 0],
      ["blocks", -1, 1],
      ["records", keys(keysPerRequest + 1)],
      ["records", []],
      ["records", keys(1, keyBytes + 1)],
      ["records", [["nowhere", account]]],
      ["history", account, entriesPerRequest + 1, entriesPerRequest + 1],
      ["history", account, 3, 4],
      ["history", account, 3, 0],
      ["history", new Uint8Array(31), 3, 1],
      [UNVERIFIED_READ, "x".repeat(65), ""],
      [UNVERIFIED_READ, "x", "x".repeat(inputBytes + 1)],
      [UNVERIFIED_READ, "x", "ü".repeat(inputBytes / 2 + 1)],
      ["transaction", "x".repeat(MAX_TX_ID_CHARS + 1)],
      ["inbox", "x"],
      ["constructor"],
    ];
    for (const fields of within) expect(request(...fields), String(fields[0])).toMatchObject({ kind: fields[0] });
    for (const fields of beyond) expect(request(...fields), JSON.stringify(fields).slice(0, 60)).toBeUndefined();
  });

  it("keep every limit of a response", () => {
    const { entriesPerRequest } = LIGHT_LIMITS;
    const ids = (count: number): CborValue => Array.from({ length: count }, () => "x");
    expect(response("history", HASH, ids(entriesPerRequest))).toMatchObject({ kind: "history" });
    expect(response("history", HASH, ids(entriesPerRequest + 1))).toBeUndefined();
    expect(response("history", HASH, ["x".repeat(MAX_TX_ID_CHARS + 1)])).toBeUndefined();
    expect(response("error", "NO_SUCH_CODE", "")).toBeUndefined();
    expect(response("error", "toString", "")).toBeUndefined();
    expect(response("error", "BUSY", "x".repeat(1_001))).toBeUndefined();
    expect(response("accepted", "x".repeat(1_001))).toBeUndefined();
  });

  it("cut long words of an error, between characters", () => {
    const error = errorResponse(new CodedError("TX_REJECTED", `${"x".repeat(999)}😀😀`));
    expect(tryDecode(lightResponseCodec, encode(lightResponseCodec, error))).toEqual({ ...error });
    expect(error).toMatchObject({ code: "TX_REJECTED" });
  });
});
