// The second opinion on deterministic CBOR: an independent library builds the value first, and its bytes are compared afterwards.
import { decode, encode, rfc8949EncodeOptions } from "cborg";
import type { CborValue } from "#shared/protocol/primitives/cbor.ts";
import { equalBytes } from "#shared/util/bytes.ts";

const STRICT = {
  strict: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  allowBigInt: false,
  rejectDuplicateMapKeys: true,
} as const;

/** Value of deterministic CBOR bytes. @throws Error on any other bytes. */
export function strictlyDecoded(bytes: Uint8Array): CborValue {
  const value: unknown = decode(bytes, STRICT);
  if (!isValue(value) || !equalBytes(encode(value, rfc8949EncodeOptions), bytes)) throw new TypeError("not in deterministic form");
  return value;
}

/** Deterministic CBOR of a value. */
export function strictlyEncoded(value: CborValue): Uint8Array {
  return encode(value, rfc8949EncodeOptions);
}

function isValue(value: unknown): value is CborValue {
  if (typeof value === "number") return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value !== undefined;
  return Object.values(value).every(isValue);
}
