import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRecord } from "#node/ledger/record-codec.ts";
import { type Account, accountCodec } from "#node/ledger/records/records.ts";
import { encode } from "#shared/codec/codec.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { strictlyEncoded } from "#test/support/codec/strict-cbor.ts";

const EDGES = [0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, Number.MAX_SAFE_INTEGER];
const whole = fc.oneof(fc.constantFrom(...EDGES), fc.maxSafeNat());
const account = fc.record({ balanceUt: whole, historyCount: whole, historyHash: fc.uint8Array({ minLength: 32, maxLength: 32 }) });

const encodeAccount = (value: Account): Uint8Array => encode(accountCodec, value);
const decodeAccount = (bytes: Uint8Array): Account => decodeRecord(accountCodec, bytes);

describe("the record of an account", () => {
  it("is the general encoding of its fields, and reads as what was written", () => {
    fc.assert(
      fc.property(account, ({ balanceUt, historyCount, historyHash }) => {
        const bytes = encodeAccount({ balanceUt, historyCount, historyHash });
        expect(bytes).toEqual(strictlyEncoded([balanceUt, historyCount, historyHash]));
        expect(decodeAccount(bytes)).toEqual({ balanceUt, historyCount, historyHash });
      }),
      { seed: 8_115, numRuns: 500 },
    );
  });

  it("refuses what is no account", () => {
    fc.assert(
      fc.property(account, fc.nat(), (fields, cut) => {
        const bytes = encodeAccount(fields);
        expect(() => decodeAccount(bytes.subarray(0, cut % bytes.length))).toThrow();
        expect(() => decodeAccount(Uint8Array.of(...bytes, 0))).toThrow();
      }),
      { seed: 8_116, numRuns: 100 },
    );
    const hash = new Uint8Array(32);
    for (const value of [[1, 2], ["1", 2, hash], [1, 2, hash.subarray(1)], [1, -2, hash], { a: 1 }, [1, 2, hash, 4], [hash, 1, 2]])
      expect(() => decodeAccount(encodeCbor(value))).toThrow("state record");
    for (const balanceUt of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN])
      expect(() => encodeAccount({ balanceUt, historyCount: 0, historyHash: hash })).toThrow();
  });
});
