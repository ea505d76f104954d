// Typed access to the fields of a stored CBOR array. A wrong shape is a broken invariant: only execution writes records.
import { type CborValue, decodeCbor } from "#shared/protocol/cbor.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";

/** Fields of a record, of the given length when one is given. */
export function recordFields(value: Uint8Array, length?: number): readonly CborValue[] {
  return listOf(decodeCbor(value), length);
}

/** A list, of the given length when one is given. */
export function listOf(value: CborValue | undefined, length?: number): readonly CborValue[] {
  assertInvariant(Array.isArray(value) && (length === undefined || value.length === length), "A state record has another shape");
  return value as readonly CborValue[];
}

/** A non-negative integer. */
export function integerOf(value: CborValue | undefined): number {
  assertInvariant(typeof value === "number" && value >= 0, "A state record holds no number where one belongs");
  return value;
}

/** A text. */
export function textOf(value: CborValue | undefined): string {
  assertInvariant(typeof value === "string", "A state record holds no text where one belongs");
  return value;
}

/** 32 bytes. */
export function bytes32Of(value: CborValue | undefined): Uint8Array {
  assertInvariant(value instanceof Uint8Array && value.length === 32, "A state record holds no 32 bytes where they belong");
  return value;
}

/** Lower-case hex of 32 bytes. */
export function hex32Of(value: CborValue | undefined): string {
  return toHex(bytes32Of(value));
}
