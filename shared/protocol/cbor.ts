// Deterministic CBOR (RFC 8949 §4.2) for everything that nodes hash or send each other. Decoding accepts nothing else.
import { decode, encode, rfc8949EncodeOptions } from "cborg";
import { equalBytes } from "#shared/util/bytes.ts";

/** Values that the protocol encodes: integers are safe integers, keys of maps are texts. */
export type CborValue = null | boolean | number | string | Uint8Array | readonly CborValue[] | { readonly [key: string]: CborValue };

/** Deterministic CBOR of the value. Floats, undefined and unsafe integers are refused by a TypeError. */
export function encodeCbor(value: CborValue): Uint8Array {
  assertEncodable(value);
  return encode(value, rfc8949EncodeOptions);
}

/**
 * Value of deterministic CBOR bytes.
 * @throws Error when the bytes are malformed, not in deterministic form, or hold a float, a tag or an unsafe integer.
 */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const value = decode(bytes, {
    strict: true,
    allowIndefinite: false,
    allowUndefined: false,
    allowInfinity: false,
    allowNaN: false,
    allowBigInt: false,
    rejectDuplicateMapKeys: true,
  }) as CborValue;
  if (!equalBytes(encodeCbor(value), bytes)) throw new TypeError("The CBOR is not in deterministic form");
  return value;
}

function assertEncodable(value: CborValue): void {
  if (value === null || typeof value === "boolean" || typeof value === "string" || value instanceof Uint8Array) return;
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError(`${value} is not a safe integer`);
    return;
  }
  if (typeof value !== "object") throw new TypeError(`A ${typeof value} cannot be encoded`);
  for (const item of Array.isArray(value) ? value : Object.values(value)) assertEncodable(item);
}
