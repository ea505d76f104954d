// Deterministic CBOR (RFC 8949 §4.2) of values that have no codec: what is only hashed or signed, never read back.
import { CborWriter } from "#shared/codec/cbor-writer.ts";
import { compareBytes } from "#shared/util/bytes.ts";

/** Values that the protocol encodes: integers are safe integers, keys of maps are texts. */
export type CborValue = null | boolean | number | string | Uint8Array | readonly CborValue[] | { readonly [key: string]: CborValue };

/** Deterministic CBOR of the value. Floats, undefined, unsafe integers and texts with unpaired surrogates are refused by a TypeError. */
export function encodeCbor(value: CborValue): Uint8Array {
  return CborWriter.encode((writer) => writeValue(writer, value));
}

function writeValue(writer: CborWriter, value: CborValue): void {
  if (value === null) writer.null();
  else if (typeof value === "boolean") writer.boolean(value);
  else if (typeof value === "number") writer.integer(value);
  else if (typeof value === "string") writer.text(value);
  else if (value instanceof Uint8Array) writer.bytes(value);
  else if (typeof value !== "object") throw new TypeError(`A ${typeof value} cannot be encoded`);
  else if (Array.isArray(value)) writeItems(writer, value);
  else writeEntries(writer, value as Readonly<Record<string, CborValue>>);
}

function writeItems(writer: CborWriter, items: readonly CborValue[]): void {
  writer.array(items.length);
  for (const item of items) writeValue(writer, item);
}

function writeEntries(writer: CborWriter, value: Readonly<Record<string, CborValue>>): void {
  const entries = Object.entries(value).map(([key, item]) => ({ key: encodeCbor(key), item }));
  writer.map(entries.length);
  for (const { key, item } of entries.sort((a, b) => compareBytes(a.key, b.key))) {
    writer.encoded(key);
    writeValue(writer, item);
  }
}
